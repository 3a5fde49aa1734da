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
  private final int[] machinesGivenBack;
  private int count;
  private int closed;
  private long drawn;
  private long givenBack;

  Slots(ClusterShape shape, long seed) {
    this.shape = shape;
    this.seed = seed;
    int slots = shape.slots();
    free = new int[slots];
    placeInFree = new int[slots];
    placeInRack = new int[slots];
    machinesGivenBack = new int[shape.machines()];
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

  /** A free slot of a machine, always the same while none comes or goes; -1 if there is none. */
  int on(int machine) {
    int first = machine * shape.slotsPerMachine();
    for (int slot = first; slot < first + shape.slotsPerMachine(); slot++) {
      if (placeInFree[slot] >= 0) {
        return slot;
      }
    }
    return -1;
  }

  /** A place in the list of free slots, by chance; there must be one. */
  int anyPlace() {
    return draw(count);
  }

  /** The free slot at a place of that list. */
  int at(int place) {
    return free[place];
  }

  /** How many slots have been given back since the beginning. */
  long givenBack() {
    return givenBack;
  }

  /** Of so many of the slots that were given back last it is known where they are. */
  int remembered() {
    return machinesGivenBack.length;
  }

  /** The machine of a slot that was given back, by number; it must still be remembered. */
  int machineGivenBack(long number) {
    return machinesGivenBack[(int) (number % machinesGivenBack.length)];
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
    machinesGivenBack[(int) (givenBack++ % machinesGivenBack.length)] = shape.machineOf(slot);
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
