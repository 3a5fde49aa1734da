// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.Chance;
import io.drover.simulator.world.ClusterShape;

/**
 * The slots that are free. Whoever is to get one without a wish gets one by chance, as a scheduler
 * gives out what the next heartbeat offers.
 */
final class Slots {
  private final ClusterShape shape;
  private final int[] free;
  private final int[] placeInFree;
  private final int[][] freeIn;
  private final int[] countIn;
  private final int[] placeInRack;
  private final long seed;
  private int count;
  private int closed;
  private long drawn;

  Slots(ClusterShape shape, long seed) {
    this.shape = shape;
    this.seed = seed;
    int slots = shape.slots();
    free = new int[slots];
    placeInFree = new int[slots];
    placeInRack = new int[slots];
    freeIn = new int[shape.racks()][];
    countIn = new int[shape.racks()];
    for (int r = 0; r < freeIn.length; r++) {
      freeIn[r] = new int[shape.machinesIn(r) * shape.slotsPerMachine()];
    }
    for (int slot = 0; slot < slots; slot++) {
      placeInFree[slot] = -1;
      giveBack(slot);
    }
  }

  /** How many are free. */
  int count() {
    return count;
  }

  /** How many are free in a rack. */
  int count(int rack) {
    return countIn[rack];
  }

  /** A free slot by chance, which stays free; there must be one. */
  int any() {
    return free[draw(count)];
  }

  /** A free slot of a rack by chance, which stays free; there must be one. */
  int anyIn(int rack) {
    return freeIn[rack][draw(countIn[rack])];
  }

  private int draw(int bound) {
    return (int) (Chance.uniform(Chance.mix(seed, drawn++)) * bound);
  }

  /** The slot is no longer free. */
  void take(int slot) {
    int place = placeInFree[slot];
    if (place < 0) {
      throw new IllegalStateException("slot " + slot + " is used twice");
    }
    int last = free[--count];
    free[place] = last;
    placeInFree[last] = place;
    placeInFree[slot] = -1;
    int rack = rack(slot);
    int lastInRack = freeIn[rack][--countIn[rack]];
    freeIn[rack][placeInRack[slot]] = lastInRack;
    placeInRack[lastInRack] = placeInRack[slot];
  }

  /** The slot is free again. */
  void giveBack(int slot) {
    if (placeInFree[slot] >= 0) {
      throw new IllegalStateException("slot " + slot + " is free already");
    }
    placeInFree[slot] = count;
    free[count++] = slot;
    int rack = rack(slot);
    placeInRack[slot] = countIn[rack];
    freeIn[rack][countIn[rack]++] = slot;
  }

  /** A free slot cannot be used until it is opened again: its machine is down. */
  void close(int slot) {
    take(slot);
    closed++;
  }

  /** A closed slot is free. */
  void open(int slot) {
    giveBack(slot);
    closed--;
  }

  /** How many are closed. */
  int closed() {
    return closed;
  }

  private int rack(int slot) {
    return shape.rackOf(shape.machineOf(slot));
  }
}
