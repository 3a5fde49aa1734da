// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.Locale;

/**
 * Describes the machines of a simulated cluster. Machine {@code m} is in rack {@code m % racks},
 * and its first slot is {@code m * slotsPerMachine}.
 *
 * @param machines at least 1
 * @param slotsPerMachine number of attempts that a machine runs at once, at least 1
 * @param racks from 1 to {@code machines}
 * @param nicBytesPerSecond network bandwidth with which each attempt reads on its machine, above 0
 * @param oversubscription total bandwidth of the network cards in a rack, divided by the bandwidth
 *     of the rack's link to the other racks, at least 1
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

  /** Chosen: 3:1 to 5:1 is usual today. Mantri section 5.2 and the coflow trace have 10:1. */
  public static final double USUAL_OVERSUBSCRIPTION = 5;

  /** Checks the ranges above. */
  public ClusterShape {
    if (machines < 1 || slotsPerMachine < 1 || (long) machines * slotsPerMachine > 50_000_000) {
      throw new IllegalArgumentException(
          "machines and slots must be at least 1, and at most 50 million slots in all, not "
              + machines
              + " x "
              + slotsPerMachine);
    }
    if (racks < 1 || racks > machines) {
      throw new IllegalArgumentException(
          "racks must lie between 1 and the number of machines, " + machines + ", not " + racks);
    }
    if (!(nicBytesPerSecond > 0 && oversubscription >= 1)) {
      throw new IllegalArgumentException(
          "nicBytesPerSecond must be above 0 and oversubscription at least 1, were "
              + nicBytesPerSecond
              + " and "
              + oversubscription);
    }
  }

  /** Returns a cluster with the usual network cards and oversubscription. */
  public static ClusterShape of(int machines, int slotsPerMachine, int racks) {
    return new ClusterShape(machines, slotsPerMachine, racks, GIGABIT, USUAL_OVERSUBSCRIPTION);
  }

  /** Returns a cluster with the usual number of racks: one for 40 machines (Mantri section 6.1). */
  public static ClusterShape of(int machines, int slotsPerMachine) {
    return of(machines, slotsPerMachine, (machines + MACHINES_OF_A_RACK - 1) / MACHINES_OF_A_RACK);
  }

  /** Returns this cluster with another oversubscription. */
  public ClusterShape oversubscribed(double times) {
    return new ClusterShape(machines, slotsPerMachine, racks, nicBytesPerSecond, times);
  }

  /** Returns the number of slots on all machines. */
  public int slots() {
    return machines * slotsPerMachine;
  }

  /** Returns the machine of a slot. */
  public int machineOf(int slot) {
    return slot / slotsPerMachine;
  }

  /** Returns the rack of a machine. */
  public int rackOf(int machine) {
    return machine % racks;
  }

  /** Returns the number of machines in a rack. */
  public int machinesIn(int rack) {
    return (machines - rack + racks - 1) / racks;
  }

  /** Returns what a rack's link to the others carries in each direction, bytes per second. */
  public double linkBytesPerSecond(int rack) {
    return machinesIn(rack) * nicBytesPerSecond / oversubscription;
  }

  /** Returns a sentence for reports that says what about the cluster is modelled. */
  public String provenance() {
    return String.format(
        Locale.ROOT,
        "Cluster: modelled; %d machines of %d slots in %d racks.",
        machines,
        slotsPerMachine,
        racks);
  }
}
