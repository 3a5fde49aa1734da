// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.AttemptOutcomes.Ended;
import io.drover.channel.JobStart;
import io.drover.channel.JobStart.SizeSummary;
import io.drover.channel.JobStart.TaskRequest;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import io.drover.core.restart.SlowTasks;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverMapSplits;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Follows the attempts of a job and reports their outcomes to Drover's scheduler: which were
 * outliers on which machine, and which outputs were lost there.
 *
 * <p>Attempts end on the dispatcher thread and are judged together after the next heartbeat.
 * Attempts of an earlier AppMaster are ignored. This one does not know how their work went, and the
 * scheduler would not believe what it reports about their containers.
 */
final class OutcomeReporter {
  private final ClusterChannel channel;
  private final ApplicationAttemptId self;
  private final CopyAntiAffinity antiAffinity;
  private final MapOutputs outputs;
  private final AttemptReports reports;
  private final Consumer<Runnable> nextHeartbeat;
  private final CircuitBreaker breaker;
  private final AttemptOutcomes outcomes = new AttemptOutcomes();
  private final AtomicBoolean isToJudge = new AtomicBoolean();

  /** Maps that have succeeded, and where their outputs are. */
  private final Map<TaskAttemptId, String> made = new HashMap<>();

  /** Attempts that were ended as the slower one, and the seconds that they would have gone on. */
  private final Map<TaskAttemptId, Double> endedAsSlower = new HashMap<>();

  private Optional<JobStart> reportedStart = Optional.empty();
  private long lastMapEnd;

  /**
   * Creates the reporter of one job.
   *
   * @param self the AppMaster's own attempt
   * @param antiAffinity knows which attempts were ended as outliers
   * @param outputs knows what reduces read
   * @param reports of attempts; an attempt's report is kept until its end has been handled here
   * @param nextHeartbeat runs work once, after the next heartbeat
   * @param breakers the job's breakers; this adds one, because errors here must not reach the job
   */
  OutcomeReporter(
      ClusterChannel channel,
      ApplicationAttemptId self,
      CopyAntiAffinity antiAffinity,
      MapOutputs outputs,
      AttemptReports reports,
      Consumer<Runnable> nextHeartbeat,
      Breakers breakers) {
    this.breaker =
        breakers.of("Reports to Drover's scheduler", DroverCounter.CLUSTER_NEWS_OFF, () -> {});
    this.channel = channel;
    this.self = self;
    this.antiAffinity = antiAffinity;
    this.outputs = outputs;
    this.reports = reports;
    this.nextHeartbeat = nextHeartbeat;
  }

  /**
   * Reports the start of a job, whose tasks have been made.
   *
   * @param conf the job's configuration
   */
  synchronized void begin(Job job, boolean clones, Configuration conf) {
    breaker.run(
        () -> {
          long[] splits =
              new TreeMap<>(job.getTasks(TaskType.MAP))
                  .values().stream() // by number, as outcomes are reported
                      .mapToLong(map -> Math.max(0, DroverMapSplits.length(map)))
                      .toArray();
          outcomes.inputs(TaskKind.MAP, Arrays.stream(splits).asDoubleStream().toArray());
          boolean known = Arrays.stream(splits).anyMatch(length -> length > 0);
          report(
              new JobStart(
                  job.getTotalMaps(),
                  job.getTotalReduces(),
                  known ? Optional.of(SizeSummary.of(splits)) : Optional.empty(),
                  Optional.empty(),
                  clones,
                  Optional.of(ProgramName.of(conf)),
                  false,
                  Optional.of(request(conf, true)),
                  Optional.of(request(conf, false))));
        });
  }

  /** Returns what a task of a kind asks for, as Hadoop's attempts find it out. */
  private static TaskRequest request(Configuration conf, boolean isMap) {
    int vcores =
        isMap
            ? conf.getInt(MRJobConfig.MAP_CPU_VCORES, MRJobConfig.DEFAULT_MAP_CPU_VCORES)
            : conf.getInt(MRJobConfig.REDUCE_CPU_VCORES, MRJobConfig.DEFAULT_REDUCE_CPU_VCORES);
    org.apache.hadoop.mapreduce.TaskType kind =
        isMap
            ? org.apache.hadoop.mapreduce.TaskType.MAP
            : org.apache.hadoop.mapreduce.TaskType.REDUCE;
    int megabytes = new JobConf(conf).getMemoryRequired(kind);
    return new TaskRequest(Math.max(0, megabytes), Math.max(0, vcores));
  }

  /** Reports that tasks of the job have shown that they cannot bear two attempts. */
  synchronized void singleAttempts() {
    reportedStart.ifPresent(start -> report(start.ofSingleAttempts()));
  }

  /** Reports what has become of the job's slow tasks until now. */
  synchronized void slowTasks(SlowTasks seen) {
    reportedStart.ifPresent(start -> report(start.withSlowTasks(seen)));
  }

  private void report(JobStart job) {
    reportedStart = Optional.of(job);
    channel.job(job);
  }

  /**
   * Notes that an attempt is about to be killed because another one is expected to finish sooner.
   *
   * @param remaining how long it was expected to go on, in seconds
   */
  synchronized void endedAsSlower(TaskAttemptId attempt, double remaining) {
    endedAsSlower.put(attempt, remaining);
  }

  /**
   * Handles an event after the task has handled it. Runs on the dispatcher thread.
   *
   * @param isStillRead tells which outputs can be read though their maps are to run again. These
   *     are not lost: if they were reported, a machine that is only suspected would become bad
   */
  synchronized void onTaskEvent(Job job, TaskEvent event, Predicate<TaskAttemptId> isStillRead) {
    if (event instanceof TaskTAttemptEvent of && reportedStart.isPresent()) {
      breaker.run(() -> onTaskEvent(job, of, isStillRead));
    }
  }

  private void onTaskEvent(Job job, TaskTAttemptEvent event, Predicate<TaskAttemptId> isStillRead) {
    TaskAttempt attempt = job.getTask(event.getTaskID()).getAttempt(event.getTaskAttemptID());
    if (attempt == null || !isOurs(attempt)) {
      return;
    }
    switch (event.getType()) {
      case T_ATTEMPT_SUCCEEDED -> succeeded(job, attempt);
      case T_ATTEMPT_FAILED, T_ATTEMPT_KILLED -> {
        String host = made.remove(attempt.getID());
        if (host == null) {
          gaveUp(job, attempt);
        } else if (!isStillRead.test(attempt.getID())) {
          channel.lost(host);
        }
      }
      default -> {}
    }
  }

  private boolean isOurs(TaskAttempt attempt) {
    ContainerId container = attempt.getAssignedContainerID();
    return container != null
        && container.getApplicationAttemptId().equals(self)
        && attempt.getNodeId() != null
        && attempt.getLaunchTime() > 0;
  }

  private void succeeded(Job job, TaskAttempt attempt) {
    TaskAttemptId id = attempt.getID();
    if (TaskKindMapping.of(id) == TaskKind.MAP) {
      made.put(id, attempt.getNodeId().getHost());
      lastMapEnd = Math.max(lastMapEnd, attempt.getFinishTime());
    } else {
      reportedStart.ifPresent(start -> learnPartitions(job, start));
    }
    endedAsSlower.remove(id);
    countIfSecond(job, attempt);
    outcomes.succeeded(TaskKindMapping.of(id), id.getTaskId().getId(), ended(attempt, true));
    judgeSoon();
  }

  private void gaveUp(Job job, TaskAttempt attempt) {
    TaskAttemptId id = attempt.getID();
    Double remaining = endedAsSlower.remove(id);
    countIfSecond(job, attempt);
    boolean waitsForMaps =
        TaskKindMapping.of(id) == TaskKind.REDUCE && job.getCompletedMaps() < job.getTotalMaps();
    if (waitsForMaps) {
      return;
    }
    int task = id.getTaskId().getId();
    if (remaining != null) {
      outcomes.endedAsSlower(TaskKindMapping.of(id), task, ended(attempt, false), remaining);
    } else {
      outcomes.gaveUp(
          TaskKindMapping.of(id),
          task,
          ended(attempt, false),
          reports.progress(id),
          antiAffinity.fled(id));
    }
    judgeSoon();
  }

  private Ended ended(TaskAttempt attempt, boolean succeeded) {
    boolean isMap = TaskKindMapping.of(attempt.getID()) == TaskKind.MAP;
    long launched = attempt.getLaunchTime();
    long from = isMap ? launched : Math.max(launched, lastMapEnd);
    return new Ended(
        attempt.getAssignedContainerID().getContainerId(),
        attempt.getNodeId().getHost(),
        (attempt.getFinishTime() - from) / 1e3,
        lifetime(attempt),
        isMap && succeeded);
  }

  private static Duration lifetime(TaskAttempt attempt) {
    return Duration.ofMillis(Math.max(0, attempt.getFinishTime() - attempt.getLaunchTime()));
  }

  private void countIfSecond(Job job, TaskAttempt attempt) {
    if (isSecond(job, attempt)) {
      channel.secondAttempt(lifetime(attempt));
    }
  }

  /** Returns whether an elder attempt of the task was under way when an attempt was launched. */
  private static boolean isSecond(Job job, TaskAttempt attempt) {
    TaskAttemptId id = attempt.getID();
    return job.getTask(id.getTaskId()).getAttempts().values().stream()
        .filter(other -> other.getID().getId() < id.getId())
        .anyMatch(
            // one that ended before it was launched has no time
            elder -> !elder.isFinished() || elder.getFinishTime() > attempt.getLaunchTime());
  }

  /** Learns what each reduce reads as soon as the outputs of all maps are counted. */
  private void learnPartitions(Job job, JobStart start) {
    if (start.partitions().isPresent() || outputs.known() < job.getTotalMaps()) {
      return;
    }
    double[] sizes = outputs.sizes();
    outcomes.inputs(TaskKind.REDUCE, sizes);
    SizeSummary summary = SizeSummary.of(Arrays.stream(sizes).mapToLong(Math::round).toArray());
    report(start.withPartitions(summary));
  }

  private void judgeSoon() {
    if (isToJudge.compareAndSet(false, true)) {
      nextHeartbeat.accept(
          () -> {
            isToJudge.set(false); // even if judging fails
            breaker.run(this::judge);
          });
    }
  }

  private synchronized void judge() {
    outcomes.judge().forEach(channel::ended);
  }

  /** Reports the last outcomes and closes the channel. */
  void end() {
    breaker.run(this::judge);
    channel.close();
  }
}
