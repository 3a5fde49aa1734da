// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes how many containers each request of one partition counts for when the room below the
 * ceiling is distributed: as many as it asks for, until Hadoop has shown that it does not give it
 * as many.
 *
 * <p>Requests are served in the order of their age. One that cannot be met (its user or its queue
 * is at a limit, or the host that it insists on is full) would hold all room for as long as it
 * waits, and keep out all younger ones, while nobody uses the room. Only Hadoop's scheduler knows
 * why it is not met, so this class goes by the result. If a request counts for w containers, and g
 * were given since w was last set:
 *
 * <ul>
 *   <li>everything that was passed on has been given: w = max(w, 2 g);
 *   <li>something stayed passed on in {@code patience} rounds: w = g.
 * </ul>
 *
 * <p>A round in which nothing was passed on and nothing given says nothing, and is not counted:
 * ordinary demand that waits takes all requests back for a moment.
 *
 * <p>A round serves each request up to its w first, the oldest first, and then what is left of each
 * in the same order. So a request that is never met goes behind all others after {@code patience}
 * rounds, and one that is met now and then holds no more room than it uses. No room stays idle,
 * because what others leave is passed on all the same. A request that could not be met and now can
 * is at its full size after a few doublings. It may be passed over only while younger requests take
 * all the room.
 */
final class RecentAllocations {
  /** In this time every node sends two heartbeats (one a second by Hadoop's default). */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The least patience, because in a long round a node's heartbeat may just have been missed. */
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
   * Creates an instance before anything has been passed on.
   *
   * @param patience in rounds
   */
  RecentAllocations(long patience) {
    this.patience = patience;
  }

  /** Returns for how many rounds a request may stay passed on. */
  static long patience(Duration round) {
    return Math.max(LEAST_ROUNDS, PATIENCE.dividedBy(round));
  }

  /** Begins a round with these requests, and forgets all others. */
  void retain(List<CloneRequestBook.Ask> asks) {
    Map<Long, State> now = new HashMap<>();
    for (CloneRequestBook.Ask ask : asks) {
      now.put(ask.number(), states.getOrDefault(ask.number(), new State()));
    }
    states = now;
  }

  /**
   * Returns how many containers a request counts for. Called once a round.
   *
   * @param ungiven how many are still passed on
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
