// SPDX-License-Identifier: Apache-2.0
/** Keeps errors in Drover's own code from affecting anything else. */
package io.drover.core.containment;
