// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.sampling.SampledJob;
import io.drover.speculator.Breakers;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverMapSplits;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * Handles the events of tasks and the reports of attempts on the dispatcher thread, after Hadoop's
 * own handlers, and passes them on to Drover's parts. It throws nothing.
 */
final class TaskEventFollower {
  private final Supplier<AppContext> context;
  private final AttemptReports reports;
  private final CloneLedger cloneLedger;
  private final Consumer<TaskId> copyLedger;
  private final OutcomeReporter news;
  private final ReducePlacer placer;
  private final SampledJob sampled;
  private final OutputProtection protection;
  private final boolean countsOutputs;
  private final Breakers breakers;

  /**
   * Creates a follower of one job's events.
   *
   * @param copyLedger is told of tasks that have ended
   * @param countsOutputs whether it must be known how much each reduce reads, and from where
   */
  TaskEventFollower(
      Supplier<AppContext> context,
      AttemptReports reports,
      CloneLedger cloneLedger,
      Consumer<TaskId> copyLedger,
      OutcomeReporter news,
      ReducePlacer placer,
      SampledJob sampled,
      OutputProtection protection,
      boolean countsOutputs,
      Breakers breakers) {
    this.context = context;
    this.reports = reports;
    this.cloneLedger = cloneLedger;
    this.copyLedger = copyLedger;
    this.news = news;
    this.placer = placer;
    this.sampled = sampled;
    this.protection = protection;
    this.countsOutputs = countsOutputs;
    this.breakers = breakers;
  }

  /** Lets a dispatcher call this after the handlers that it has. */
  void register(Dispatcher dispatcher) {
    EventHandler<TaskEvent> tasks = this::onTaskEvent;
    EventHandler<SpeculatorEvent> attempts = this::onReport;
    dispatcher.register(TaskEventType.class, tasks);
    dispatcher.register(Speculator.EventType.class, attempts);
  }

  /** Handles the report of an attempt. */
  private void onReport(SpeculatorEvent event) {
    breakers.contain("The progress of attempts", () -> reports.onEvent(event));
  }

  /** Handles an event that its task has already handled. */
  private void onTaskEvent(TaskEvent event) {
    Job job = context.get().getJob(event.getTaskID().getJobId());
    boolean succeeded = event.getType() == TaskEventType.T_ATTEMPT_SUCCEEDED;
    if (succeeded || event.getType() == TaskEventType.T_RECOVER) {
      breakers.contain("The results of tasks", () -> settle(job, event.getTaskID(), succeeded));
    } else if (HadoopAttempts.isEnd(event.getType())) {
      breakers.contain("The ends of tasks", () -> settleIfOver(job, event.getTaskID()));
    }
    news.onTaskEvent(job, event, protection::isStillRead);
    protection.onTaskEvent(job, event);
    if (!breakers.contain("The job's sample", () -> sampled.onTaskEvent(job, event))) {
      sampled.onError();
    }
    if (event instanceof TaskTAttemptEvent of && HadoopAttempts.isEnd(event.getType())) {
      reports.ended(of.getTaskAttemptID());
    }
  }

  private void settle(Job job, TaskId id, boolean succeeded) {
    if (job.isUber()) {
      return;
    }
    if (succeeded) {
      cloneLedger.ended(job, id, reports, context.get().getClock().getTime());
    }
    if (countsOutputs && id.getTaskType() == TaskType.MAP) {
      count(job.getTask(id));
    }
  }

  /**
   * Counts what was spent on a task that has failed or was killed. That a task has ended is queued
   * for the job behind this call, so it is counted before the job's counters are final.
   */
  private void settleIfOver(Job job, TaskId id) {
    if (!job.isUber() && job.getTask(id).isFinished()) {
      cloneLedger.ended(job, id, reports, context.get().getClock().getTime());
      copyLedger.accept(id);
    }
  }

  /** Adds a map's output, if the map has succeeded, to the rack where it lies. */
  private void count(Task map) {
    for (TaskAttempt attempt : map.getAttempts().values()) {
      String rack = attempt.getNodeRackName();
      if (attempt.getState() == TaskAttemptState.SUCCEEDED && rack != null) {
        long bytes =
            attempt.getCounters().findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).getValue();
        double input = ReducePlacer.weight(DroverMapSplits.length(map));
        placer.outputs().succeeded(attempt.getID(), rack, bytes, input);
      }
    }
  }
}
