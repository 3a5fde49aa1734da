// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilentMachinesTest {
  private final SilentMachines machines =
      new SilentMachines(ProtectSettings.DEFAULT.silentAfter(Duration.ofSeconds(6)));

  private void answer(String... names) {
    List.of(names).forEach(machines::answered);
  }

  @Test
  void machineIsSilentWhenItHasNotAnsweredForLongEnough() {
    answer("a", "b", "c");
    machines.failed("a", 10, 12);
    machines.failed("a", 13, 15.9);
    assertThat(machines.silent()).isEmpty();
    assertThat(machines.isFailing("a")).isTrue();
    machines.failed("a", 16, 16.5);
    assertThat(machines.silent()).containsOnlyKeys("a").containsEntry("a", 6.5);
  }

  @Test
  void oneLongWaitIsNotEnough() {
    answer("a", "b", "c");
    machines.failed("a", 10, 40);
    assertThat(machines.silent()).isEmpty();
    machines.failed("a", 41, 42);
    assertThat(machines.silent()).containsEntry("a", 32.0);
  }

  @Test
  void answerEndsTheSilenceAtOnce() {
    answer("a", "b", "c");
    machines.failed("a", 10, 11);
    machines.failed("a", 17, 18);
    answer("a");
    assertThat(machines.silent()).isEmpty();
    machines.failed("a", 20, 21);
    assertThat(machines.silent()).isEmpty();
    assertThat(machines.isFailing("a")).isTrue();
  }

  @Test
  void whoeverHearsFromHardlyAnybodyIsCutOff() {
    answer("a", "b", "c", "d");
    for (String name : List.of("a", "b")) {
      machines.failed(name, 10, 11);
      machines.failed(name, 17, 18);
    }
    assertThat(machines.silent()).containsOnlyKeys("a", "b");
    machines.failed("c", 18, 19);
    assertThat(machines.silent()).isEmpty();
    answer("c");
    assertThat(machines.silent()).containsOnlyKeys("a", "b");
  }

  @Test
  void ofSuspectsAllMayBeSilent() {
    SilentMachines suspects =
        SilentMachines.ofSuspects(ProtectSettings.DEFAULT.silentAfter(Duration.ofSeconds(6)));
    for (String name : List.of("a", "b", "c", "d")) {
      suspects.failed(name, 10, 11);
      suspects.failed(name, 17, 18);
    }
    assertThat(suspects.silent()).containsOnlyKeys("a", "b", "c", "d");
    assertThat(suspects.isAnyAnswering()).isFalse();
    suspects.answered("d");
    assertThat(suspects.isAnyAnswering()).isTrue();
  }

  @Test
  void nobodyAnswersWhoWasNotAsked() {
    assertThat(machines.isAnyAnswering()).isFalse();
    answer("a");
    assertThat(machines.isAnyAnswering()).isTrue();
    machines.failed("a", 10, 11);
    assertThat(machines.isAnyAnswering()).isFalse();
    machines.forget("a");
    assertThat(machines.isAnyAnswering()).isFalse();
  }

  @Test
  void ofOneOrTwoMachinesAllMayBeSilent() {
    machines.failed("a", 10, 11);
    machines.failed("a", 17, 18);
    assertThat(machines.silent()).containsOnlyKeys("a");
    machines.failed("b", 10, 11);
    machines.failed("b", 17, 18);
    assertThat(machines.silent()).containsOnlyKeys("a", "b");
  }

  @Test
  void machineThatKeepsNothingAnyMoreDoesNotCount() {
    answer("a", "b", "c");
    for (String name : List.of("a", "b")) {
      machines.failed(name, 10, 11);
      machines.failed(name, 17, 18);
    }
    assertThat(machines.silent()).isEmpty();
    machines.forget("a");
    assertThat(machines.silent()).containsOnlyKeys("b");
    assertThat(machines.isFailing("a")).isFalse();
  }

  @Test
  void attemptCannotEndBeforeItBegins() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> machines.failed("a", 10, 9))
        .withMessage("an attempt cannot end at 9.0 before 10.0");
  }
}
