// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.speculator.ContainerHand;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * On which nodes an attempt is not to run: where another living attempt of its task has a
 * container, and from where the task was moved away. For a while only: after its patience an
 * attempt takes what it gets.
 *
 * <p>Source: Mantri section 5.5 has the candidate machine in t_new; a copy beside the attempt that
 * it is to overtake shares what makes that one slow.
 */
public final class CopiesApart implements ContainerHand {
  private final Set<TaskAttemptId> fled = ConcurrentHashMap.newKeySet();
  private final Map<TaskId, Set<String>> fledBefore = new ConcurrentHashMap<>();
  private final Duration patience;

  /**
   * The rule with a given patience.
   *
   * @param patience how long an attempt waits for another node; zero takes any at once
   */
  public CopiesApart(Duration patience) {
    this.patience = patience;
  }

  @Override
  public void flees(TaskAttemptId attempt) {
    fled.add(attempt);
  }

  @Override
  public void fledBefore(TaskId task, String host) {
    fledBefore.computeIfAbsent(task, id -> ConcurrentHashMap.newKeySet()).add(host);
  }

  /**
   * The hosts that an attempt is not to run on.
   *
   * @param task its task
   * @param given the host of the container that an attempt has been given, if it has been
   */
  public Set<String> avoided(
      Task task, TaskAttemptId attempt, Function<TaskAttemptId, Optional<String>> given) {
    Set<String> hosts = new HashSet<>(fledBefore.getOrDefault(task.getID(), Set.of()));
    for (TaskAttempt other : task.getAttempts().values()) {
      boolean counts = isLiving(other) || fled.contains(other.getID());
      if (counts && !other.getID().equals(attempt)) {
        Optional<String> host = given.apply(other.getID());
        host.or(() -> Optional.ofNullable(other.getNodeId()).map(node -> node.getHost()))
            .ifPresent(hosts::add);
      }
    }
    return hosts;
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
