// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.ClusterShape;

/**
 * All that one reduce fetches, round by round: each round fetches what has been put out since the
 * one before. After a barrier there is one; with slow start there are more, but none for less than
 * {@link #LEAST_ROUND} of the input, unless it is the last.
 */
final class Shuffle {
  /** Share of the input that is worth a round. */
  private static final double LEAST_ROUND = 0.1;

  private final AttemptRun attempt;
  private final ClusterShape shape;
  private final RackLinks links;
  private final EventQueue queue;
  private final PhaseRun source;
  private final double[] asked;
  private double fetched;
  private double round;
  private Transfer transfer;

  Shuffle(AttemptRun attempt, ClusterShape shape, RackLinks links, EventQueue queue) {
    this.attempt = attempt;
    this.shape = shape;
    this.links = links;
    this.queue = queue;
    this.source = attempt.phase().source();
    this.asked = new double[shape.racks()];
  }

  /** Begins a round, if none goes on and there is enough to fetch. */
  void more(double now) {
    if (transfer != null) {
      return;
    }
    double[] share = new double[asked.length];
    double all = 0;
    for (int rack = 0; rack < share.length; rack++) {
      share[rack] = source.output(rack) - asked[rack];
      all += share[rack];
    }
    if (!source.isDone() && all < LEAST_ROUND) {
      return;
    }
    for (int rack = 0; rack < share.length; rack++) {
      asked[rack] = source.output(rack);
    }
    round = all;
    begin(share, now);
  }

  private void begin(double[] share, double now) {
    int rack = shape.rackOf(attempt.machine());
    double bytes = attempt.task().bytes();
    double cardSeconds = bytes * round / shape.nicBytesPerSecond();
    transfer = new Transfer(this::roundIsOver, links, rack, share, bytes, cardSeconds, now);
    transfer.scheduleCard(queue);
  }

  private void roundIsOver(double now) {
    transfer = null;
    fetched += round;
    round = 0;
    boolean all = true;
    for (int rack = 0; rack < asked.length; rack++) {
      all &= asked[rack] == source.output(rack);
    }
    if (source.isDone() && all) {
      attempt.fetched(now);
    } else {
      more(now);
    }
  }

  /** The share that has arrived, in [0,1]. */
  double fraction(double now) {
    double ofRound = transfer == null ? 0 : round * transfer.fraction(now);
    return Math.min(1, fetched + ofRound);
  }

  /** The attempt has ended before its shuffle. */
  void giveUp(double now) {
    if (transfer != null) {
      transfer.giveUp(now);
    }
  }
}
