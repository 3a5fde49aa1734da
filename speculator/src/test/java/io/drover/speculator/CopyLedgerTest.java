// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.model.Evidence;
import io.drover.core.model.Evidence.Basis;
import java.util.EnumMap;
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
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.junit.jupiter.api.Test;

class CopyLedgerTest {
  private static final JobId JOB =
      MRBuilderUtils.newJobId(ApplicationId.newInstance(1_700_000_000_000L, 1), 1);
  private static final TaskId TASK = MRBuilderUtils.newTaskId(JOB, 0, TaskType.MAP);

  private final Job job = mock(withSettings().extraInterfaces(EventHandler.class));
  private final Task task = mock();
  private final Map<TaskAttemptId, TaskAttempt> attempts = new LinkedHashMap<>();
  private final Map<ActionKind, ActionTotals> seen = new EnumMap<>(ActionKind.class);
  private final CopyLedger ledger =
      new CopyLedger(
          new DecisionThreadQueue(), (kind, more) -> seen.merge(kind, more, ActionTotals::plus));

  CopyLedgerTest() {
    when(job.getTask(any())).thenReturn(task);
    when(task.getID()).thenReturn(TASK);
    when(task.getAttempts()).thenReturn(attempts);
  }

  private void attempt(int number, long launched, long finished, TaskAttemptState state) {
    TaskAttempt attempt = mock();
    TaskAttemptId id = MRBuilderUtils.newTaskAttemptId(TASK, number);
    when(attempt.getID()).thenReturn(id);
    when(attempt.getLaunchTime()).thenReturn(launched);
    when(attempt.getFinishTime()).thenReturn(finished);
    when(attempt.getState()).thenReturn(state);
    attempts.put(id, attempt);
  }

  private static Evidence evidence(double remaining, double fresh) {
    return new Evidence(1, 0, false, 0.1, remaining, Basis.BYTES, fresh, 0.9, 0.25, 10);
  }

  /** Decided at 20 s that the attempt needs 70 s more; the copy is done at 35 s. */
  @Test
  void copyThatWonSavesTheTimeUntilTheAttemptWasExpectedToEnd() {
    attempt(0, 10_000, 0, TaskAttemptState.RUNNING);
    attempt(1, 0, 0, TaskAttemptState.STARTING);
    ledger.copied(job, task, evidence(70, 12), 20_000);
    assertThat(seen).containsOnly(Map.entry(ActionKind.COPY, ActionTotals.launched(1)));
    attempt(1, 22_000, 35_000, TaskAttemptState.SUCCEEDED);
    ledger.heardOf(job, TASK, 35_000);
    assertThat(seen)
        .containsOnly(Map.entry(ActionKind.COPY, new ActionTotals(1, 1, 0, 25_000, 55_000)));
  }

  @Test
  void copyThatLostSavesNothing() {
    attempt(0, 10_000, 0, TaskAttemptState.RUNNING);
    attempt(1, 22_000, 0, TaskAttemptState.RUNNING);
    ledger.copied(job, task, evidence(70, 12), 20_000);
    attempt(0, 10_000, 30_000, TaskAttemptState.SUCCEEDED);
    ledger.heardOf(job, TASK, 30_000);
    assertThat(seen).containsOnly(Map.entry(ActionKind.COPY, new ActionTotals(1, 0, 1, 8_000, 0)));
  }

  /** The attempt stood still, which counts as ten new ones of 12 s. */
  @Test
  void restartSavesTenNewAttemptsAtMost() {
    attempt(0, 10_000, 0, TaskAttemptState.RUNNING);
    ledger.restarted(job, task, evidence(Double.POSITIVE_INFINITY, 12), 20_000);
    attempt(0, 10_000, 21_000, TaskAttemptState.KILLED);
    attempt(1, 22_000, 35_000, TaskAttemptState.SUCCEEDED);
    ledger.heardOf(job, TASK, 35_000);
    assertThat(seen)
        .containsOnly(Map.entry(ActionKind.RESTART, new ActionTotals(1, 1, 0, 11_000, 105_000)));
  }

  @Test
  void restartThatTookLongerThanExpectedHasLost() {
    attempt(0, 10_000, 0, TaskAttemptState.RUNNING);
    ledger.restarted(job, task, evidence(14, 12), 20_000);
    attempt(0, 10_000, 21_000, TaskAttemptState.KILLED);
    attempt(1, 22_000, 35_000, TaskAttemptState.SUCCEEDED);
    ledger.heardOf(job, TASK, 35_000);
    assertThat(seen)
        .containsOnly(Map.entry(ActionKind.RESTART, new ActionTotals(1, 0, 1, 11_000, 0)));
  }

  @Test
  void taskWithBothCountsOnceAndByTheFirstDecision() {
    attempt(0, 10_000, 0, TaskAttemptState.RUNNING);
    ledger.restarted(job, task, evidence(70, 12), 20_000);
    attempt(0, 10_000, 21_000, TaskAttemptState.KILLED);
    attempt(1, 22_000, 0, TaskAttemptState.RUNNING);
    attempt(2, 0, 0, TaskAttemptState.STARTING);
    ledger.copied(job, task, evidence(500, 12), 40_000);
    attempt(2, 42_000, 60_000, TaskAttemptState.SUCCEEDED);
    ledger.heardOf(job, TASK, 60_000);
    assertThat(seen)
        .containsOnly(
            Map.entry(ActionKind.RESTART, new ActionTotals(1, 0, 1, 0, 0)),
            Map.entry(ActionKind.COPY, new ActionTotals(1, 1, 0, 49_000, 30_000)));
  }

  /** The first attempt of 100 s loses; the output of the second one is lost later. */
  @Test
  void attemptsThatWereSettledBeforeTheOutputWasLostDoNotCountAgain() {
    attempt(0, 10_000, 0, TaskAttemptState.RUNNING);
    attempt(1, 60_000, 0, TaskAttemptState.RUNNING);
    ledger.copied(job, task, evidence(200, 12), 50_000);
    attempt(1, 60_000, 110_000, TaskAttemptState.SUCCEEDED);
    ledger.heardOf(job, TASK, 110_000);
    attempt(0, 10_000, 300_000, TaskAttemptState.KILLED); // its node was slow to end it
    attempt(1, 60_000, 110_000, TaskAttemptState.FAILED);
    attempt(2, 210_000, 0, TaskAttemptState.RUNNING);
    attempt(3, 0, 0, TaskAttemptState.STARTING);
    ledger.copied(job, task, evidence(70, 12), 220_000);
    attempt(3, 222_000, 230_000, TaskAttemptState.SUCCEEDED);
    ledger.heardOf(job, TASK, 230_000);
    assertThat(seen.get(ActionKind.COPY).wastedMillis()).isEqualTo(100_000 + 20_000);
  }

  @Test
  void attemptsThatEndedBeforeDroverActedAreNotCharged() {
    attempt(0, 10_000, 90_000, TaskAttemptState.FAILED);
    attempt(1, 100_000, 0, TaskAttemptState.RUNNING);
    attempt(2, 0, 0, TaskAttemptState.STARTING);
    ledger.copied(job, task, evidence(70, 12), 110_000);
    attempt(2, 112_000, 125_000, TaskAttemptState.SUCCEEDED);
    ledger.heardOf(job, TASK, 125_000);
    assertThat(seen.get(ActionKind.COPY).wastedMillis()).isEqualTo(25_000);
  }

  @Test
  void retriesOfATaskThatFailsAreNotCharged() {
    attempt(0, 10_000, 0, TaskAttemptState.RUNNING);
    attempt(1, 22_000, 0, TaskAttemptState.RUNNING);
    ledger.copied(job, task, evidence(70, 12), 20_000);
    attempt(0, 10_000, 50_000, TaskAttemptState.FAILED);
    attempt(1, 22_000, 51_000, TaskAttemptState.FAILED);
    attempt(2, 52_000, 90_000, TaskAttemptState.FAILED);
    ledger.ended(job, TASK, 90_000);
    assertThat(seen.get(ActionKind.COPY).wastedMillis()).isEqualTo(29_000);
  }

  /** One attempt would have run for nothing in any case: the first one, for 40 s. */
  @Test
  void copyOfATaskThatWasKilledIsLostAndItsTimeIsWasted() {
    attempt(0, 10_000, 0, TaskAttemptState.RUNNING);
    attempt(1, 22_000, 0, TaskAttemptState.RUNNING);
    ledger.copied(job, task, evidence(70, 12), 20_000);
    ledger.heardOf(job, TASK, 40_000);
    attempt(0, 10_000, 50_000, TaskAttemptState.KILLED);
    attempt(1, 22_000, 51_000, TaskAttemptState.KILLED);
    ledger.ended(job, TASK, 51_000);
    ActionTotals lost = new ActionTotals(1, 0, 1, 29_000, 0);
    assertThat(seen).containsOnly(Map.entry(ActionKind.COPY, lost));
    ledger.ended(job, TASK, 52_000);
    assertThat(seen).as("once").containsOnly(Map.entry(ActionKind.COPY, lost));
  }
}
