// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.AttemptOutcomes.Ended;
import io.drover.channel.AttemptOutcome;
import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptOutcomesTest {
  private final AttemptOutcomes outcomes = new AttemptOutcomes();

  private static Ended after(int container, double seconds) {
    return new Ended(
        container, "host", seconds, Duration.ofMillis(Math.round(1000 * seconds)), true);
  }

  private void succeeded(TaskKind kind, double... seconds) {
    for (int i = 0; i < seconds.length; i++) {
      outcomes.succeeded(kind, i, after(i + 1, seconds[i]));
    }
  }

  private List<Long> outliers() {
    return outcomes.judge().stream()
        .filter(AttemptOutcome::outlier)
        .map(AttemptOutcome::container)
        .toList();
  }

  @Test
  void attemptsAreJudgedByTheSizeOfTheirInput() {
    outcomes.inputs(TaskKind.MAP, new double[] {100, 100, 100, 500, 100});
    succeeded(TaskKind.MAP, 10, 10, 10, 50, 21);
    assertThat(outliers()).containsExactly(5L);
  }

  @Test
  void shortLastSplitIsNoOutlierForWhatItTakesToStart() {
    outcomes.inputs(TaskKind.MAP, new double[] {100, 100, 100, 100, 1});
    succeeded(TaskKind.MAP, 10, 10, 10, 10, 3);
    assertThat(outliers()).isEmpty();
    outcomes.succeeded(TaskKind.MAP, 4, after(6, 30));
    assertThat(outliers()).containsExactly(6L);
  }

  @Test
  void phasesHaveNothingInCommon() {
    succeeded(TaskKind.MAP, 10, 10, 10, 10, 10);
    succeeded(TaskKind.REDUCE, 100, 100, 100, 100, 100);
    assertThat(outcomes.judge()).hasSize(10).noneMatch(AttemptOutcome::outlier);
  }

  @Test
  void outlierThatWasGivenUpCounts() {
    succeeded(TaskKind.MAP, 10, 10, 10, 10, 10);
    outcomes.gaveUp(TaskKind.MAP, 5, after(6, 5), 0.4, false); // who knows
    outcomes.gaveUp(TaskKind.MAP, 6, after(7, 12), 0.4, false);
    outcomes.gaveUp(TaskKind.MAP, 7, after(8, 5), 0.01, true);
    assertThat(outliers()).containsExactly(7L, 8L);
  }

  /** The scheduler or an operator killed it, whatever its machine is like. */
  @Test
  void attemptThatWasPreemptedAtItsPaceIsNoEvidence() {
    succeeded(TaskKind.MAP, 10, 10, 10, 10, 10);
    outcomes.judge();
    outcomes.gaveUp(TaskKind.MAP, 5, after(6, 1), 0, false);
    outcomes.gaveUp(TaskKind.MAP, 6, after(7, 9), 0.9, false);
    assertThat(outcomes.judge()).isEmpty();
  }

  @Test
  void slowerCloneCountsByWhatItWouldHaveTaken() {
    succeeded(TaskKind.MAP, 10, 10, 10, 10, 10);
    outcomes.endedAsSlower(TaskKind.MAP, 5, after(6, 5), 14);
    outcomes.endedAsSlower(TaskKind.MAP, 6, after(7, 5), 16);
    List<AttemptOutcome> judged = outcomes.judge();
    assertThat(judged).hasSize(7);
    assertThat(judged.get(5).outlier()).isFalse();
    assertThat(judged.get(6).outlier()).isTrue();
    assertThat(judged.get(6).relativeRate().orElseThrow()).isEqualTo(10 / 21.0);
    assertThat(judged.get(6).duration()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void anOutcomeTellsContainerHostRateAndTime() {
    succeeded(TaskKind.MAP, 10, 10, 10, 10, 40);
    AttemptOutcome slow = outcomes.judge().get(4);
    assertThat(slow.machine()).isEqualTo("host");
    assertThat(slow.relativeRate().orElseThrow()).isEqualTo(0.25);
    assertThat(slow.duration()).isEqualTo(Duration.ofSeconds(40));
  }
}
