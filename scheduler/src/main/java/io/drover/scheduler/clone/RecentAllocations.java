// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes how many containers each request of one partition counts for when the room below the
 * ceiling is distributed: as many as it asks for, until it has shown that Hadoop does not give it
 * as many.
 *
 * <p>Asks are served in the order of their age. One that cannot be met (its user or its queue is at
 * a limit, the host that it insists on is full) would hold all room for as long as it waits, and
 * keep out all younger ones, while nobody uses the room. Why it is not met only Hadoop's scheduler
 * knows, so this goes by what has come of it. Of an ask that counts for w containers, let g be
 * those given since the last change of w:
 *
 * <ul>
 *   <li>all that was handed on has been given: w = max(w, 2 g);
 *   <li>something stayed handed on in {@code patience} rounds: w = g.
 * </ul>
 *
 * <p>A round in which nothing was handed on and nothing given says nothing, and is not counted:
 * ordinary demand that waits takes all asks back for a moment.
 *
 * <p>A round serves each ask up to its w first, the oldest first, and then what is left over of
 * each in the same order. So an ask that is never met goes behind all others after {@code patience}
 * rounds, and one that is met now and then holds no more room than it uses; no room stays idle, as
 * what others leave is handed on to it all the same; and one that could not be met and now can is
 * at its full size after a few doublings. It may be passed over only while younger asks take all
 * the room there is.
 */
final class RecentAllocations {
  /** In this time every node says twice that it lives (1 s each by Hadoop's default). */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Of rounds that are long: those in which a node's heartbeat may just have been missed. */
  private static final long LEAST_ROUNDS = 3;

  private static final class State {
    private int counts = Integer.MAX_VALUE;
    private long givenBefore;
    private long rounds;

    private void begin(long allocated) {
      givenBefore = allocated;
      rounds = 0;
    }
  }

  private final long patience;
  private Map<Long, State> states = new HashMap<>();

  /**
   * Nothing has been handed on.
   *
   * @param patience in rounds
   */
  RecentAllocations(long patience) {
    this.patience = patience;
  }

  /** How many rounds something may stay handed on. */
  static long patience(Duration round) {
    return Math.max(LEAST_ROUNDS, PATIENCE.dividedBy(round));
  }

  /** One more round begins, with these asks; others are over. */
  void retain(List<CloneRequestBook.Ask> asks) {
    Map<Long, State> now = new HashMap<>();
    for (CloneRequestBook.Ask ask : asks) {
      now.put(ask.number(), states.getOrDefault(ask.number(), new State()));
    }
    states = now;
  }

  /**
   * How many containers an ask counts for; asked once a round.
   *
   * @param ungiven how many are still handed on
   */
  int counts(CloneRequestBook.Ask ask, int ungiven) {
    State known = states.get(ask.number());
    int allocated =
        (int) Math.max(0, Math.min(Integer.MAX_VALUE / 2, ask.allocated() - known.givenBefore));
    if (ungiven == 0) {
      if (allocated > 0) {
        known.counts = Math.max(known.counts, 2 * allocated);
        known.begin(ask.allocated());
      }
    } else if (++known.rounds >= patience) {
      known.counts = allocated;
      known.begin(ask.allocated());
    }
    return Math.min(known.counts, ask.count());
  }
}
