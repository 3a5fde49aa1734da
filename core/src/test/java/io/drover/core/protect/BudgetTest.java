// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void tenPercentOfWhatTasksProcessedMayBeReplicated() {
    ReplicationBudget budget = new ReplicationBudget(ProtectSettings.DEFAULT);
    assertThat(budget.take(1)).isFalse();
    budget.grant(600);
    budget.grant(400);
    assertThat(budget.leftBytes()).isEqualTo(100);
    assertThat(budget.take(101)).isFalse();
    assertThat(budget.take(100)).isTrue();
    assertThat(budget.take(1)).isFalse();
    assertThat(budget.take(0)).isTrue();
    budget.giveBack(100);
    assertThat(budget.leftBytes()).isEqualTo(100);
  }

  @Test
  void fivePercentOfTheTimeThatTasksRanMayBeSpentOnReruns() {
    PrecomputeBudget budget = new PrecomputeBudget(ProtectSettings.DEFAULT);
    budget.grant(100);
    assertThat(budget.take(5.1)).isFalse();
    assertThat(budget.take(3)).isTrue();
    assertThat(budget.leftSeconds()).isEqualTo(2);
    assertThat(budget.take(2)).isTrue();
  }

  @Test
  void shareOfZeroIsTheOffSwitch() {
    ProtectSettings off = ProtectSettings.DEFAULT.shares(0, 0);
    ReplicationBudget bytes = new ReplicationBudget(off);
    PrecomputeBudget seconds = new PrecomputeBudget(off);
    bytes.grant(Long.MAX_VALUE / 2);
    seconds.grant(1e9);
    assertThat(bytes.take(1)).isFalse();
    assertThat(seconds.take(1)).isFalse();
  }

  @Test
  void noSequenceOverdrawsNorLosesTokens() {
    Random random = new Random(5);
    for (int job = 0; job < 100; job++) {
      double share = random.nextDouble();
      TokenBudget budget = new TokenBudget(share);
      List<Double> taken = new ArrayList<>();
      double worked = 0;
      for (int step = 0; step < 500; step++) {
        double amount = Math.exp(random.nextGaussian() * 3);
        double left = budget.left();
        switch (random.nextInt(3)) {
          case 0 -> {
            budget.grant(amount);
            worked += amount;
          }
          case 1 -> {
            boolean taking = budget.take(amount);
            assertThat(taking || amount > left * (1 - 1e-12)).isTrue();
            if (taking) {
              taken.add(amount);
            }
          }
          default -> {
            if (!taken.isEmpty()) {
              budget.giveBack(taken.remove(random.nextInt(taken.size())));
            }
          }
        }
        double spent = taken.stream().mapToDouble(t -> t).sum();
        assertThat(budget.left()).isCloseTo(share * worked - spent, within(1e-9 * (1 + worked)));
        assertThat(budget.left()).isGreaterThanOrEqualTo(0);
      }
    }
  }

  @Test
  void nonsenseIsRefused() {
    ReplicationBudget budget = new ReplicationBudget(ProtectSettings.DEFAULT);
    budget.grant(100);
    assertThat(budget.take(5)).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> budget.giveBack(6));
    assertThatIllegalArgumentException().isThrownBy(() -> budget.giveBack(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> budget.grant(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> budget.take(-1));
    PrecomputeBudget seconds = new PrecomputeBudget(ProtectSettings.DEFAULT);
    assertThatIllegalArgumentException().isThrownBy(() -> seconds.grant(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> seconds.take(Double.POSITIVE_INFINITY));
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    for (double share : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ProtectSettings.DEFAULT.shares(share, 0.05));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ProtectSettings.DEFAULT.shares(0.1, share));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> ProtectSettings.DEFAULT.suspectAfter(0));
    for (Duration window : List.of(Duration.ZERO, Duration.ofNanos(1), MINUTE.negated())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new ProtectSettings(0.1, 2, window, 0.05, MINUTE, 1, MINUTE));
    }
  }

  @Test
  void defaultsAreThePapersWhereItHasThem() {
    assertThat(ProtectSettings.DEFAULT)
        .isEqualTo(
            new ProtectSettings(
                0.1,
                2,
                Duration.ofMinutes(5),
                0.05,
                Duration.ofSeconds(6),
                20e6,
                Duration.ofSeconds(5)));
  }
}
