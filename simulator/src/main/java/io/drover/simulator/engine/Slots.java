// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.Chance;
import io.drover.simulator.world.ClusterShape;

/**
 * Tracks the free slots of a simulated cluster. An attempt without a preference gets a random one,
 * as a scheduler gives out the slots that the next heartbeat offers.
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

  /** Returns the number of free slots. */
  int count() {
    return count;
  }

  /** Returns the number of free slots in a rack. */
  int count(int rack) {
    return countIn[rack];
  }

  /** Returns a random free slot without taking it. There must be one. */
  int any() {
    return free[draw(count)];
  }

  /** Returns a random free slot of a rack without taking it. There must be one. */
  int anyIn(int rack) {
    return freeIn[rack][draw(countIn[rack])];
  }

  private int draw(int bound) {
    return (int) (Chance.uniform(Chance.mix(seed, drawn++)) * bound);
  }

  /** Returns the first free slot of a machine; -1 if it has none. */
  int on(int machine) {
    int first = machine * shape.slotsPerMachine();
    for (int slot = first; slot < first + shape.slotsPerMachine(); slot++) {
      if (placeInFree[slot] >= 0) {
        return slot;
      }
    }
    return -1;
  }

  /** Returns a random position in the list of free slots, which must not be empty. */
  int anyPlace() {
    return draw(count);
  }

  /** Returns the free slot at a position in that list. */
  int at(int place) {
    return free[place];
  }

  /** Returns how many slots have been given back so far, counting all slots at the start. */
  long givenBack() {
    return givenBack;
  }

  /** Returns how many of the slots that were given back last are remembered. */
  int remembered() {
    return machinesGivenBack.length;
  }

  /** Returns the machine of the slot given back with this number, which must be remembered. */
  int machineGivenBack(long number) {
    return machinesGivenBack[(int) (number % machinesGivenBack.length)];
  }

  /** Takes a free slot. */
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

  /** Gives a slot back, so that it is free again. */
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

  /** Closes a free slot because its machine is down. It cannot be used until it is opened. */
  void close(int slot) {
    take(slot);
    closed++;
  }

  /** Opens a closed slot, so that it is free. */
  void open(int slot) {
    giveBack(slot);
    closed--;
  }

  /** Returns the number of closed slots. */
  int closed() {
    return closed;
  }

  private int rack(int slot) {
    return shape.rackOf(shape.machineOf(slot));
  }
}
