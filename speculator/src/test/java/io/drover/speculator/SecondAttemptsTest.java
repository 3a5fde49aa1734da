// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private TaskAttempt running(long launched) {
    return attempt(launched, 0, TaskAttemptState.RUNNING);
  }

  @Test
  void besideAnAttemptThatDroverAddedAFailureIsSuspect() {
    second.added(ID);
    TaskAttempt failed = running(1);
    running(2);
    assertThat(second.excuses(task, failed, 1_000)).isTrue();
    assertThat(ended).hasSize(1);
  }

  @Test
  void besideAnAttemptThatHadoopAddedAFailureIsAsWithoutDrover() {
    TaskAttempt failed = running(1);
    running(2);
    assertThat(second.excuses(task, failed, 1_000)).isFalse();
    assertThat(ended).isEmpty();
  }

  @Test
  void afterAPreemptionAFailureIsAsWithoutDrover() {
    attempt(1, 50_000, TaskAttemptState.KILLED);
    assertThat(second.excuses(task, running(51_000), 52_000)).isFalse();
    assertThat(ended).isEmpty();
  }

  @Test
  void soonAfterAKillAFailureIsSuspectAndLaterItIsNot() {
    second.added(ID);
    attempt(1, 50_000, TaskAttemptState.KILLED);
    TaskAttempt next = running(51_000);
    assertThat(second.excuses(task, next, 50_000 + GRACE)).isFalse();
    assertThat(ended).isEmpty();
    assertThat(second.excuses(task, next, 50_000 + GRACE - 1)).isTrue();
    assertThat(ended).hasSize(1);
  }

  @Test
  void ofTwoThatRanAtOnceTheSecondToFailIsExcusedHoweverLate() {
    second.added(ID);
    TaskAttempt failed = running(1);
    TaskAttempt clone = running(2);
    assertThat(second.excuses(task, failed, 10_000)).isTrue();
    when(failed.getState()).thenReturn(TaskAttemptState.KILLED); // as it is excused
    when(failed.getFinishTime()).thenReturn(10_000L);
    assertThat(second.excuses(task, clone, 10_000 + 6 * GRACE)).isTrue();
    assertThat(second.excuses(task, running(20_000), 10_000 + 7 * GRACE)).isFalse();
  }

  @Test
  void nothingIsForbiddenWhereDroverDoesNotAct() {
    SecondAttempts stock = new SecondAttempts(false, (why, seenHere) -> ended.add(why));
    stock.forbid("an earlier job failed");
    assertThat(stock.objection()).isEmpty();
    assertThat(ended).isEmpty();
  }
}
