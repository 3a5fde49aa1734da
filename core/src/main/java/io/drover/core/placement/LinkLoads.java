// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;

/** A placement under construction: the rack of each reduce, and the load of each link. */
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

  /** Creates loads without any placed reduce: every rack sends all data that is read from it. */
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

  /** Returns the number of reduces in a rack. */
  int count(int rack) {
    return taken[rack];
  }

  /** Returns the i-th reduce in a rack, with i below the rack's count, in no particular order. */
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

  /** Takes over another placement of the same problem, and sums up the loads anew. */
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

  /** Restores a placement that differs in few reduces; only those take time. */
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

  /** Returns the time of the busiest link. */
  double seconds() {
    double most = 0;
    for (int r = 0; r < sent.length; r++) {
      most = Math.max(most, seconds(r));
    }
    return most;
  }

  /** Returns the rack of the busiest link. */
  int busiest() {
    int busiest = 0;
    for (int r = 1; r < sent.length; r++) {
      busiest = seconds(r) > seconds(busiest) ? r : busiest;
    }
    return busiest;
  }

  /**
   * Returns the time of the busiest link of both racks after a move. If the links of the new rack
   * exceed the limit, the other rack is not computed.
   */
  double secondsAfterMove(int reduce, int to, double limit) {
    int from = rackOf[reduce];
    double there = seconds(to, -problem.input(reduce, to), problem.remote(reduce, to));
    return there > limit
        ? there
        : Math.max(
            there, seconds(from, problem.input(reduce, from), -problem.remote(reduce, from)));
  }

  /** Returns the time of the busiest link of both racks after a swap, with the same shortcut. */
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

  /** Returns the bytes that are read from other racks. */
  double crossRackBytes() {
    double sum = 0;
    for (int j = 0; j < rackOf.length; j++) {
      sum += problem.remote(j, rackOf[j]);
    }
    return sum;
  }
}
