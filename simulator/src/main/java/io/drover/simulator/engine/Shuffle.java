// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.ClusterShape;
import java.util.Optional;

/**
 * Fetches the input of one reduce in rounds. Each round fetches the outputs that were made since
 * the previous one. After a barrier there is one round. With slow start there are more, each for at
 * least {@link FetchState#LEAST_ROUND} of the input, except for the last.
 */
final class Shuffle {
  /** The tolerance for rounding in sums of shares. */
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

  /** Begins a round if no round is running and there is enough to fetch. */
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
          "an attempt of "
              + attempt.phase()
              + " starts to work with only "
              + fetched
              + " of its input");
    }
  }

  /** Returns the share of the input that has arrived, in [0,1]. */
  double fraction(double now) {
    double ofRound = transfer == null ? 0 : round * transfer.fraction(now);
    return Math.min(1, fetched + ofRound);
  }

  /** Gives up the shuffle because the attempt has ended. */
  void giveUp(double now) {
    attempt.phase().waitsForInput(attempt, false);
    if (transfer != null) {
      transfer.giveUp(now);
    }
  }
}
