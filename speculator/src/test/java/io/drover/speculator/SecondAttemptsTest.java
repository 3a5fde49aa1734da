// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.speculator.SecondAttempts.Excuse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SecondAttemptsTest {
  private static final TaskId ID = MRApps.toTaskID("task_1700000000000_0001_m_000003");
  private static final String ERROR = "Error: java.io.IOException: the lease was taken";
  private static final long GRACE = SecondAttempts.GRACE.toMillis();

  private final List<String> ended = new ArrayList<>();
  private final SecondAttempts second = new SecondAttempts((why, seenHere) -> ended.add(why));
  private final Task task = mock(Task.class);
  private final Map<TaskAttemptId, TaskAttempt> attempts = new LinkedHashMap<>();

  @BeforeEach
  void task() {
    when(task.getID()).thenReturn(ID);
    when(task.getAttempts()).thenReturn(attempts);
  }

  private TaskAttempt attempt(long launched, long finished, TaskAttemptState state) {
    TaskAttempt attempt = mock(TaskAttempt.class);
    TaskAttemptId id = MRBuilderUtils.newTaskAttemptId(ID, attempts.size());
    when(attempt.getID()).thenReturn(id);
    when(attempt.getLaunchTime()).thenReturn(launched);
    when(attempt.getFinishTime()).thenReturn(finished);
    when(attempt.getState()).thenReturn(state);
    when(attempt.getDiagnostics()).thenReturn(List.of(ERROR));
    attempts.put(id, attempt);
    return attempt;
  }

  private Optional<Excuse> excuse(TaskAttempt failed, long now) {
    return second.excuse(task, failed, now);
  }

  private TaskAttempt running(long launched) {
    return attempt(launched, 0, TaskAttemptState.RUNNING);
  }

  /** Returns a running attempt that Drover has added. */
  private TaskAttempt added(long launched) {
    TaskAttempt attempt = running(launched);
    second.added(attempt.getID());
    return attempt;
  }

  private TaskAttempt timedOut(TaskAttempt attempt) {
    when(attempt.getDiagnostics()).thenReturn(List.of("AttemptID:attempt_0 Timed out"));
    return attempt;
  }

  private static void wasKilled(TaskAttempt attempt, long finished) {
    when(attempt.getState()).thenReturn(TaskAttemptState.KILLED);
    when(attempt.getFinishTime()).thenReturn(finished);
  }

  @Test
  void besideAnAttemptThatDroverAddedAFailureIsSuspect() {
    TaskAttempt failed = running(1);
    added(2);
    assertThat(excuse(failed, 1_000)).contains(Excuse.SUSPECT);
    assertThat(ended).hasSize(1);
  }

  @Test
  void besideAnAttemptThatHadoopAddedAFailureIsAsWithoutDrover() {
    TaskAttempt failed = running(1);
    running(2);
    assertThat(excuse(failed, 1_000)).isEmpty();
    assertThat(ended).isEmpty();
  }

  @Test
  void afterAPreemptionAFailureIsAsWithoutDrover() {
    attempt(1, 50_000, TaskAttemptState.KILLED);
    assertThat(excuse(running(51_000), 52_000)).isEmpty();
    assertThat(ended).isEmpty();
  }

  @Test
  void soonAfterAKillAFailureIsSuspectAndLaterItIsNot() {
    second.restarted(ID);
    attempt(1, 50_000, TaskAttemptState.KILLED);
    TaskAttempt next = running(51_000);
    assertThat(excuse(next, 50_000 + GRACE)).isEmpty();
    assertThat(ended).isEmpty();
    assertThat(excuse(next, 50_000 + GRACE - 1)).contains(Excuse.SUSPECT);
    assertThat(ended).hasSize(1);
  }

  @Test
  void ofTwoThatRanAtOnceTheSecondToFailIsExcusedHoweverLate() {
    TaskAttempt failed = running(1);
    TaskAttempt clone = added(2);
    assertThat(excuse(failed, 10_000)).contains(Excuse.SUSPECT);
    wasKilled(failed, 10_000); // because it was excused
    assertThat(excuse(clone, 10_000 + 6 * GRACE)).contains(Excuse.SUSPECT);
    assertThat(excuse(running(20_000), 10_000 + 7 * GRACE)).isEmpty();
  }

  @Test
  void failureOfAnAddedAttemptOfWhateverCauseIsExcusedWhileTheTaskHasAnother() {
    TaskAttempt original = timedOut(running(1));
    TaskAttempt copy = timedOut(added(2));
    assertThat(excuse(copy, 1_000)).contains(Excuse.ADDED);
    wasKilled(copy, 1_000);
    assertThat(excuse(original, 2_000)).as("Hadoop would have it too").isEmpty();
    assertThat(ended).isEmpty();
  }

  @Test
  void failureOfAnAddedAttemptThatIsTheLastCounts() {
    TaskAttempt original = running(1);
    TaskAttempt copy = timedOut(added(2));
    wasKilled(original, 500);
    assertThat(excuse(copy, 1_000)).isEmpty();
  }

  @Test
  void failureOfAnAddedAttemptForWhichDroverEndedAnotherIsExcused() {
    TaskAttempt original = running(1);
    TaskAttempt copy = timedOut(added(2));
    second.endedAsSlower(original.getID());
    wasKilled(original, 500);
    assertThat(excuse(copy, 1_000)).contains(Excuse.ADDED);
  }

  @Test
  void errorLongAfterAnAddedAttemptTimedOutIsAsWithoutDrover() {
    TaskAttempt original = running(1);
    TaskAttempt copy = timedOut(added(2));
    assertThat(excuse(copy, 1_000)).contains(Excuse.ADDED);
    wasKilled(copy, 1_000);
    assertThat(excuse(original, 1_000 + GRACE)).isEmpty();
    assertThat(ended).isEmpty();
  }

  @Test
  void noneIsAddedToATaskOfWhichTwoThatWereAddedHaveFailed() {
    running(1);
    assertThat(excuse(timedOut(added(2)), 3)).contains(Excuse.ADDED);
    assertThat(second.objection(ID)).isEmpty();
    assertThat(excuse(timedOut(added(4)), 5)).contains(Excuse.ADDED);
    assertThat(second.objection(ID)).isPresent();
    assertThat(second.objection()).as("of any other task").isEmpty();
  }

  @Test
  void nothingIsForbiddenWhereDroverDoesNotAct() {
    SecondAttempts stock = new SecondAttempts(false, (why, seenHere) -> ended.add(why));
    stock.forbid("an earlier job failed");
    assertThat(stock.objection()).isEmpty();
    assertThat(ended).isEmpty();
  }
}
