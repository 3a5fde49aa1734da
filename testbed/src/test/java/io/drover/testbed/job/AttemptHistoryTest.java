// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.drover.testbed.job.AttemptRecord.Outcome;
import io.drover.testbed.job.AttemptRecord.Role;
import io.drover.testbed.job.RunResult.AttemptTally;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.MapAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptStartedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptUnsuccessfulCompletionEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskFinishedEvent;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.Test;

class AttemptHistoryTest {
  private static final long T0 = 1_000_000_000_000L;

  private final AttemptHistory history = new AttemptHistory();

  private static TaskAttemptID id(int attempt) {
    return TaskAttemptID.forName("attempt_1_0001_m_000007_" + attempt);
  }

  private void start(int attempt, int second) {
    history.add(
        new TaskAttemptStartedEvent(
            id(attempt),
            TaskType.MAP,
            T0 + second * 1000L,
            "n" + (attempt + 1),
            1,
            2,
            ContainerId.fromString("container_1_0001_01_00000" + (attempt + 2)),
            "NODE_LOCAL",
            "VIRGIN"));
  }

  private void finish(int attempt, int second) {
    history.add(
        new MapAttemptFinishedEvent(
            id(attempt),
            TaskType.MAP,
            "SUCCEEDED",
            T0 + second * 1000L,
            T0 + second * 1000L,
            "n" + (attempt + 1),
            1,
            "/rack1",
            "",
            new Counters(),
            new int[4][0]));
  }

  private void win(int attempt, int second) {
    history.add(
        new TaskFinishedEvent(
            id(attempt).getTaskID(),
            id(attempt),
            T0 + second * 1000L,
            TaskType.MAP,
            "SUCCEEDED",
            new Counters()));
  }

  private void end(int attempt, int second, TaskStatus.State state) {
    history.add(
        new TaskAttemptUnsuccessfulCompletionEvent(
            id(attempt),
            TaskType.MAP,
            state.name(),
            T0 + second * 1000L,
            "n" + (attempt + 1),
            1,
            "/rack1",
            "why",
            new Counters(),
            new int[4][0]));
  }

  private List<AttemptRecord> records() {
    return history.records(Instant.ofEpochMilli(T0 + 100_000));
  }

  @Test
  void anAttemptBesideARunningOneIsACopyThatWinsOrLoses() {
    start(0, 0);
    start(1, 20);
    finish(1, 30);
    win(1, 30);
    end(0, 31, TaskStatus.State.KILLED);

    assertThat(records())
        .extracting(AttemptRecord::role, AttemptRecord::outcome)
        .containsExactly(tuple(Role.FIRST, Outcome.KILLED), tuple(Role.COPY, Outcome.WON));
    AttemptTally tally = AttemptTally.of(records());
    assertThat(tally)
        .isEqualTo(new AttemptTally(Duration.ofSeconds(41), Duration.ofSeconds(31), 1, 1, 0, 0, 0));
  }

  @Test
  void anAttemptAfterAFailureIsARetry() {
    start(0, 0);
    end(0, 10, TaskStatus.State.FAILED);
    start(1, 11);
    finish(1, 20);
    win(1, 20);

    assertThat(records())
        .extracting(AttemptRecord::role, AttemptRecord::outcome)
        .containsExactly(tuple(Role.FIRST, Outcome.FAILED), tuple(Role.RETRY, Outcome.WON));
    assertThat(AttemptTally.of(records()).failed()).isEqualTo(1);
    assertThat(AttemptTally.of(records()).restarts()).isEqualTo(1);
  }

  @Test
  void aWinnerWhoseOutputIsLostIsToldFromALoser() {
    start(0, 0);
    finish(0, 10);
    win(0, 10);
    end(0, 50, TaskStatus.State.KILLED);
    start(1, 51);
    finish(1, 60);
    win(1, 60);

    List<AttemptRecord> records = records();
    assertThat(records.get(0).outcome()).isEqualTo(Outcome.OUTPUT_LOST);
    assertThat(records.get(0).duration()).isEqualTo(Duration.ofSeconds(10));
    assertThat(records.get(1).role()).isEqualTo(Role.RETRY);
    assertThat(records.get(1).won()).isTrue();
  }

  @Test
  void aCopyLaunchedJustAfterTheOriginalWonIsACopy() {
    start(0, 0);
    finish(0, 10);
    win(0, 10);
    start(1, 11);
    end(1, 12, TaskStatus.State.KILLED);

    assertThat(records().get(1).role()).isEqualTo(Role.COPY);
    assertThat(AttemptTally.of(records()).copiesLost()).isEqualTo(1);
  }

  @Test
  void anAttemptWithoutAnEndLastsUntilTheJobsEnd() {
    start(0, 0);

    assertThat(records().get(0).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(records().get(0).duration()).isEqualTo(Duration.ofSeconds(100));
  }
}
