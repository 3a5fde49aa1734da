// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The machines that hold a block, by the rule of HDFS ({@code BlockPlacementPolicyDefault} of
 * Hadoop 3.5, for a writer that is anywhere):
 *
 * <pre>
 *   first replica    any machine
 *   second           any machine of another rack
 *   third            another machine of the second one's rack
 *   further          any machine
 * </pre>
 *
 * <p>Where there is no such machine it is any other one, and there are no more replicas than
 * machines. They follow from the seed, the phase and the block alone. Departure: all machines have
 * room for it and are up.
 */
public final class BlockPlaces {
  private static final int OF_BLOCK = 1;

  private final ClusterShape shape;
  private final int replicas;
  private final long seed;

  /**
   * The places of all blocks of a cluster.
   *
   * @param replicas of each block, at least 1
   * @param seed of all chance
   */
  public BlockPlaces(ClusterShape shape, int replicas, long seed) {
    this.shape = shape;
    this.replicas = Math.min(replicas, shape.machines());
    this.seed = seed;
  }

  /**
   * The machines that hold a block, in the order of their replicas.
   *
   * @param phase {@link PhaseKey} of the phase that reads it
   * @param block index among those that the phase may read
   * @param rack of the first replica, where the trace tells it
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

  /** A machine of a rack but one; all are, if that is negative. */
  private int inRack(int rack, int but, long key) {
    int others = shape.machinesIn(rack) - (but < 0 ? 0 : 1);
    int machine = rack + Draws.index(key, others) * shape.racks();
    return but >= 0 && machine >= but ? machine + shape.racks() : machine;
  }

  /** A machine of another rack: machines are numbered across the racks, one of each in turn. */
  private int outside(int rack, long key) {
    int others = shape.racks() - 1;
    int rank = Draws.index(key, shape.machines() - shape.machinesIn(rack));
    int place = rank % others;
    return rank / others * shape.racks() + (place < rack ? place : place + 1);
  }

  /** A machine but those chosen. */
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
