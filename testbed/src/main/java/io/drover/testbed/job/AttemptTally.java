// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.AttemptRecord.Outcome;
import io.drover.testbed.job.AttemptRecord.Role;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a run cost, counted over its attempts.
 *
 * @param taskTime the sum of all attempts' lifetimes
 * @param wastedTime that part of it spent in attempts whose output was not used
 * @param copies attempts started while an earlier one of their task was running
 * @param copiesWon copies whose output was used
 * @param copiesLost copies whose output was not used
 * @param restarts attempts started after all earlier ones of their task had ended
 * @param failed attempts that count as failed in Hadoop's books
 */
public record AttemptTally(
    Duration taskTime,
    Duration wastedTime,
    int copies,
    int copiesWon,
    int copiesLost,
    int restarts,
    int failed) {

  /** Counts. */
  static AttemptTally of(List<AttemptRecord> attempts) {
    return new AttemptTally(
        time(attempts, attempt -> true),
        time(attempts, attempt -> !attempt.won()),
        count(attempts, a -> a.role() == Role.COPY),
        count(attempts, a -> a.role() == Role.COPY && a.won()),
        count(attempts, a -> a.role() == Role.COPY && !a.won()),
        count(attempts, a -> a.role() == Role.RETRY),
        count(attempts, a -> a.outcome() == Outcome.FAILED));
  }

  private static int count(List<AttemptRecord> attempts, Predicate<AttemptRecord> which) {
    return (int) attempts.stream().filter(which).count();
  }

  private static Duration time(List<AttemptRecord> attempts, Predicate<AttemptRecord> which) {
    return attempts.stream()
        .filter(which)
        .map(AttemptRecord::duration)
        .reduce(Duration.ZERO, Duration::plus);
  }
}
