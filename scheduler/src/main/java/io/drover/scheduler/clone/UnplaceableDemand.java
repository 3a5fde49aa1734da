// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Finds requests of one partition that wait for something other than room: a certain host, a
 * constraint, or a node that is large enough. Such a request has waited for many rounds, unchanged
 * and with no clone in its way. If it kept clones out, one strange request would do so for ever.
 */
final class UnplaceableDemand {
  private record Ask(ApplicationAttemptId attempt, SchedulerRequestKey key, int count) {}

  private final long patience;
  private Map<Ask, Long> rounds = new HashMap<>();

  /**
   * Creates an instance that has seen no demand.
   *
   * @param patience in rounds
   */
  UnplaceableDemand(long patience) {
    this.patience = patience;
  }

  /**
   * Takes in one more round.
   *
   * @param waiting all demand that waits
   * @param hindered the demand in whose way there were clones
   * @return whether all of it is unplaceable; true if there is none
   */
  boolean coverAll(List<PendingDemand> waiting, Set<PendingDemand> hindered) {
    Map<Ask, Long> now = new HashMap<>();
    boolean all = true;
    for (PendingDemand one : waiting) {
      Ask ask = new Ask(one.attempt(), one.key(), one.count());
      long waited = hindered.contains(one) ? 0 : rounds.getOrDefault(ask, 0L) + 1;
      now.put(ask, waited);
      all &= waited > patience;
    }
    rounds = now;
    return all;
  }
}
