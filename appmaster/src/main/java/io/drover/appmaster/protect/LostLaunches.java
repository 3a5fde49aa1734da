// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.HadoopAttempts;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttemptStateInternal;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;

/**
 * Ends attempts whose containers are being launched on hosts of which nothing is heard, so that
 * their tasks start elsewhere.
 *
 * <p><b>What stock Hadoop does.</b> The launcher waits for the host, three minutes by default
 * ({@code yarn.client.nodemanager-connect.max-wait-ms}). Until then, the attempt can neither start
 * nor fail. If it is killed meanwhile, its end waits for the same launcher, and its task for its
 * end.
 *
 * <p><b>What is done here.</b> Such an attempt is killed, and its container counts as cleaned up at
 * once, as it does in Hadoop when the launcher gives up. The launcher is told as well: should the
 * host answer after all, it stops what it has launched. Until then, that attempt cannot commit,
 * because the AppMaster does not know it as running. An attempt that has been launched is left
 * alone. So are the tasks of which the job's settings allow no second attempts, because the first
 * one may run unheard.
 *
 * <p>Used on the dispatcher thread.
 */
public final class LostLaunches {
  private final Supplier<Job> job;
  private final Supplier<Set<String>> deadHosts;
  private final boolean ofMaps;
  private final boolean ofReduces;

  /**
   * Creates what ends attempts of one job.
   *
   * @param deadHosts returns the hosts of which nothing is heard
   */
  LostLaunches(Configuration conf, Supplier<Job> job, Supplier<Set<String>> deadHosts) {
    this.job = job;
    this.deadHosts = deadHosts;
    this.ofMaps = conf.getBoolean(MRJobConfig.MAP_SPECULATIVE, true);
    this.ofReduces = conf.getBoolean(MRJobConfig.REDUCE_SPECULATIVE, true);
  }

  /** Ends all attempts that are being launched on dead hosts. */
  void end() {
    Set<String> dead = deadHosts.get();
    if (dead.isEmpty()) {
      return;
    }
    for (Task task : job.get().getTasks().values()) {
      if (isOpen(task) && mayRunTwice(task)) {
        task.getAttempts().values().stream()
            .filter(attempt -> isBeingLaunched(attempt) && HadoopAttempts.isOn(attempt, dead))
            .forEach(
                attempt ->
                    HadoopAttempts.kill(
                        attempt, "Drover: its host does not answer, and it was not launched"));
      }
    }
  }

  private static boolean isOpen(Task task) {
    return task.getState() == TaskState.SCHEDULED || task.getState() == TaskState.RUNNING;
  }

  private boolean mayRunTwice(Task task) {
    return task.getType() == TaskType.MAP ? ofMaps : ofReduces;
  }

  private static boolean isBeingLaunched(TaskAttempt attempt) {
    return HadoopAttempts.state(attempt) == TaskAttemptStateInternal.ASSIGNED;
  }

  /**
   * Returns whether a container counts as cleaned up though its host has not said so: it was not
   * launched as far as the AppMaster knows, and nothing is heard of the host.
   *
   * @param event what the launcher is told
   */
  public boolean isLost(ContainerLauncherEvent event) {
    if (event.getType() != ContainerLauncher.EventType.CONTAINER_REMOTE_CLEANUP) {
      return false;
    }
    Task task = job.get().getTask(event.getTaskAttemptID().getTaskId());
    TaskAttempt attempt = task.getAttempt(event.getTaskAttemptID());
    return attempt.getLaunchTime() == 0
        && mayRunTwice(task)
        && HadoopAttempts.isOn(attempt, deadHosts.get());
  }
}
