// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.Output.Origin;
import io.drover.simulator.result.SchemeOutcome.Rework;

/** Counts what was lost, and what was done about it. */
final class ReworkCount {
  private long recomputations;
  private long precomputations;
  private long precomputationsNeeded;
  private double precomputeSlotSeconds;
  private long replicas;
  private long replicasUsed;
  private double replicatedBytes;
  private long evicted;
  private long died;

  /** A reader misses an output. */
  void missed() {
    recomputations++;
  }

  /** An output is to be made again before anybody misses it. */
  void precomputed() {
    precomputations++;
  }

  /** A reader misses an output which is being made again for fear of that. */
  void precomputationIsNeeded() {
    precomputationsNeeded++;
  }

  /** An attempt at an output that nobody had missed when it ended. */
  void precomputedFor(double slotSeconds) {
    precomputeSlotSeconds += slotSeconds;
  }

  void replicated(long bytes) {
    replicas++;
    replicatedBytes += bytes;
  }

  /** A reader has read what was kept twice, since the original is lost. */
  void helped(Origin by) {
    if (by == Origin.REPLICA) {
      replicasUsed++;
    } else {
      precomputationsNeeded++;
    }
  }

  void evicted() {
    evicted++;
  }

  void died() {
    died++;
  }

  Rework total() {
    return new Rework(
        recomputations,
        precomputations,
        precomputationsNeeded,
        precomputeSlotSeconds,
        replicas,
        replicasUsed,
        replicatedBytes,
        evicted,
        died);
  }
}
