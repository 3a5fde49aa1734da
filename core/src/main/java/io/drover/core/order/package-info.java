// SPDX-License-Identifier: Apache-2.0
/** In which order waiting tasks get slots. */
package io.drover.core.order;
