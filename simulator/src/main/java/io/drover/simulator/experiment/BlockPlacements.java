// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * How often blocks that lie anywhere can be read by free slots of their own machines, by trying:
 * each slot of a cluster is busy with probability u by itself, as KMN section 3.1 assumes.
 *
 * <p>In the paper's model each block meets a machine of its own. On real machines blocks may lie on
 * the same one, full or not, and each needs a slot: that is tried here, too.
 */
final class BlockPlacements {
  /** What blocks share. */
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
   * A cluster.
   *
   * @param machines that blocks may lie on, where they share them
   * @param slots of a machine
   * @param utilisation u, in [0,1]
   * @param seed of all chance
   */
  BlockPlacements(Sharing sharing, int machines, int slots, double utilisation, long seed) {
    this.sharing = sharing;
    this.machines = machines;
    this.upTo = binomial(slots, 1 - utilisation);
    this.random = new SplittableRandom(seed);
    this.free = new int[machines];
  }

  /** Of each number of free slots, how likely so many or fewer are. */
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

  /** How often any K of N blocks can be read locally, of so many trials. */
  double ofAny(int k, int n, int trials) {
    return share(trials, n, () -> local(0, n) >= k);
  }

  /** How often all K blocks of at least one of f disjoint samples can be. */
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

  /** How many of some blocks are local; the slots that they take are free again for others. */
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
