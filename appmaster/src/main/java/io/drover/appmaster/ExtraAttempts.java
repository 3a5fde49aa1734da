// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * Ends second attempts that have not begun to work, when the tasks of a job have shown that they
 * cannot bear two.
 *
 * <p>Those that work are left alone. Nobody knows which of two attempts holds what they contend
 * for. If it is a file that must not exist, the attempt that made it is the only one that can ever
 * succeed: every later one finds the file. On a real cluster, a task whose clone had been first was
 * failed four times by ending that clone. Left alone, the one that is too late fails by itself,
 * which is excused, and the other one goes on.
 */
final class ExtraAttempts {
  private ExtraAttempts() {}

  /**
   * Kills the attempts that have not been launched, of each task that has one at work; on the
   * dispatcher thread, on which nothing changes in between. No killed attempt is replaced, since
   * another one lives.
   *
   * @return how many were killed
   */
  static int end(Job job, String why) {
    int killed = 0;
    for (Task task : job.getTasks().values()) {
      Collection<TaskAttempt> attempts = task.getAttempts().values();
      boolean works = attempts.stream().anyMatch(a -> a.getState() == TaskAttemptState.RUNNING);
      for (TaskAttempt attempt : works ? attempts : List.<TaskAttempt>of()) {
        if (hasNotBegun(attempt)) {
          kill(attempt, why);
          killed++;
        }
      }
    }
    return killed;
  }

  private static boolean hasNotBegun(TaskAttempt attempt) {
    TaskAttemptState state = attempt.getState();
    return state == TaskAttemptState.NEW || state == TaskAttemptState.STARTING;
  }

  @SuppressWarnings("unchecked") // TaskAttemptImpl is an EventHandler<TaskAttemptEvent>
  private static void kill(TaskAttempt attempt, String why) {
    ((EventHandler<TaskAttemptEvent>) attempt)
        .handle(new TaskAttemptKillEvent(attempt.getID(), "Drover: " + why));
  }
}
