// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.ClusterShape;
import java.util.Optional;

/**
 * All that one reduce fetches, round by round: each round fetches what has been put out since the
 * one before. After a barrier there is one; with slow start there are more, but none for less than
 * {@link FetchState#LEAST_ROUND} of the input, unless it is the last.
 */
final class Shuffle {
  /** What sums of shares may be off by. */
  private static final double ROUNDING = 1e-6;

  private final AttemptRun attempt;
  private final ClusterShape shape;
  private final RackLinks links;
  private final EventQueue queue;
  private final FetchState intake;
  private double fetched;
  private double round;
  private Transfer transfer;

  Shuffle(AttemptRun attempt, ClusterShape shape, RackLinks links, EventQueue queue) {
    this.attempt = attempt;
    this.shape = shape;
    this.links = links;
    this.queue = queue;
    this.intake = attempt.phase().source().newIntake(attempt);
  }

  /** Begins a round, if none goes on and there is enough to fetch. */
  void more(double now) {
    if (transfer != null) {
      return;
    }
    Optional<double[]> share = intake.next(now);
    attempt.phase().waitsForInput(attempt, share.isEmpty());
    share.ifPresent(shares -> begin(shares, now));
  }

  private void begin(double[] share, double now) {
    round = 0;
    for (double part : share) {
      round += part;
    }
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
    if (intake.isComplete()) {
      checkAllHasCome();
      attempt.fetched(now);
    } else {
      more(now);
    }
  }

  private void checkAllHasCome() {
    if (Math.abs(fetched - 1) > ROUNDING) {
      throw new IllegalStateException(
          "an attempt of " + attempt.phase() + " goes to work with " + fetched + " of its input");
    }
  }

  /** The share that has arrived, in [0,1]. */
  double fraction(double now) {
    double ofRound = transfer == null ? 0 : round * transfer.fraction(now);
    return Math.min(1, fetched + ofRound);
  }

  /** The attempt has ended before its shuffle. */
  void giveUp(double now) {
    attempt.phase().waitsForInput(attempt, false);
    if (transfer != null) {
      transfer.giveUp(now);
    }
  }
}
