// SPDX-License-Identifier: Apache-2.0
/**
 * Estimates t_rem, the time that a running attempt still needs, and t_new, the time that a new
 * attempt would need (Mantri section 5.5). Both estimates are empty if too little is known.
 */
package io.drover.core.estimate;
