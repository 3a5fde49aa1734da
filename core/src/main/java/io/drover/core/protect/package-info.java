// SPDX-License-Identifier: Apache-2.0

/**
 * Protection of the outputs that tasks keep for others: which of them to replicate before they can
 * be lost, and which to make again before anybody misses them.
 *
 * <p>Source: Ananthanarayanan et al., "Reining in the outliers in map-reduce clusters using
 * Mantri", OSDI 2010, sections 5.3 and 6.5, and its slides 8 to 13. Values in, decisions out: time
 * and the machines' loss probabilities are what the caller says.
 */
package io.drover.core.protect;
