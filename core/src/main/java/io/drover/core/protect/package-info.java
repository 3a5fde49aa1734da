// SPDX-License-Identifier: Apache-2.0

/**
 * Protects the outputs that tasks keep for others: decides which to replicate before they can be
 * lost, and which to make again before any reader misses them.
 *
 * <p>Source: Ananthanarayanan et al., "Reining in the outliers in map-reduce clusters using
 * Mantri", OSDI 2010, sections 5.3 and 6.5, and its slides 8 to 13. The caller passes in the time
 * and the machines' loss probabilities, and gets decisions.
 */
package io.drover.core.protect;
