// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.attempts.HadoopAttempts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * Decides on which nodes an attempt must not run: where another living attempt of its task has a
 * container, from where the task was moved away, and, unless it is the task's first, where it is
 * likely to be slow ({@link BadPlaces}). This holds for a while: when its patience ends, an attempt
 * takes any node.
 *
 * <p>Sources: Mantri section 5.5 includes the candidate machine in t_new. A copy on the same
 * machine as the attempt that it should overtake is slowed by the same cause. Dolly section 3.1
 * gives clones the machines that are least likely to make outliers.
 */
public final class CopyAntiAffinity {
  private final Set<TaskAttemptId> fled = ConcurrentHashMap.newKeySet();
  private final Map<TaskId, Set<String>> fledBefore = new ConcurrentHashMap<>();
  private final BiPredicate<TaskAttempt, String> bad;
  private final Duration patience;

  /**
   * Creates the rule.
   *
   * @param bad tells on which hosts a second attempt is likely to be slow
   * @param patience how long an attempt waits for another node; with zero it takes any node at once
   */
  CopyAntiAffinity(BiPredicate<TaskAttempt, String> bad, Duration patience) {
    this.bad = bad;
    this.patience = patience;
  }

  /** Notes that an attempt is about to be killed so that its task can run elsewhere. */
  void flees(TaskAttemptId attempt) {
    fled.add(attempt);
  }

  /** Returns whether an attempt was to be killed so that its task could run elsewhere. */
  boolean fled(TaskAttemptId attempt) {
    return fled.contains(attempt);
  }

  /** Notes that an earlier AppMaster killed an attempt of the task on a host for that reason. */
  void fledBefore(TaskId task, String host) {
    fledBefore.computeIfAbsent(task, id -> ConcurrentHashMap.newKeySet()).add(host);
  }

  /**
   * Returns whether an attempt keeps away from a host.
   *
   * @param task the attempt's task
   * @param given returns the host of an attempt's container, if it has one
   */
  public boolean avoids(
      Task task,
      TaskAttemptId attempt,
      String host,
      Function<TaskAttemptId, Optional<String>> given) {
    boolean isCopy =
        task.getAttempts().keySet().stream().anyMatch(other -> isBefore(other, attempt));
    return (isCopy && bad.test(task.getAttempt(attempt), host))
        || hosts(task, attempt, given).contains(host);
  }

  /**
   * Returns the hosts that an attempt avoids because its task runs there or has been moved away.
   *
   * @param task the attempt's task
   * @param given returns the host of an attempt's container, if it has one
   */
  public Set<String> hosts(
      Task task, TaskAttemptId attempt, Function<TaskAttemptId, Optional<String>> given) {
    Set<String> hosts = new HashSet<>(fledBefore.getOrDefault(task.getID(), Set.of()));
    task.getAttempts().values().stream()
        .filter(other -> !other.getID().equals(attempt))
        .filter(other -> HadoopAttempts.isLiving(other) || fled.contains(other.getID()))
        .forEach(other -> host(other, given).ifPresent(hosts::add));
    return hosts;
  }

  /**
   * Decides which second attempt has a claim to a container, and whether it takes or refuses it.
   * Returns empty if none has a claim.
   *
   * <p>An attempt that may run there comes first. Hadoop would give it a container only after all
   * waiting tasks, when that is no longer of use. Mantri decides about a copy or a restart when a
   * slot is free (section 5.1, pseudocode 1), so that the slot is used for it; while tasks wait, it
   * does so only if that is likely to save slot time.
   *
   * @param fitting second attempts that the container fits, those that come first have the first
   *     claim
   * @param avoids tells whether an attempt keeps away from the container's host
   * @param mayRun tells whether the job's limits let an attempt run now
   */
  public static Optional<Claim> claim(
      Collection<TaskAttemptId> fitting,
      Predicate<TaskAttemptId> avoids,
      Predicate<TaskAttemptId> mayRun) {
    Optional<TaskAttemptId> willing =
        fitting.stream().filter(avoids.negate()).filter(mayRun).findFirst();
    return willing
        .map(id -> new Claim(id, true))
        .or(
            () ->
                fitting.stream()
                    .filter(avoids)
                    .findFirst()
                    .filter(mayRun)
                    .map(id -> new Claim(id, false)));
  }

  /** An attempt and whether it takes the container; if not, it waits for another. */
  public record Claim(TaskAttemptId attempt, boolean isTaken) {}

  private static boolean isBefore(TaskAttemptId one, TaskAttemptId other) {
    return one.getId() < other.getId();
  }

  private static Optional<String> host(
      TaskAttempt attempt, Function<TaskAttemptId, Optional<String>> given) {
    return given.apply(attempt.getID()).or(() -> HadoopAttempts.host(attempt));
  }

  /** Returns how long an attempt waits for another node; with zero it takes any node at once. */
  public Duration patience() {
    return patience;
  }
}
