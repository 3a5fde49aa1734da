// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * Decides on which nodes an attempt must not run: where another living attempt of its task has a
 * container, from where the task was moved away, and, unless it is the task's first, where the
 * cluster has seen outliers. For a while only: after its patience an attempt takes what it gets.
 *
 * <p>Sources: Mantri section 5.5 has the candidate machine in t_new; a copy beside the attempt that
 * it is to overtake shares what makes that one slow. Dolly section 3.1 gives clones the machines
 * that are least likely to make outliers.
 */
public final class CopyAntiAffinity {
  private final Set<TaskAttemptId> fled = ConcurrentHashMap.newKeySet();
  private final Map<TaskId, Set<String>> fledBefore = new ConcurrentHashMap<>();
  private final Predicate<String> slow;
  private final Duration patience;

  /**
   * The rule with a given patience.
   *
   * @param slow tells which hosts are known for outliers
   * @param patience how long an attempt waits for another node; zero takes any at once
   */
  CopyAntiAffinity(Predicate<String> slow, Duration patience) {
    this.slow = slow;
    this.patience = patience;
  }

  /** The attempt is about to be killed so that its task can run somewhere else. */
  void flees(TaskAttemptId attempt) {
    fled.add(attempt);
  }

  /** Whether the attempt was to be killed so that its task could run somewhere else. */
  boolean fled(TaskAttemptId attempt) {
    return fled.contains(attempt);
  }

  /** An earlier AppMaster of the job has killed an attempt of the task there, for that reason. */
  void fledBefore(TaskId task, String host) {
    fledBefore.computeIfAbsent(task, id -> ConcurrentHashMap.newKeySet()).add(host);
  }

  /**
   * Whether an attempt keeps away from a host.
   *
   * @param task its task
   * @param given the host of the container that an attempt has been given, if it has been
   */
  public boolean avoids(
      Task task,
      TaskAttemptId attempt,
      String host,
      Function<TaskAttemptId, Optional<String>> given) {
    boolean isCopy =
        task.getAttempts().keySet().stream().anyMatch(other -> isBefore(other, attempt));
    return (isCopy && slow.test(host)) || hosts(task, attempt, given).contains(host);
  }

  /**
   * The hosts that an attempt keeps away from because of what its task does there, or did.
   *
   * @param task its task
   * @param given the host of the container that an attempt has been given, if it has been
   */
  public Set<String> hosts(
      Task task, TaskAttemptId attempt, Function<TaskAttemptId, Optional<String>> given) {
    Set<String> hosts = new HashSet<>(fledBefore.getOrDefault(task.getID(), Set.of()));
    task.getAttempts().values().stream()
        .filter(other -> !other.getID().equals(attempt))
        .filter(other -> isLiving(other) || fled.contains(other.getID()))
        .forEach(other -> host(other, given).ifPresent(hosts::add));
    return hosts;
  }

  /**
   * Which second attempt has a say about a container, and what it says; empty if none has.
   *
   * <p>One that may run there comes first. Hadoop would give it a container after all tasks that
   * wait, when it is worth nothing any more: Mantri decides about a copy or a restart at the moment
   * when a slot is free (section 5.1, pseudocode 1), so that the slot is used for it, and while
   * tasks wait it does so only where that is likely to save slot time.
   *
   * @param fitting second attempts that the container fits, in the order in which they were made
   * @param avoids whether an attempt keeps away from the container's host
   * @param mayRun whether the job's limits let an attempt run now
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

  /** An attempt takes a container, or would rather have another. */
  public record Claim(TaskAttemptId attempt, boolean isTaken) {}

  private static boolean isBefore(TaskAttemptId one, TaskAttemptId other) {
    return one.getId() < other.getId();
  }

  private static Optional<String> host(
      TaskAttempt attempt, Function<TaskAttemptId, Optional<String>> given) {
    return given
        .apply(attempt.getID())
        .or(() -> Optional.ofNullable(attempt.getNodeId()).map(node -> node.getHost()));
  }

  /** Whether the end of an attempt has not begun: it waits, starts, runs or commits. */
  public static boolean isLiving(TaskAttempt attempt) {
    return switch (attempt.getState()) {
      case NEW, STARTING, RUNNING, COMMIT_PENDING -> true;
      default -> false;
    };
  }

  /** How long an attempt waits for another node; zero takes any at once. */
  public Duration patience() {
    return patience;
  }
}
