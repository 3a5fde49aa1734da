// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.DeferredCounters;
import io.drover.appmaster.FetchNotices;
import io.drover.appmaster.MapCopies;
import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.sampling.SampledJob;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import io.drover.speculator.SecondAttempts;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.AMInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptCompletionEventStatus;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptCompletedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.metrics.MRAppMetrics;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.state.StateMachine;
import org.apache.hadoop.yarn.util.Clock;

/**
 * Hadoop's job with Drover's tasks ({@link DroverMapTask}, {@link DroverReduceTask}), which start
 * in a given order. It counts a failed fetch of a reduce once, however many attempts of the reduce
 * run, and keeps Drover's counters apart. A job that runs inside the AppMaster (uber) keeps
 * Hadoop's tasks.
 */
@SuppressWarnings("rawtypes") // EventHandler, as JobImpl has it
public class DroverJob extends JobImpl {
  /**
   * What is Drover's in a job.
   *
   * @param order sorts the tasks of one kind into the order in which they start
   * @param copies manages the copies of the maps' outputs
   * @param provisional tells which attempts are clones that have no container yet
   * @param sampled plans which splits the maps read
   * @param second tells whether tasks may have second attempts
   * @param protection learns which outputs reduces cannot fetch
   * @param breakers the job's breakers; it gets one more, and failed steps are counted at the end
   */
  public record Parts(
      UnaryOperator<List<Task>> order,
      MapCopies copies,
      Predicate<TaskAttemptId> provisional,
      SampledJob sampled,
      SecondAttempts second,
      OutputProtection protection,
      Breakers breakers) {}

  private final ApplicationAttemptId appAttempt;
  private final MRAppMetrics metrics;
  private final Parts parts;
  private final Map<TaskId, TaskInfo> recovered;
  private final StateMachine<JobStateInternal, JobEventType, JobEvent> states;
  private final ExcusedFailures failures;
  private final FetchNotices notices = new FetchNotices(this::hasOutput, this::hasEnded);
  private final DeferredCounters counters = new DeferredCounters();

  /**
   * Creates the job. Parameters that are not listed are those of JobImpl.
   *
   * @param parts what is Drover's
   */
  public DroverJob(
      JobId jobId,
      ApplicationAttemptId applicationAttemptId,
      Configuration conf,
      EventHandler eventHandler,
      TaskAttemptListener taskAttemptListener,
      JobTokenSecretManager jobTokenSecretManager,
      Credentials jobCredentials,
      Clock clock,
      Map<TaskId, TaskInfo> completedTasksFromPreviousRun,
      MRAppMetrics metrics,
      OutputCommitter committer,
      boolean newApiCommitter,
      String userName,
      long appSubmitTime,
      List<AMInfo> amInfos,
      AppContext appContext,
      JobStateInternal forcedState,
      String forcedDiagnostic,
      Parts parts) {
    super(
        jobId,
        applicationAttemptId,
        conf,
        eventHandler,
        taskAttemptListener,
        jobTokenSecretManager,
        jobCredentials,
        clock,
        completedTasksFromPreviousRun,
        metrics,
        committer,
        newApiCommitter,
        userName,
        appSubmitTime,
        amInfos,
        appContext,
        forcedState,
        forcedDiagnostic);
    this.appAttempt = applicationAttemptId;
    this.metrics = metrics;
    this.parts = parts;
    this.recovered = completedTasksFromPreviousRun;
    this.states = parts.sampled.isAsked() ? states() : null;
    this.failures = new ExcusedFailures(parts.second, parts.breakers);
  }

  private StateMachine<JobStateInternal, JobEventType, JobEvent> states() {
    return stateMachineFactory
        .addTransition(
            JobStateInternal.NEW,
            EnumSet.of(JobStateInternal.INITED, JobStateInternal.NEW),
            JobEventType.JOB_INIT,
            new SampledInit())
        .make(this);
  }

  @Override
  protected StateMachine<JobStateInternal, JobEventType, JobEvent> getStateMachine() {
    return states == null ? super.getStateMachine() : states;
  }

  /** Makes the maps of a job that reads a sample of its input. */
  private final class SampledInit extends InitTransition {
    @Override
    protected TaskSplitMetaInfo[] createSplits(JobImpl job, JobId id) {
      TaskSplitMetaInfo[] all = super.createSplits(job, id);
      return parts.sampled.plan(job.conf, id, job.remoteJobConfFile.getParent(), all, recovered);
    }
  }

  @Override
  public void handle(JobEvent event) {
    if (event instanceof JobTaskAttemptFetchFailureEvent notice) {
      parts.protection.complained(notice);
      List<TaskAttemptId> counted = notices.counted(notice);
      if (!counted.isEmpty()) {
        super.handle(
            new JobTaskAttemptFetchFailureEvent(notice.getReduce(), counted, notice.getHost()));
      }
      return;
    }
    if (event instanceof JobTaskAttemptCompletedEvent completed
        && completed.getCompletionEvent().getStatus()
            != TaskAttemptCompletionEventStatus.SUCCEEDED) {
      notices.forget(completed.getCompletionEvent().getAttemptId());
    }
    if (event instanceof JobCounterUpdateEvent update && counters.takes(update)) {
      return;
    }
    if (event.getType() == JobEventType.JOB_COMMIT_COMPLETED
        || event.getType() == JobEventType.JOB_ABORT_COMPLETED) { // nothing is left but the end
      counters.set(
          DroverCounter.STEPS_FAILED, parts.breakers.failures()); // maybe nobody counted them
      counters.atTheEnd(getID(), super::getAllCounters).ifPresent(super::handle);
    }
    super.handle(event);
  }

  private boolean hasOutput(TaskAttemptId map) {
    Task task = getTask(map.getTaskId());
    TaskAttempt attempt = task == null ? null : task.getAttempt(map);
    return attempt != null
        && task.getType() == TaskType.MAP // the notice is a task's, and Hadoop does not check it
        && attempt.getState() == TaskAttemptState.SUCCEEDED;
  }

  private boolean hasEnded(TaskAttemptId attempt) {
    return !HadoopAttempts.isLiving(getTask(attempt.getTaskId()).getAttempt(attempt));
  }

  @Override
  public Counters getAllCounters() {
    return counters.with(super.getAllCounters());
  }

  @Override
  protected void addTask(Task task) {
    super.addTask(isUber() ? task : ours(task));
  }

  private Task ours(Task task) {
    if (task instanceof MapTaskImpl map) {
      return new DroverMapTask(map, getID(), appAttempt.getAttemptId(), metrics, parts, failures);
    }
    if (task instanceof ReduceTaskImpl reduce) {
      return new DroverReduceTask(
          reduce,
          getID(),
          getTotalMaps(),
          appAttempt.getAttemptId(),
          metrics,
          parts.provisional,
          failures);
    }
    return task;
  }

  @Override
  protected void scheduleTasks(Set<TaskId> taskIds, boolean recoverTaskOutput) {
    List<Task> tasks = taskIds.stream().map(this::getTask).toList();
    Set<TaskId> ordered = new LinkedHashSet<>();
    parts.order.apply(tasks).forEach(task -> ordered.add(task.getID()));
    ordered.addAll(taskIds); // tasks that the order leaves out start all the same
    ordered.retainAll(taskIds);
    super.scheduleTasks(ordered, recoverTaskOutput);
  }
}
