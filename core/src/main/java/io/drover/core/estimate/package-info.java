// SPDX-License-Identifier: Apache-2.0
/**
 * t_rem, what a running attempt still needs, and t_new, what a new one would need: Mantri section
 * 5.5. Both say so when they do not know.
 */
package io.drover.core.estimate;
