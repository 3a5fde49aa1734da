// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MantriMonteCarloTest {
  private static final int REPETITIONS = 400;

  /** Standard errors that a correct value may be off by: once in 16,000 with a normal error. */
  private static final double SIGMAS = 4;

  /** Results of 6,000 repetitions with another seed; their errors are below 0.0012. */
  private static final double[] CLOSED_RULE = {0.9805, 0.8641, 0.8086, 0.5461};

  private static final double[] CORE = {0.9900, 0.8867, 0.8347, 0.5642};

  private static final double[] EARLY = {0.9911, 0.8977, 0.8489, 0.5963};

  /** An independent simulation of the closed rule by sample means, rounded to whole percents. */
  private static final double[] INDEPENDENT = {0.98, 0.86, 0.80, 0.56};

  private static final double ROUNDING = 0.015;

  @Test
  void restartsCutTheTimeOfAHeavyTailedPhaseAsMuchAsTheTableSays() {
    for (int i = 0; i < MantriMonteCarlo.ROWS.size(); i++) {
      MantriMonteCarlo.Row row = MantriMonteCarlo.ROWS.get(i);
      MantriMonteCarlo.Result result = MantriMonteCarlo.play(row, REPETITIONS, 7);
      assertWithin("closed rule", row, result.closed(), CLOSED_RULE[i], 0.0012);
      assertWithin("closed rule, independently", row, result.closed(), INDEPENDENT[i], ROUNDING);
      assertWithin("core", row, result.core(), CORE[i], 0.0012);
      assertWithin("core, early", row, result.early(), EARLY[i], 0.0012);
      assertThat(result.core().value())
          .as("core against the closed rule, %s", row)
          .isGreaterThan(result.closed().value());
      assertThat(result.early().value())
          .as("early core against the print, %s", row)
          .isGreaterThan(row.printed() - 0.02);
    }
  }

  @Test
  void thePrintIsTheBoundOfTheAppendix() {
    for (MantriMonteCarlo.Row row : MantriMonteCarlo.ROWS.subList(0, 3)) {
      MantriMonteCarlo.Result result = MantriMonteCarlo.play(row, REPETITIONS, 7);
      assertWithin("bound (5)", row, result.bound(), row.printed(), ROUNDING);
    }
  }

  private static void assertWithin(
      String what,
      MantriMonteCarlo.Row row,
      MantriMonteCarlo.Reduction found,
      double value,
      double slack) {
    assertThat(found.value())
        .as("%s, %s", what, row)
        .isCloseTo(value, within(SIGMAS * found.error() + slack));
  }

  @Test
  void theMeanOfTheLongestIsKnownInClosedForm() {
    assertThat(MantriMonteCarlo.meanLongest(1, 2)).as("E[R]").isCloseTo(2, within(1e-9));
    assertThat(MantriMonteCarlo.meanLongest(2, 2)).as("8/3").isCloseTo(8 / 3.0, within(1e-9));
    Random random = new Random(3);
    ParetoPhase phase = new ParetoPhase(1, 4); // light tails, so a sample mean suffices
    double sum = 0;
    for (int i = 0; i < 20_000; i++) {
      double longest = 0;
      for (int j = 0; j < 10; j++) {
        longest = Math.max(longest, phase.sample(random));
      }
      sum += longest;
    }
    assertThat(sum / 20_000).isCloseTo(MantriMonteCarlo.meanLongest(10, 4), within(0.03));
  }

  @Test
  void listSchedulingGivesEachTaskTheFirstFreeSlot() {
    ParetoPhase phase = new ParetoPhase(2, 2);
    // Figure 10's baseline: seven tasks on two slots, one of them an outlier of 5t, take 7t.
    assertThat(phase.untouched(new double[] {2, 1, 1, 5, 1, 2, 1})).isEqualTo(7);
    assertThat(phase.closedRule(new double[] {2, 1, 1, 2, 1}, new Random(1))).isEqualTo(4);
  }

  @Test
  void theSameSeedGivesTheSameTable() {
    MantriMonteCarlo.Row row = MantriMonteCarlo.ROWS.get(3);
    assertThat(MantriMonteCarlo.play(row, 5, 1)).isEqualTo(MantriMonteCarlo.play(row, 5, 1));
  }
}
