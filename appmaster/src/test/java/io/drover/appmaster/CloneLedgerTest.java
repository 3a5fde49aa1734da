// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.junit.jupiter.api.Test;

class CloneLedgerTest {
  private static final JobId JOB =
      MRBuilderUtils.newJobId(ApplicationId.newInstance(1_700_000_000_000L, 1), 1);
  private static final TaskId TASK = MRBuilderUtils.newTaskId(JOB, 0, TaskType.REDUCE);

  private final Job job = mock(withSettings().extraInterfaces(EventHandler.class));
  private final Task task = mock();
  private final Map<TaskAttemptId, TaskAttempt> attempts = new LinkedHashMap<>();
  private final AttemptReports reports = new AttemptReports();
  private ActionTotals seen = ActionTotals.NONE;
  private final CloneLedger ledger = new CloneLedger(this::add);

  CloneLedgerTest() {
    when(job.getTask(any())).thenReturn(task);
    when(task.getID()).thenReturn(TASK);
    when(task.getAttempts()).thenReturn(attempts);
  }

  private void add(ActionKind kind, ActionTotals more) {
    assertThat(kind).isEqualTo(ActionKind.CLONE);
    seen = seen.plus(more);
  }

  private static TaskAttemptId id(int number) {
    return MRBuilderUtils.newTaskAttemptId(TASK, number);
  }

  private void attempt(int number, long launched, TaskAttemptState state) {
    TaskAttempt attempt = mock();
    when(attempt.getID()).thenReturn(id(number));
    when(attempt.getLaunchTime()).thenReturn(launched);
    when(attempt.getState()).thenReturn(state);
    attempts.put(id(number), attempt);
  }

  private void reports(int number, double progress, long at) {
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = id(number);
    status.progress = (float) progress;
    reports.onEvent(new SpeculatorEvent(status, at));
  }

  /** A quarter of the work took until 20 s, so the first attempt would have ended at 50 s. */
  @Test
  void cloneThatWonSavesWhatTheFirstAttemptStillNeeded() {
    ledger.launched(job, task, id(1));
    ledger.launched(job, task, id(2));
    attempt(0, 10_000, TaskAttemptState.RUNNING);
    attempt(1, 12_000, TaskAttemptState.SUCCEEDED);
    attempt(2, 13_000, TaskAttemptState.RUNNING);
    reports(0, 0.25, 20_000);
    reports(2, 0.9, 20_000);
    ledger.ended(job, TASK, reports, 22_000);
    assertThat(seen).isEqualTo(new ActionTotals(2, 1, 1, 12_000 + 9_000, 28_000));
  }

  @Test
  void firstAttemptThatHasReportedNoProgressSaysNothingOfWhatWasSaved() {
    ledger.launched(job, task, id(1));
    attempt(0, 10_000, TaskAttemptState.RUNNING);
    attempt(1, 12_000, TaskAttemptState.SUCCEEDED);
    ledger.ended(job, TASK, reports, 22_000);
    assertThat(seen).isEqualTo(new ActionTotals(1, 1, 0, 12_000, 0));
  }

  @Test
  void cloneThatLostSavesNothing() {
    ledger.launched(job, task, id(1));
    attempt(0, 10_000, TaskAttemptState.SUCCEEDED);
    attempt(1, 12_000, TaskAttemptState.RUNNING);
    reports(1, 0.5, 20_000);
    ledger.ended(job, TASK, reports, 22_000);
    assertThat(seen).isEqualTo(new ActionTotals(1, 0, 1, 10_000, 0));
  }

  /** One attempt would have run for nothing in any case: the first one, for 12 s. */
  @Test
  void clonesOfATaskThatWasKilledAreLostAndTheirTimeIsWasted() {
    ledger.launched(job, task, id(1));
    ledger.launched(job, task, id(2));
    attempt(0, 10_000, TaskAttemptState.KILLED);
    attempt(1, 12_000, TaskAttemptState.KILLED);
    attempt(2, 0, TaskAttemptState.KILLED);
    ledger.ended(job, TASK, reports, 22_000);
    assertThat(seen).isEqualTo(new ActionTotals(2, 0, 2, 10_000, 0));
    ledger.ended(job, TASK, reports, 23_000);
    assertThat(seen).as("once").isEqualTo(new ActionTotals(2, 0, 2, 10_000, 0));
  }
}
