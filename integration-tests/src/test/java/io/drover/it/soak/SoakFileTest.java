// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.it.soak.SoakRecord.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakFileTest {
  private static final List<SoakPair> PAIRS = new SoakPlan(7, 3).groups().get(0);

  @TempDir Path dir;

  private Path file() {
    return dir.resolve("new/soak-7.jsonl");
  }

  private static SoakRecord record(SoakPair pair) {
    Outcome outcome =
        new Outcome(
            "job_1_0001",
            "SUCCEEDED",
            12.5,
            "abc of 3 lines",
            List.of("c1"),
            "2 of them",
            "said \"so\"\n");
    return new SoakRecord(
        pair.number(), pair.cluster().title(), pair.title(), pair.fault(), outcome, outcome);
  }

  @Test
  void whatIsDoneIsReadAgainAndNotDoneAgain() throws Exception {
    SoakFile first = SoakFile.open(file());
    assertThat(first.open(PAIRS)).isEqualTo(PAIRS);
    first.add(record(PAIRS.get(0)));
    first.add(record(PAIRS.get(2)));
    assertThat(first.open(PAIRS)).containsExactly(PAIRS.get(1));
    SoakFile second = SoakFile.open(file());
    assertThat(second.open(PAIRS)).containsExactly(PAIRS.get(1));
    assertThat(second.of(PAIRS.get(2))).contains(record(PAIRS.get(2)));
  }

  @Test
  void pairWhoseLineHasNoEndIsDoneAgain() throws Exception {
    SoakFile.open(file()).add(record(PAIRS.get(0)));
    Files.writeString(file(), "{\"pair\":1,\"clus", StandardOpenOption.APPEND);
    SoakFile second = SoakFile.open(file());
    assertThat(second.open(PAIRS)).containsExactly(PAIRS.get(1), PAIRS.get(2));
    second.add(record(PAIRS.get(1)));
    assertThat(SoakFile.open(file()).open(PAIRS)).containsExactly(PAIRS.get(2));
  }

  @Test
  void fileOfAnotherSoakIsRefused() throws Exception {
    SoakFile.open(file()).add(record(PAIRS.get(0)));
    SoakFile other = SoakFile.open(file());
    SoakPair differs = new SoakPlan(8, 1).groups().get(0).get(0);
    assertThatThrownBy(() -> other.of(differs))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is of another soak");
    Files.writeString(file(), "nothing\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> SoakFile.open(file()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds no pair");
  }
}
