// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

/**
 * What was lost under a scheme, and what was done about it.
 *
 * @param recomputations tasks that were run again, or waited for while they were, since a reader
 *     missed their output
 * @param precomputations tasks that were run again before anybody had missed their output
 * @param precomputationsNeeded of these, how many turned out to be needed: a reader found the
 *     original lost
 * @param precomputeSlotSeconds for which attempts at pre-computations held slots
 * @param replicas of outputs that were made
 * @param replicasUsed of these, how many a reader read since the original was lost
 * @param replicatedBytes of all replicas
 * @param evicted attempts that the cluster ended for other tenants
 * @param died attempts that ended with their machine
 */
public record Rework(
    long recomputations,
    long precomputations,
    long precomputationsNeeded,
    double precomputeSlotSeconds,
    long replicas,
    long replicasUsed,
    double replicatedBytes,
    long evicted,
    long died) {
  /** Where nothing was lost. */
  public static final Rework NONE = new Rework(0, 0, 0, 0, 0, 0, 0, 0, 0);
}
