// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Chooses the machines that hold a block by the rule of HDFS ({@code BlockPlacementPolicyDefault}
 * of Hadoop 3.5, for a writer on any machine):
 *
 * <pre>
 *   first replica    any machine
 *   second           any machine of another rack
 *   third            another machine of the second one's rack
 *   further          any machine
 * </pre>
 *
 * <p>If there is no such machine, any other machine is chosen. A block never has more replicas than
 * there are machines. The choice depends only on the seed, the phase and the block. Departure: all
 * machines are up and have room for the block.
 */
public final class BlockPlaces {
  private static final int OF_BLOCK = 1;

  private final ClusterShape shape;
  private final int replicas;
  private final long seed;

  /**
   * Creates the placement of all blocks of a cluster.
   *
   * @param replicas of each block, at least 1; no more than the number of machines are used
   * @param seed of all random choices
   */
  public BlockPlaces(ClusterShape shape, int replicas, long seed) {
    this.shape = shape;
    this.replicas = Math.min(replicas, shape.machines());
    this.seed = seed;
  }

  /**
   * Returns the machines that hold a block, in the order of its replicas.
   *
   * @param phase {@link PhaseKey} of the phase that reads the block
   * @param block index of the block among those that the phase may read
   * @param rack of the first replica, if the trace records it
   */
  public int[] machines(long phase, int block, OptionalInt rack) {
    int[] chosen = new int[replicas];
    for (int replica = 0; replica < replicas; replica++) {
      long key = Draws.key(seed, OF_BLOCK, phase, block, replica);
      chosen[replica] =
          replica == 0 && rack.isPresent()
              ? inRack(rack.getAsInt(), -1, key)
              : next(chosen, replica, key);
    }
    return chosen;
  }

  private int next(int[] chosen, int count, long key) {
    if (count == 1 && shape.racks() > 1) {
      return outside(shape.rackOf(chosen[0]), key);
    }
    if (count == 2 && shape.racks() > 1) {
      int rack = shape.rackOf(chosen[1]);
      if (shape.machinesIn(rack) > 1) {
        return inRack(rack, chosen[1], key);
      }
    }
    return another(chosen, count, key);
  }

  /** Returns a machine of a rack, excluding the machine {@code but} unless that is negative. */
  private int inRack(int rack, int but, long key) {
    int others = shape.machinesIn(rack) - (but < 0 ? 0 : 1);
    int machine = rack + Draws.index(key, others) * shape.racks();
    return but >= 0 && machine >= but ? machine + shape.racks() : machine;
  }

  /** Returns a machine outside a rack. Consecutive machine numbers are in consecutive racks. */
  private int outside(int rack, long key) {
    int others = shape.racks() - 1;
    int rank = Draws.index(key, shape.machines() - shape.machinesIn(rack));
    int place = rank % others;
    return rank / others * shape.racks() + (place < rack ? place : place + 1);
  }

  /** Returns a machine that is not among the first {@code count} of {@code chosen}. */
  private int another(int[] chosen, int count, long key) {
    int machine = Draws.index(key, shape.machines() - count);
    int[] ascending = Arrays.copyOf(chosen, count);
    Arrays.sort(ascending);
    for (int taken : ascending) {
      machine += machine >= taken ? 1 : 0;
    }
    return machine;
  }
}
