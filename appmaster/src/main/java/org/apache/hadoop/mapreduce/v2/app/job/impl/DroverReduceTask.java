// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.metrics.MRAppMetrics;

/** A reduce task that can lose a copy without asking for another; see {@link Siblings}. */
final class DroverReduceTask extends ReduceTaskImpl {
  private final int maps;
  private final Predicate<TaskAttemptId> provisional;
  private final ExcusedFailures failures;
  private TaskEvent handled;

  /** Creates a task that replaces one of the job's. */
  DroverReduceTask(
      ReduceTaskImpl made,
      JobId job,
      int maps,
      int appAttempt,
      MRAppMetrics metrics,
      Predicate<TaskAttemptId> provisional,
      ExcusedFailures failures) {
    super(
        job,
        made.partition,
        made.eventHandler,
        made.jobFile,
        made.conf,
        maps,
        made.taskAttemptListener,
        made.jobToken,
        made.credentials,
        made.clock,
        appAttempt,
        metrics,
        made.appContext);
    this.maps = maps;
    this.provisional = provisional;
    this.failures = failures;
  }

  @Override
  public void handle(TaskEvent event) {
    if (Siblings.mustNotReach(this, event)
        || CommitRequests.mustNotReach(this, event)
        || failures.forbids(event)) {
      return;
    }
    failures.toBeHandled(this, event);
    handled = event;
    super.handle(event);
    handled = null;
    CommitRequests.open(this, event).ifPresent(this::handle);
  }

  @Override
  protected TaskAttemptImpl createAttempt() {
    Optional<TaskAttemptImpl> sibling = Siblings.instead(this, handled, provisional);
    if (sibling.isPresent()) {
      nextAttemptNumber--; // TaskImpl increments it, but no attempt was made
    }
    return sibling.orElseGet(this::newAttempt);
  }

  private TaskAttemptImpl newAttempt() {
    return new DroverReduceAttempt(
        getID(),
        nextAttemptNumber,
        eventHandler,
        jobFile,
        partition,
        maps,
        conf,
        taskAttemptListener,
        jobToken,
        credentials,
        clock,
        appContext,
        failures.of(this));
  }
}
