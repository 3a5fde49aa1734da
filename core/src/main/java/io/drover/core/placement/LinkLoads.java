// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;

/** A placement under construction: who is where, and what each link has to carry. */
final class LinkLoads {
  /** The rack of a reduce that has not been placed yet. */
  static final int NOWHERE = -1;

  private final PlacementProblem problem;
  private final int[] rackOf;
  private final int[] place;
  private final int[][] members;
  private final int[] taken;
  private final double[] sent;
  private final double[] received;

  /** Nobody is placed, and every rack has to send all that is read from it. */
  LinkLoads(PlacementProblem problem) {
    this.problem = problem;
    rackOf = new int[problem.reduces()];
    Arrays.fill(rackOf, NOWHERE);
    place = new int[problem.reduces()];
    members = new int[problem.racks()][4];
    taken = new int[problem.racks()];
    sent = new double[problem.racks()];
    received = new double[problem.racks()];
    for (int r = 0; r < problem.racks(); r++) {
      sent[r] = problem.output(r);
    }
  }

  int rackOf(int reduce) {
    return rackOf[reduce];
  }

  int[] racks() {
    return rackOf.clone();
  }

  /** How many reduces are in a rack. */
  int count(int rack) {
    return taken[rack];
  }

  /** The reduces in a rack, by numbers below its count, in no particular order. */
  int member(int rack, int i) {
    return members[rack][i];
  }

  boolean hasRoom(int rack) {
    return taken[rack] < problem.slots(rack);
  }

  void put(int reduce, int rack) {
    if (taken[rack] == members[rack].length) {
      members[rack] = Arrays.copyOf(members[rack], 2 * taken[rack]);
    }
    members[rack][taken[rack]] = reduce;
    place[reduce] = taken[rack]++;
    rackOf[reduce] = rack;
    sent[rack] -= problem.input(reduce, rack);
    received[rack] += problem.remote(reduce, rack);
  }

  void take(int reduce) {
    int rack = rackOf[reduce];
    int last = members[rack][--taken[rack]];
    members[rack][place[reduce]] = last;
    place[last] = place[reduce];
    rackOf[reduce] = NOWHERE;
    sent[rack] += problem.input(reduce, rack);
    received[rack] -= problem.remote(reduce, rack);
  }

  void move(int reduce, int to) {
    take(reduce);
    put(reduce, to);
  }

  void swap(int one, int other) {
    int rack = rackOf[one];
    move(one, rackOf[other]);
    move(other, rack);
  }

  /** Takes over another placement of the same problem; the loads are added up anew. */
  void become(int[] racks) {
    Arrays.fill(taken, 0);
    Arrays.fill(received, 0);
    for (int r = 0; r < sent.length; r++) {
      sent[r] = problem.output(r);
    }
    for (int j = 0; j < racks.length; j++) {
      put(j, racks[j]);
    }
  }

  /** Goes back to a placement that differs in few reduces; takes time for those. */
  void goBackTo(int[] racks) {
    for (int j = 0; j < racks.length; j++) {
      if (rackOf[j] != racks[j]) {
        move(j, racks[j]);
      }
    }
  }

  double upSeconds(int rack) {
    return sent[rack] * problem.secondsPerByteUp(rack);
  }

  double downSeconds(int rack) {
    return received[rack] * problem.secondsPerByteDown(rack);
  }

  double seconds(int rack) {
    return Math.max(upSeconds(rack), downSeconds(rack));
  }

  /** What the busiest link needs. */
  double seconds() {
    double most = 0;
    for (int r = 0; r < sent.length; r++) {
      most = Math.max(most, seconds(r));
    }
    return most;
  }

  /** The rack of the busiest link. */
  int busiest() {
    int busiest = 0;
    for (int r = 1; r < sent.length; r++) {
      busiest = seconds(r) > seconds(busiest) ? r : busiest;
    }
    return busiest;
  }

  /**
   * What the busiest of the links of both racks would need after a move. Where those of one rack
   * need more than a limit, the other rack is not looked at.
   */
  double secondsAfterMove(int reduce, int to, double limit) {
    int from = rackOf[reduce];
    double there = seconds(to, -problem.input(reduce, to), problem.remote(reduce, to));
    return there > limit
        ? there
        : Math.max(
            there, seconds(from, problem.input(reduce, from), -problem.remote(reduce, from)));
  }

  /** What the busiest of the links of both racks would need after a swap; limited likewise. */
  double secondsAfterSwap(int one, int other, double limit) {
    double there = secondsAfterTrade(rackOf[one], one, other);
    return there > limit ? there : Math.max(there, secondsAfterTrade(rackOf[other], other, one));
  }

  private double secondsAfterTrade(int rack, int leaves, int comes) {
    return seconds(
        rack,
        problem.input(leaves, rack) - problem.input(comes, rack),
        problem.remote(comes, rack) - problem.remote(leaves, rack));
  }

  private double seconds(int rack, double moreSent, double moreReceived) {
    return Math.max(
        (sent[rack] + moreSent) * problem.secondsPerByteUp(rack),
        (received[rack] + moreReceived) * problem.secondsPerByteDown(rack));
  }

  /** What is read from other racks, bytes. */
  double crossRackBytes() {
    double sum = 0;
    for (int j = 0; j < rackOf.length; j++) {
      sum += problem.remote(j, rackOf[j]);
    }
    return sum;
  }
}
