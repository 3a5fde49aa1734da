// SPDX-License-Identifier: Apache-2.0
/**
 * The model of a phase and its attempts, and the decisions taken on it.
 *
 * <p>Everything here is plain values and single-threaded state: no clock, no thread, no Hadoop.
 * Times are seconds on any one monotonic scale the caller chooses, amounts of data are bytes, work
 * is a fraction in [0,1] of a sub-phase. A model belongs to one thread.
 */
package io.drover.core.model;
