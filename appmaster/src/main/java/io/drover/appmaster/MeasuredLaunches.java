// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.SecondAttempts;
import io.drover.speculator.UserThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;

/**
 * Hadoop's container launcher, which also gives tasks what they need to measure ({@link
 * MeasurementFiles}) once that is ready. No launch waits for it, and a task that is launched before
 * runs as in stock Hadoop.
 *
 * <p>Measuring must not cost a job an attempt that it needs. If something goes wrong with the files
 * on a node, only first attempts can fail because of it. After an attempt of a task has failed,
 * excused or not, its other attempts are launched as in stock Hadoop. So are all attempts if their
 * tasks may not fail even once.
 */
final class MeasuredLaunches extends CompositeService implements ContainerLauncher {
  private final ContainerLauncher hadoops;
  private final AppContext context;
  private final SecondAttempts second;
  private final CircuitBreaker breaker;
  private volatile Optional<MeasurementFiles> parts = Optional.empty();

  /**
   * Creates a launcher that works as in stock Hadoop until the files are ready.
   *
   * @param hadoops launches the containers; it is a child service of this one
   * @param second knows the failures that were excused
   * @param breakers the job's breakers; this adds one
   */
  MeasuredLaunches(
      ContainerLauncher hadoops, AppContext context, SecondAttempts second, Breakers breakers) {
    super(MeasuredLaunches.class.getName());
    this.hadoops = hadoops;
    this.context = context;
    this.second = second;
    this.breaker = breakers.of("Measuring in tasks");
    addIfService(hadoops);
  }

  /**
   * Makes the files on a separate thread and in the name of a user, if tasks can measure. A job
   * with its own class loader may have classes with the names of Hadoop's, so such a job is left
   * alone.
   *
   * @param duties what tasks should do
   */
  void prepare(JobId job, ApplicationAttemptId self, UserGroupInformation user, TaskDuties duties) {
    Configuration conf = getConfig();
    boolean canMeasure = !conf.getBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, false);
    if (canMeasure && duties.areAny()) {
      JobID id = TypeConverter.fromYarn(job);
      Runnable work = () -> breaker.run(() -> upload(conf, id, self.getAttemptId(), duties));
      UserThread.daemon(user, work, "Drover prepares tasks").start();
    }
  }

  private void upload(Configuration conf, JobID job, int attempt, TaskDuties duties) {
    try {
      parts = MeasurementFiles.upload(conf, job, attempt, duties);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether tasks that are launched from now on measure. */
  boolean isReady() {
    return parts.isPresent();
  }

  /** Adds the files to a container whose process must have them. */
  void addTo(ContainerLaunchContext container) {
    parts
        .orElseThrow(() -> new IllegalStateException("the files for tasks are not ready"))
        .addTo(container);
  }

  /** Runs on the dispatcher thread. */
  @Override
  public void handle(ContainerLauncherEvent event) {
    if (parts.isPresent() && event instanceof ContainerRemoteLaunchEvent launch) {
      breaker.run(() -> measure(launch));
    }
    hadoops.handle(event);
  }

  private void measure(ContainerRemoteLaunchEvent launch) {
    if (mayFail(launch.getTaskAttemptID())) {
      parts.get().addTo(launch.getContainerLaunchContext());
    }
  }

  private boolean mayFail(TaskAttemptId id) {
    boolean isMap = id.getTaskId().getTaskType() == TaskType.MAP;
    String key = isMap ? MRJobConfig.MAP_MAX_ATTEMPTS : MRJobConfig.REDUCE_MAX_ATTEMPTS;
    Job job = context.getJob(id.getTaskId().getJobId());
    Task task = job == null ? null : job.getTask(id.getTaskId());
    if (task == null || getConfig().getInt(key, 4) < 2) {
      return false;
    }
    return task.getAttempts().values().stream()
        .noneMatch(a -> a.getState() == TaskAttemptState.FAILED || second.hasExcused(a.getID()));
  }
}
