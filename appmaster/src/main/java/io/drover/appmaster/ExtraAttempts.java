// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.speculator.DecisionLogSink;
import io.drover.speculator.DroverCounter;
import io.drover.speculator.JobCounters;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends second attempts that have not begun to work, when the tasks of a job have shown that they
 * cannot bear two.
 *
 * <p>Attempts that work are left alone, because it is unknown which of two attempts holds what they
 * contend for. If that is a file that must not exist, the attempt that made it is the only one that
 * can ever succeed, because every later one finds the file. On a real cluster, a task whose clone
 * had been first failed four times because that clone was ended. If both are left alone, the
 * attempt that is too late fails by itself, which is excused, and the other one goes on.
 */
final class ExtraAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(ExtraAttempts.class);

  private final Supplier<AppContext> context;
  private final Supplier<JobId> job;
  private final DecisionLogSink lines;
  private final OutcomeReporter news;

  ExtraAttempts(
      Supplier<AppContext> context,
      Supplier<JobId> job,
      DecisionLogSink lines,
      OutcomeReporter news) {
    this.context = context;
    this.job = job;
    this.lines = lines;
    this.news = news;
  }

  /**
   * Ends second attempts in a job whose tasks cannot bear two, and tells the user.
   *
   * @param seenHere whether this job has shown it, and not an earlier one of its program
   */
  @SuppressWarnings("rawtypes") // Hadoop's event handler takes all events
  void end(String why, boolean seenHere) {
    String message = "Drover starts no more second attempts in this job: " + why;
    LOG.warn(message);
    lines.write("secondAttemptsOver", Map.of("reason", why));
    if (seenHere) {
      news.singleAttempts();
    }
    EventHandler<Event> events = context.get().getEventHandler();
    events.handle(new JobDiagnosticsUpdateEvent(job.get(), message));
    events.handle(new DispatcherTask(() -> endAll(why)));
  }

  private void endAll(String why) {
    try {
      Job of = context.get().getJob(job.get());
      end(of, why);
      JobCounters.add(of, DroverCounter.SECOND_ATTEMPTS_ENDED, 1);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Drover could not end all second attempts", e);
    }
  }

  /**
   * Kills the attempts that have not been launched, for each task with an attempt at work. Runs on
   * the dispatcher thread, so nothing changes in between. A killed attempt is not replaced, because
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
          HadoopAttempts.kill(attempt, "Drover: " + why);
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
}
