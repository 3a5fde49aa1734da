// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.Locale;

/**
 * The machines of a simulated cluster. Machine {@code m} stands in rack {@code m % racks}, and its
 * slots are {@code m * slotsPerMachine} and those after it.
 *
 * @param machines at least 1
 * @param slotsPerMachine attempts that a machine runs at once, at least 1
 * @param racks from 1 to {@code machines}
 * @param nicBytesPerSecond what a machine can read from the network for one attempt, above 0
 * @param oversubscription by how much the network cards of a rack's machines outdo the rack's link
 *     to the others, at least 1
 */
public record ClusterShape(
    int machines,
    int slotsPerMachine,
    int racks,
    double nicBytesPerSecond,
    double oversubscription) {

  /** 1 Gb/s. */
  public static final double GIGABIT = 125e6;

  private static final int MACHINES_OF_A_RACK = 40;

  /** Mantri section 5.2 and the coflow trace speak of 10:1; today's are 3:1 to 5:1. */
  public static final double USUAL_OVERSUBSCRIPTION = 5;

  /** Checks the ranges above. */
  public ClusterShape {
    if (machines < 1 || slotsPerMachine < 1 || (long) machines * slotsPerMachine > 50_000_000) {
      throw new IllegalArgumentException(
          "machines and slots must be at least 1 and 50 million slots in all at most, not "
              + machines
              + " x "
              + slotsPerMachine);
    }
    if (racks < 1 || racks > machines) {
      throw new IllegalArgumentException(
          "racks must lie between 1 and the machines, " + machines + ", not " + racks);
    }
    if (!(nicBytesPerSecond > 0 && oversubscription >= 1)) {
      throw new IllegalArgumentException(
          "a network card of "
              + nicBytesPerSecond
              + " bytes/s, oversubscription "
              + oversubscription);
    }
  }

  /** A cluster with network cards and oversubscription as usual. */
  public static ClusterShape of(int machines, int slotsPerMachine, int racks) {
    return new ClusterShape(machines, slotsPerMachine, racks, GIGABIT, USUAL_OVERSUBSCRIPTION);
  }

  /** The same with as many racks as usual: about 40 servers in each (Mantri section 6.1). */
  public static ClusterShape of(int machines, int slotsPerMachine) {
    return of(machines, slotsPerMachine, (machines + MACHINES_OF_A_RACK - 1) / MACHINES_OF_A_RACK);
  }

  /** The same with other links between racks. */
  public ClusterShape oversubscribed(double times) {
    return new ClusterShape(machines, slotsPerMachine, racks, nicBytesPerSecond, times);
  }

  /** Slots of all machines. */
  public int slots() {
    return machines * slotsPerMachine;
  }

  /** The machine that a slot is on. */
  public int machineOf(int slot) {
    return slot / slotsPerMachine;
  }

  /** The rack that a machine stands in. */
  public int rackOf(int machine) {
    return machine % racks;
  }

  /** How many machines stand in a rack. */
  public int machinesIn(int rack) {
    return (machines - rack + racks - 1) / racks;
  }

  /** What the link between a rack and the others carries in each direction, bytes per second. */
  public double linkBytesPerSecond(int rack) {
    return machinesIn(rack) * nicBytesPerSecond / oversubscription;
  }

  /** What of it is modelled: a sentence for people. */
  public String provenance() {
    return String.format(
        Locale.ROOT,
        "Cluster: modelled; %d machines of %d slots in %d racks.",
        machines,
        slotsPerMachine,
        racks);
  }
}
