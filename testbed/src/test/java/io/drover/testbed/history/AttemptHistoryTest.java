// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AttemptHistoryTest {
  private static final long T0 = 1_000_000_000_000L;

  private final AttemptHistory history = new AttemptHistory();

  private void add(int attempt, String type, Map<String, Object> fields)
      throws HistoryFormatException {
    Map<String, Object> all = new HashMap<>(fields);
    all.put("attemptId", "attempt_1_0001_m_000007_" + attempt);
    all.put("hostname", "n" + (attempt + 1));
    all.put("rackname", "/rack1");
    RecordedEvent event = new RecordedEvent("MAP_ATTEMPT_" + type, "here", all);
    history.add(event, AttemptName.of(event, "attemptId").orElseThrow());
  }

  private void start(int attempt, int second) throws HistoryFormatException {
    add(attempt, "STARTED", Map.of("startTime", T0 + second * 1000L, "locality", "NODE_LOCAL"));
  }

  private void finish(int attempt, int second) throws HistoryFormatException {
    add(attempt, "FINISHED", Map.of("finishTime", T0 + second * 1000L));
  }

  private void win(int attempt) {
    history.won("attempt_1_0001_m_000007_" + attempt);
  }

  private void end(int attempt, int second, String how) throws HistoryFormatException {
    add(attempt, how, Map.of("finishTime", T0 + second * 1000L, "error", "why"));
  }

  private static Instant at(int second) {
    return Instant.ofEpochMilli(T0 + second * 1000L);
  }

  private List<AttemptRecord> records() {
    return history.records(at(0), at(100), at(100));
  }

  @Test
  void anAttemptBesideARunningOneIsACopyThatWinsOrLoses() throws HistoryFormatException {
    start(0, 0);
    start(1, 20);
    finish(1, 30);
    win(1);
    end(0, 31, "KILLED");

    assertThat(records())
        .extracting(AttemptRecord::role, AttemptRecord::outcome)
        .containsExactly(tuple(Role.FIRST, Outcome.KILLED), tuple(Role.COPY, Outcome.WON));
  }

  @Test
  void anAttemptAfterAFailureIsARetry() throws HistoryFormatException {
    start(0, 0);
    end(0, 10, "FAILED");
    start(1, 11);
    finish(1, 20);
    win(1);

    assertThat(records())
        .extracting(AttemptRecord::role, AttemptRecord::outcome)
        .containsExactly(tuple(Role.FIRST, Outcome.FAILED), tuple(Role.RETRY, Outcome.WON));
  }

  @Test
  void aWinnerWhoseOutputIsLostIsToldFromALoser() throws HistoryFormatException {
    start(0, 0);
    finish(0, 10);
    win(0);
    end(0, 50, "KILLED");
    start(1, 51);
    finish(1, 60);
    win(1);

    List<AttemptRecord> records = records();
    assertThat(records.get(0).outcome()).isEqualTo(Outcome.OUTPUT_LOST);
    assertThat(records.get(0).duration()).isEqualTo(Duration.ofSeconds(10));
    assertThat(records.get(1).role()).isEqualTo(Role.RETRY);
    assertThat(records.get(1).won()).isTrue();
  }

  @Test
  void withoutItsIdTheWinnerIsTheAttemptThatFinished() throws HistoryFormatException {
    start(0, 0);
    start(1, 5);
    finish(1, 10);
    history.won();
    end(0, 11, "KILLED");
    end(1, 50, "KILLED");
    history.won(); // nothing has finished since
    start(2, 51);
    finish(2, 60);
    history.won();

    assertThat(records())
        .extracting(AttemptRecord::outcome)
        .containsExactly(Outcome.KILLED, Outcome.OUTPUT_LOST, Outcome.WON);
  }

  @Test
  void aCopyLaunchedJustAfterTheOriginalWonIsACopy() throws HistoryFormatException {
    start(0, 0);
    finish(0, 10);
    win(0);
    start(1, 11);
    end(1, 12, "KILLED");

    assertThat(records().get(1).role()).isEqualTo(Role.COPY);
  }

  @Test
  void anAttemptWithoutAnEndLastsUntilTheJobsEnd() throws HistoryFormatException {
    start(0, 0);

    assertThat(records().get(0).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(records().get(0).duration()).isEqualTo(Duration.ofSeconds(100));
  }

  @Test
  void noAttemptBeginsBeforeItsJobOrEndsAfterIt() throws HistoryFormatException {
    start(0, -5);
    add(0, "FINISHED", Map.of("finishTime", 9_999_999_999_999L));
    win(0);
    start(1, 3600);
    end(1, 3605, "KILLED");

    assertThat(records())
        .extracting(AttemptRecord::start, AttemptRecord::finish)
        .containsExactly(tuple(at(0), at(100)), tuple(at(100), at(100)));
    assertThat(history.timesMended()).isEqualTo(4);
  }

  @Test
  void attemptThatIsKilledAfterItsJobHasFailedContradictsNothing() throws HistoryFormatException {
    start(0, 0);
    end(0, 103, "KILLED");

    List<AttemptRecord> records = history.records(at(0), at(100), at(160));

    assertThat(records.get(0).finish()).isEqualTo(at(100));
    assertThat(history.timesMended()).isZero();
  }
}
