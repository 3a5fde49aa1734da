// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drover.core.sampling.WaitRule.WaitDecision;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitRuleTest {
  private static final WaitRule RULE = new WaitRule(SamplingSettings.KMN);

  private static WaitRule coalescing(double share) {
    return new WaitRule(new SamplingSettings(1.05, 3, 1, share, 5, false));
  }

  @Test
  void waitsForTheOutputThatSavesMoreThanItCosts() {
    double[] transfer = {50, 48, 20, 19};
    WaitDecision decision =
        coalescing(0).decide(0, 100, 10, 10, new double[] {105, 110, 140}, k -> transfer[k - 10]);
    assertThat(decision.reason()).isEqualTo(WaitDecision.Reason.BETTER_CHOICE);
    assertThat(decision.outputs()).isEqualTo(12);
    assertThat(decision.startAt()).isEqualTo(110);
    assertThat(decision.delaySeconds()).isEqualTo(10);
    assertThat(decision.transferSeconds()).isEqualTo(20);
    assertThat(decision.savedSeconds()).isEqualTo(20);
    assertThat(decision.configurations()).isEqualTo(4);
    assertThat(decision.startsNow()).isFalse();
    assertThat(decision.toString()).contains("BETTER_CHOICE", "12 outputs in 10.0 s");
  }

  @Test
  void doesNotWaitForStragglers() {
    WaitDecision decision =
        RULE.decide(0, 100, 10, 10, new double[] {200, 300}, k -> k > 10 ? 1 : 90);
    assertThat(decision.reason()).isEqualTo(WaitDecision.Reason.NO_GAIN);
    assertThat(decision.startsNow()).isTrue();
    assertThat(decision.outputs()).isEqualTo(10);
    assertThat(decision.savedSeconds()).isZero();
    assertThat(decision.searched()).isEqualTo(1);
  }

  @Test
  void startsWhenNothingMoreIsExpected() {
    WaitDecision decision = RULE.decide(0, 100, 10, 11, new double[0], k -> 5);
    assertThat(decision.reason()).isEqualTo(WaitDecision.Reason.NOTHING_TO_WAIT_FOR);
    assertThat(decision.outputs()).isEqualTo(11);
    assertThat(decision.configurations()).isEqualTo(1);
  }

  @Test
  void finishesThatAreOverdueCountAsNow() {
    WaitDecision decision = RULE.decide(0, 100, 10, 10, new double[] {90, 95}, k -> 30 - k);
    assertThat(decision.outputs()).isEqualTo(12);
    assertThat(decision.delaySeconds()).isZero();
  }

  @Test
  void withoutCoalescingTheBestOfAllIsFound() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      Case c = new Case(random);
      WaitDecision decision = c.decide(coalescing(0));
      assertThat(c.end(decision.outputs())).isEqualTo(c.best());
      assertThat(decision.startAt() + decision.transferSeconds()).isEqualTo(c.best());
      assertThat(decision.savedSeconds()).isEqualTo(c.end(c.finished) - c.best());
    }
  }

  @Test
  void coalescingCostsAtMostDeltaEvenWhereFinishesFormAChain() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 2000; i++) {
      Case c = new Case(random);
      WaitDecision decision = c.decide(RULE);
      double delta = 0.01 * c.end(c.finished);
      assertThat(c.end(decision.outputs())).isLessThanOrEqualTo(c.best() + delta);
    }
  }

  /**
   * KMN section 4.3 searched less than 4 % and around 8 % on its trace, for jobs with 10 % extra
   * tasks. These are other jobs, and the rule as printed would miss its delta on them.
   */
  @ParameterizedTest
  @CsvSource({"0.01, 0.04", "0.001, 0.1"})
  void fewConfigurationsOfALargeJobAreSearched(double coalesce, double share) {
    SplittableRandom random = new SplittableRandom(3);
    long searched = 0;
    long all = 0;
    for (int i = 0; i < 100; i++) {
      int k = 1000 + random.nextInt(2000);
      double[] ends = new double[k + k / 10];
      Arrays.setAll(ends, unused -> 100 * Math.exp(0.3 * normal(random)));
      Arrays.sort(ends);
      double transfer = 20 + 60 * random.nextDouble();
      double[] coming = Arrays.copyOfRange(ends, k, ends.length);
      IntToDoubleFunction transfers =
          outputs -> transfer * (0.6 + 0.4 * Math.exp(-20.0 * (outputs - k) / k));
      WaitDecision decision = coalescing(coalesce).decide(0, ends[k - 1], k, k, coming, transfers);
      searched += decision.searched();
      all += decision.configurations();
    }
    assertThat((double) searched / all).isLessThan(share);
  }

  @Test
  void badArgumentsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RULE.decide(0, 1, 10, 9, new double[0], k -> 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RULE.decide(2, 1, 10, 10, new double[0], k -> 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RULE.decide(0, 1, 10, 10, new double[] {3, 2}, k -> 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RULE.decide(0, 1, 10, 10, new double[] {Double.NaN}, k -> 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RULE.decide(0, 1, 10, 10, new double[0], k -> Double.NaN));
  }

  private static double normal(SplittableRandom random) {
    return Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
        * Math.cos(2 * Math.PI * random.nextDouble());
  }

  /** A stage with K finished tasks and a transfer time that does not rise. */
  private static final class Case {
    private final int finished;
    private final double now;
    private final double[] coming;
    private final double[] transfer;

    Case(SplittableRandom random) {
      finished = 1 + random.nextInt(100);
      now = 100 * random.nextDouble();
      coming = new double[random.nextInt(40)];
      double pace = 5 * random.nextDouble();
      double at = now;
      for (int i = 0; i < coming.length; i++) {
        at += pace * random.nextDouble();
        coming[i] = at;
      }
      transfer = random.doubles(coming.length + 1, 0, 100).toArray();
      Arrays.sort(transfer);
    }

    private IntToDoubleFunction transfers() {
      return outputs -> transfer[transfer.length - 1 - (outputs - finished)];
    }

    WaitDecision decide(WaitRule rule) {
      return rule.decide(0, now, finished, finished, coming, transfers());
    }

    double end(int outputs) {
      return (outputs == finished ? now : coming[outputs - finished - 1])
          + transfers().applyAsDouble(outputs);
    }

    double best() {
      double best = Double.POSITIVE_INFINITY;
      for (int outputs = finished; outputs <= finished + coming.length; outputs++) {
        best = Math.min(best, end(outputs));
      }
      return best;
    }
  }
}
