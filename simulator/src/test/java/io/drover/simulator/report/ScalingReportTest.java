// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.simulator.replay.Scaling;
import io.drover.simulator.replay.Scaling.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class ScalingReportTest {
  private static double log2(double n) {
    return Math.log(n) / Math.log(2);
  }

  /** Creates runs of 1,000 tasks and more whose times follow a law. */
  private static Scaling.Result by(DoubleUnaryOperator law) {
    List<Step> steps = new ArrayList<>();
    for (long seed = 7; seed <= 8; seed++) {
      for (int factor : Scaling.FACTORS) {
        long tasks = 1000L * factor * (seed - 6);
        steps.add(new Step(seed, factor, tasks, 10 * tasks, law.applyAsDouble(tasks) / 1e5));
      }
    }
    return new Scaling.Result(
        new Scaling(ReplaySamples.options(2), "drover"), ReplaySamples.setup(), steps);
  }

  @Test
  void whatGrowsAsNLogNKeepsItsShareOfIt() {
    Scaling.Result result = by(n -> n * log2(n));

    assertThat(result.growth(16).median()).isCloseTo(1, within(1e-9));
    assertThat(result.isWithin()).isTrue();
    assertThat(result.verdict())
        .startsWith("With 16.0 times as many tasks, a run takes ")
        .endsWith(
            "seconds / (n log2 n) grow to at most 1.00 times their value: the time grows no faster"
                + " than n log n.");
  }

  @Test
  void whatGrowsWithTheSquareIsCaught() {
    Scaling.Result result = by(n -> n * n);

    assertThat(result.growth(16).median()).isGreaterThan(10);
    assertThat(result.isWithin()).isFalse();
    assertThat(result.verdict()).endsWith(": the time grows faster than n log n.");
  }

  @Test
  void aSlowFirstRunHidesNoGrowth() {
    Scaling.Result result = by(n -> n <= 2000 ? 1000 * n * n : n * n);

    assertThat(result.growth(16).median()).isLessThan(1);
    assertThat(result.isWithin()).isFalse();
  }

  @Test
  void everySizeHasItsRowAndTheFirstIsTheMeasure() {
    assertThat(TextReport.of(ScalingReport.of(by(n -> n))))
        .containsPattern("on 600 machines of 8 slots in 15 racks, seeds 7\\s+to 8, under")
        .containsPattern("(?m)^  1 x +2 +1,500 +15,000 +0\\.0\\d +1,000,000 +1\\.00$")
        .containsPattern("(?m)^  16 x +32 +24,000 +240,000 +0\\.24 +1,000,000 +0\\.7\\d$")
        .containsPattern("medians\\s+of\\s+2\\s+repeats");
  }
}
