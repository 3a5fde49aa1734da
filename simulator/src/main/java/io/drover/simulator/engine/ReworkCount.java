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

  /** Counts an output that a reader misses. */
  void missed() {
    recomputations++;
  }

  /** Counts an output that is made again before a reader misses it. */
  void precomputed() {
    precomputations++;
  }

  /** Counts a running pre-computation as needed, because a reader misses its output. */
  void precomputationIsNeeded() {
    precomputationsNeeded++;
  }

  /** Adds the slot seconds of an attempt at an output that no reader had missed when it ended. */
  void precomputedFor(double slotSeconds) {
    precomputeSlotSeconds += slotSeconds;
  }

  void replicated(long bytes) {
    replicas++;
    replicatedBytes += bytes;
  }

  /** Counts a replica or pre-computed output that a reader used because the original is lost. */
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
