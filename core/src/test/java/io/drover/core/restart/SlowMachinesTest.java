// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlowMachinesTest {
  private final PhaseModel phase = Herd.maps();
  private final SlowMachines slow = new SlowMachines(2);
  private final MantriRestart policy = new MantriRestart(RestartSettings.MANTRI);

  @BeforeEach
  void otherMachinesAreWell() {
    done(phase, 6, 1000, 10);
  }

  private AttemptModel on(String machine, double full) {
    AttemptModel attempt = phase.addTask(1000).addAttempt(0, 0);
    attempt.launched(0, machine);
    work(attempt, 0, 8, full);
    return attempt;
  }

  private List<Decision> pass() {
    return policy.decide(phase, Demand.NONE_WAITING, 8);
  }

  @Test
  void machineWithTwoOutliersIsFoundOnce() {
    on("m", 80);
    on("m", 80);
    assertThat(slow.observe(phase, pass())).containsExactly("m");
    assertThat(slow.observe(phase, pass())).isEmpty();
  }

  @Test
  void oneOutlierSaysNothingOfItsMachineHoweverOftenItIsSeen() {
    on("m", 80);
    assertThat(slow.observe(phase, pass())).isEmpty();
    assertThat(slow.observe(phase, pass())).isEmpty();
  }

  @Test
  void outliersAmongAsManyOthersSayNothingOfTheirMachine() {
    on("m", 80);
    on("m", 80);
    on("m", 10);
    on("m", 10);
    assertThat(slow.observe(phase, pass())).isEmpty();
  }

  @Test
  void outliersOnDifferentMachinesDoNotAddUp() {
    on("m", 80);
    on("n", 80);
    assertThat(slow.observe(phase, pass())).isEmpty();
  }

  @Test
  void atLeastOneOutlierIsNeeded() {
    assertThatThrownBy(() -> new SlowMachines(0)).hasMessageContaining("outliers");
  }
}
