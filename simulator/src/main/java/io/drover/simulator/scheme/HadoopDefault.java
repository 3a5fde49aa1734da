// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.model.RunningMean;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;
import java.util.HashMap;
import java.util.Map;

/**
 * Hadoop 3.5's {@code DefaultSpeculator} with its {@code LegacyTaskRuntimeEstimator}, with their
 * default settings:
 *
 * <pre>
 *   no copy before 5 % of the phase's tasks are done, and none while a task waits for a slot
 *   end of the attempt  = launch + (now - launch) / max(0.0001, score)
 *   end of a copy       = now + mean time of the tasks that are done
 *   a copy for the task with the largest difference of the two, if it is above 0
 *   at most max(10, 1 % of all tasks, 10 % of those that run) tasks with a copy
 *   one copy per scan; the next scan after 1 s, or after 15 s if there was a copy
 * </pre>
 *
 * <p>Source: the classes of Hadoop 3.5.0. They compute a slow-task threshold but never compare it
 * with anything, so it is left out here. Departure: progress is current, not that of the last
 * report. So there are no tasks that have just gone silent, which Hadoop believes to be doing well.
 */
public final class HadoopDefault implements Scheme {
  private static final double LEAST_DONE = 0.05;
  private static final double LEAST_SCORE = 0.0001;
  private static final double SHARE_OF_TASKS = 0.01;
  private static final double SHARE_OF_RUNNING = 0.1;
  private static final int LEAST_ALLOWED = 10;
  private static final double AFTER_NO_COPY = 1;
  private static final double AFTER_A_COPY = 15;

  private final Map<PhaseRun, RunningMean> times = new HashMap<>();

  @Override
  public String name() {
    return "hadoop";
  }

  @Override
  public double firstScan(PhaseRun phase) {
    times.put(phase, new RunningMean());
    return AFTER_NO_COPY;
  }

  @Override
  public void ended(AttemptRun attempt) {
    if (attempt.hasSucceeded()) {
      times.get(attempt.phase()).add(attempt.slotSeconds());
    }
  }

  @Override
  public void ended(JobRun job) {
    job.ended().forEach(times::remove);
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    if (phase.waiting() > 0 || phase.done() < LEAST_DONE * phase.spec().tasks()) {
      return AFTER_NO_COPY;
    }
    double fresh = times.get(phase).orElse(0);
    TaskRun best = null;
    double most = 0;
    int copied = 0;
    for (TaskRun task : phase.running()) {
      if (task.live().size() > 1) {
        copied++;
        continue;
      }
      double saved = remaining(task.live().get(0), actions.now()) - fresh;
      if (saved > most) {
        best = task;
        most = saved;
      }
    }
    if (best == null || copied >= allowed(phase)) {
      return AFTER_NO_COPY;
    }
    actions.copy(best);
    return AFTER_A_COPY;
  }

  private static double remaining(AttemptRun attempt, double now) {
    double whole = (now - attempt.launchedAt()) / Math.max(LEAST_SCORE, attempt.score(now));
    return attempt.launchedAt() + whole - now;
  }

  private static double allowed(PhaseRun phase) {
    double byTasks = Math.max(LEAST_ALLOWED, SHARE_OF_TASKS * phase.spec().tasks());
    return Math.floor(Math.max(byTasks, SHARE_OF_RUNNING * phase.running().size()));
  }
}
