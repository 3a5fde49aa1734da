// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.sampling.SampledJob;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.TaskStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.metrics.MRAppMetrics;

/**
 * A map task that can lose a copy without asking for another one; see {@link Siblings}. A second
 * attempt of it may succeed after the first; see {@link SecondCopies}.
 */
class DroverMapTask extends MapTaskImpl {
  private final SecondCopies second;
  private final Predicate<TaskAttemptId> provisional;
  private final SampledJob sampled;
  private final OutputProtection protection;
  private final ExcusedFailures failures;
  private TaskEvent handled;

  /** Creates a task that replaces one of the job's. */
  DroverMapTask(
      MapTaskImpl made,
      JobId job,
      int appAttempt,
      MRAppMetrics metrics,
      DroverJob.Parts parts,
      ExcusedFailures failures) {
    this(
        made,
        job,
        appAttempt,
        metrics,
        new SecondCopies(made.eventHandler, parts.copies()),
        parts,
        failures);
  }

  private DroverMapTask(
      MapTaskImpl made,
      JobId job,
      int appAttempt,
      MRAppMetrics metrics,
      SecondCopies second,
      DroverJob.Parts parts,
      ExcusedFailures failures) {
    super(
        job,
        made.partition,
        second,
        made.jobFile,
        made.conf,
        made.getTaskSplitMetaInfo(),
        made.taskAttemptListener,
        made.jobToken,
        made.credentials,
        made.clock,
        appAttempt,
        metrics,
        made.appContext);
    this.second = second;
    this.provisional = parts.provisional();
    this.sampled = parts.sampled();
    this.protection = parts.protection();
    this.failures = failures;
    second.serves(this);
  }

  /** Returns the event that the task is handling; null if there is none. */
  TaskEvent handled() {
    return handled;
  }

  @Override
  public void handle(TaskEvent event) {
    if (Siblings.mustNotReach(this, event)
        || CommitRequests.mustNotReach(this, event)
        || failures.forbids(event)) {
      return;
    }
    failures.toBeHandled(this, event);
    if (second.provesLaunch(event)) {
      launched();
    }
    boolean hadSucceeded = getInternalState() == TaskStateInternal.SUCCEEDED;
    transit(event);
    if (hadSucceeded) {
      second.handled(event).ifPresent(this::succeedsWith);
    }
    CommitRequests.open(this, event).ifPresent(this::handle);
  }

  private void succeedsWith(TaskAttemptId attempt) {
    launched();
    transit(new TaskTAttemptEvent(attempt, TaskEventType.T_ATTEMPT_SUCCEEDED));
  }

  private void launched() {
    transit(new TaskEvent(getID(), TaskEventType.T_ATTEMPT_LAUNCHED));
  }

  private void transit(TaskEvent event) {
    handled = event;
    super.handle(event);
    handled = null;
  }

  @Override
  protected TaskAttemptImpl createAttempt() {
    Optional<TaskAttemptImpl> sibling =
        Siblings.instead(this, handled, provisional).or(second::instead);
    if (sibling.isPresent()) {
      nextAttemptNumber--; // TaskImpl increments it, but no attempt was made
    }
    return sibling.orElseGet(this::newAttempt);
  }

  /** Returns the split that the map reads, or stands for until it is bound to a block. */
  @Override
  protected TaskSplitMetaInfo getTaskSplitMetaInfo() {
    TaskSplitMetaInfo first = super.getTaskSplitMetaInfo();
    return sampled == null // in the constructor
        ? first
        : sampled.late().flatMap(late -> late.split(getID())).orElse(first);
  }

  /** Returns nothing for a map that is not part of the job's result. */
  @Override
  public Counters getCounters() {
    boolean isLeftOut = sampled.late().filter(late -> late.isLeftOut(getID())).isPresent();
    return isLeftOut ? TaskAttemptImpl.EMPTY_COUNTERS : super.getCounters();
  }

  private TaskAttemptImpl newAttempt() {
    boolean hasFailed = handled != null && handled.getType() == TaskEventType.T_ATTEMPT_FAILED;
    boolean isBeside = getAttempts().values().stream().anyMatch(other -> !other.isFinished());
    return new DroverMapAttempt(
        getID(),
        nextAttemptNumber,
        eventHandler,
        jobFile,
        partition,
        sampled
            .late()
            .flatMap(late -> late.splitToAsk(getID(), hasFailed, isBeside))
            .orElseGet(this::getTaskSplitMetaInfo),
        conf,
        taskAttemptListener,
        jobToken,
        credentials,
        clock,
        appContext,
        sampled,
        protection,
        failures.of(this));
  }
}
