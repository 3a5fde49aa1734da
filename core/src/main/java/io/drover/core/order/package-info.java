// SPDX-License-Identifier: Apache-2.0
/** Decides the order in which waiting tasks get slots. */
package io.drover.core.order;
