// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Measures, by random trials, how often randomly placed blocks can be read by free slots of their
 * own machines. Each slot of the cluster is busy independently with probability u, as KMN section
 * 3.1 assumes.
 *
 * <p>In the paper's model, each block is on a machine of its own. On real machines, several blocks
 * may be on the same machine, and each needs a slot. This class tries both.
 */
final class BlockPlacements {
  /** What the blocks share. */
  enum Sharing {
    /** Nothing: the model of the paper. */
    NONE,
    /** Machines and their slots: a free slot serves one block. */
    SLOTS
  }

  private final Sharing sharing;
  private final int machines;
  private final double[] upTo;
  private final SplittableRandom random;
  private int[] free;

  /**
   * Creates a cluster.
   *
   * @param machines the machines that blocks may lie on, if they share machines
   * @param slots the slots of a machine
   * @param utilisation u, in [0,1]
   * @param seed the seed of everything random
   */
  BlockPlacements(Sharing sharing, int machines, int slots, double utilisation, long seed) {
    this.sharing = sharing;
    this.machines = machines;
    this.upTo = binomial(slots, 1 - utilisation);
    this.random = new SplittableRandom(seed);
    this.free = new int[machines];
  }

  /** Returns for each number of free slots the probability of at most that many. */
  private static double[] binomial(int slots, double probability) {
    double[] chances = {1};
    for (int slot = 0; slot < slots; slot++) {
      double[] next = new double[chances.length + 1];
      for (int i = 0; i < chances.length; i++) {
        next[i] += chances[i] * (1 - probability);
        next[i + 1] += chances[i] * probability;
      }
      chances = next;
    }
    for (int i = 1; i < chances.length; i++) {
      chances[i] += chances[i - 1];
    }
    return chances;
  }

  /** Returns the share of trials in which any K of N blocks can be local. */
  double ofAny(int k, int n, int trials) {
    return share(trials, n, () -> local(0, n) >= k);
  }

  /** Returns the share of trials in which all K blocks of some disjoint sample can be local. */
  double ofSamples(int k, int samples, int trials) {
    return share(
        trials,
        k * samples,
        () -> {
          boolean one = false;
          for (int sample = 0; sample < samples; sample++) {
            one |= local(sample * k, k) == k;
          }
          return one;
        });
  }

  private double share(int trials, int blocks, BooleanSupplier trial) {
    int hits = 0;
    free = new int[sharing == Sharing.NONE ? blocks : machines];
    for (int i = 0; i < trials; i++) {
      for (int machine = 0; machine < free.length; machine++) {
        free[machine] = freeSlots();
      }
      hits += trial.getAsBoolean() ? 1 : 0;
    }
    return (double) hits / trials;
  }

  private int freeSlots() {
    double chance = random.nextDouble();
    int slots = 0;
    while (slots < upTo.length - 1 && chance >= upTo[slots]) {
      slots++;
    }
    return slots;
  }

  /** Returns how many of some blocks are local. The slots that they take become free again. */
  private int local(int first, int count) {
    if (sharing == Sharing.NONE) {
      int local = 0;
      for (int block = first; block < first + count; block++) {
        local += free[block] > 0 ? 1 : 0;
      }
      return local;
    }
    int[] taken = new int[count];
    int local = 0;
    for (int block = 0; block < count; block++) {
      int machine = random.nextInt(machines);
      if (free[machine] > 0) {
        free[machine]--;
        taken[local++] = machine;
      }
    }
    for (int i = 0; i < local; i++) {
      free[taken[i]]++;
    }
    return local;
  }
}
