// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.yarn.event.EventHandler;

/** Leaves each task of a job one attempt, when its tasks have shown that they cannot bear two. */
final class ExtraAttempts {
  private ExtraAttempts() {}

  /**
   * Kills all living attempts of each task but the one that was made first; on the dispatcher
   * thread, on which nothing changes in between. A task that is committing is left alone. No killed
   * attempt is replaced, since another one lives.
   *
   * @param provisional tells which attempts are clones that have no container yet: they are
   *     withdrawn by others, and no task relies on them
   * @return how many were killed
   */
  static int end(Job job, Predicate<TaskAttemptId> provisional, String why) {
    int killed = 0;
    for (Task task : job.getTasks().values()) {
      if (task.getAttempts().size() > 1 && !task.isFinished()) {
        killed += end(task, provisional, why);
      }
    }
    return killed;
  }

  private static int end(Task task, Predicate<TaskAttemptId> provisional, String why) {
    Collection<TaskAttempt> attempts = task.getAttempts().values();
    if (attempts.stream().anyMatch(attempt -> task.canCommit(attempt.getID()))) {
      return 0;
    }
    Optional<TaskAttempt> kept = Optional.empty();
    int killed = 0;
    for (TaskAttempt attempt : attempts) {
      boolean counts = CopiesApart.isLiving(attempt) && !provisional.test(attempt.getID());
      if (counts && kept.isEmpty()) {
        kept = Optional.of(attempt);
      } else if (counts) {
        kill(attempt, why);
        killed++;
      }
    }
    return killed;
  }

  @SuppressWarnings("unchecked") // TaskAttemptImpl is an EventHandler<TaskAttemptEvent>
  private static void kill(TaskAttempt attempt, String why) {
    ((EventHandler<TaskAttemptEvent>) attempt)
        .handle(new TaskAttemptKillEvent(attempt.getID(), "Drover: " + why));
  }
}
