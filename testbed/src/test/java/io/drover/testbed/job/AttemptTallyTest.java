// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.model.TaskKind;
import io.drover.testbed.history.AttemptFigures;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import io.drover.testbed.job.RunResult.AttemptTally;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AttemptTallyTest {
  private static AttemptRecord attempt(int number, int from, int to, Outcome outcome, Role role) {
    return new AttemptRecord(
        "attempt_1_0001_m_000007_" + number,
        TaskKind.MAP,
        7,
        number,
        "n1",
        "/rack1",
        "",
        Instant.ofEpochSecond(from),
        Instant.ofEpochSecond(to),
        Optional.empty(),
        Optional.empty(),
        outcome,
        role,
        "",
        AttemptFigures.NONE);
  }

  @Test
  void copyThatWinsAndItsOriginalAreCountedAndTheOriginalIsWaste() {
    AttemptTally tally =
        AttemptTally.of(
            List.of(
                attempt(0, 0, 31, Outcome.KILLED, Role.FIRST),
                attempt(1, 20, 30, Outcome.WON, Role.COPY)));

    assertThat(tally)
        .isEqualTo(new AttemptTally(Duration.ofSeconds(41), Duration.ofSeconds(31), 1, 1, 0, 0, 0));
  }

  @Test
  void copyThatLosesIsCountedAsLost() {
    AttemptTally tally =
        AttemptTally.of(
            List.of(
                attempt(0, 0, 10, Outcome.WON, Role.FIRST),
                attempt(1, 11, 12, Outcome.KILLED, Role.COPY)));

    assertThat(tally.copiesLost()).isEqualTo(1);
    assertThat(tally.wastedTime()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void retryAfterAFailureIsARestart() {
    AttemptTally tally =
        AttemptTally.of(
            List.of(
                attempt(0, 0, 10, Outcome.FAILED, Role.FIRST),
                attempt(1, 11, 20, Outcome.WON, Role.RETRY)));

    assertThat(tally.failed()).isEqualTo(1);
    assertThat(tally.restarts()).isEqualTo(1);
  }
}
