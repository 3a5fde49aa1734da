// SPDX-License-Identifier: Apache-2.0
package io.drover.it.bench;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.ExponentiallySmoothedTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.LegacyTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SimpleExponentialTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.TaskRuntimeEstimator;

/** Feeds recorded reports to the real classes of Hadoop's three estimators. */
final class StockEstimators {
  private final Map<String, TaskRuntimeEstimator> estimators = new LinkedHashMap<>();
  private final Map<TaskId, Task> tasks = new HashMap<>();
  private final Map<TaskAttemptId, TaskAttempt> attempts = new HashMap<>();

  StockEstimators() {
    Job job = mock(Job.class);
    when(job.getTask(any())).thenAnswer(call -> tasks.get(call.<TaskId>getArgument(0)));
    AppContext context = mock(AppContext.class);
    when(context.getJob(any())).thenReturn(job);
    estimators.put("Hadoop: legacy (default)", new LegacyTaskRuntimeEstimator());
    estimators.put("Hadoop: exponential", new ExponentiallySmoothedTaskRuntimeEstimator());
    estimators.put("Hadoop: simple exponential", new SimpleExponentialTaskRuntimeEstimator());
    estimators.values().forEach(e -> e.contextualize(new Configuration(), context));
  }

  void launched(RecordedJob.Launch launch) {
    Task task =
        tasks.computeIfAbsent(
            launch.attempt().getTaskId(),
            id -> {
              Task made = mock(Task.class);
              when(made.getType()).thenReturn(id.getTaskType());
              when(made.getAttempt(any()))
                  .thenAnswer(call -> attempts.get(call.<TaskAttemptId>getArgument(0)));
              return made;
            });
    TaskAttempt attempt = mock(TaskAttempt.class);
    when(attempt.getState()).thenReturn(TaskAttemptState.RUNNING);
    attempts.put(launch.attempt(), attempt);
    tasks.put(launch.attempt().getTaskId(), task);
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = launch.attempt();
    estimators.values().forEach(e -> e.enrollAttempt(status, launch.time()));
  }

  void reported(RecordedJob.Report report) {
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = report.attempt();
    status.progress = report.progress();
    estimators.values().forEach(e -> e.updateAttempt(status, report.time()));
  }

  /** Returns the remaining seconds that each estimator predicts at {@code now}, if it does. */
  Map<String, OptionalDouble> remaining(TaskAttemptId attempt, long now) {
    Map<String, OptionalDouble> answers = new LinkedHashMap<>();
    estimators.forEach(
        (name, e) -> {
          long whole = e.estimatedRuntime(attempt);
          double left = (e.attemptEnrolledTime(attempt) + whole - now) / 1e3;
          answers.put(name, whole < 0 ? OptionalDouble.empty() : OptionalDouble.of(left));
        });
    return answers;
  }
}
