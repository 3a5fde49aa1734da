// SPDX-License-Identifier: Apache-2.0

/**
 * Keeps the outputs of maps within reach of the reduces: notices which nodes no longer serve them,
 * and makes what is lost again before reduces miss it. What to make again is decided in {@link
 * io.drover.core.protect}.
 */
package io.drover.appmaster.protect;
