// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.demo.PlanRunner.IdleTail;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Uses a job with 12 maps of 8 s each, whose progress is reported every 0.2 s. */
class IdleTailTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  @Test
  void twoOfTwelveMapsAtAnEighthAreTheTail() {
    double reached = reached(second -> wave(second, 10) + 2 * at(second, 10, 1.0 / 64) / 12);
    assertThat(reached).isBetween(18.0, 23.0);
  }

  @Test
  void oneMapAtItsPaceIsNot() {
    assertThat(reached(second -> wave(second, 11) + at(second, 18, 1.0 / 8) / 12))
        .isGreaterThan(26);
  }

  @Test
  void aJobThatHasHardlyBegunOrHaltsHalfWayIsNot() {
    assertThat(reached(second -> 0)).isEqualTo(NEVER);
    assertThat(reached(second -> Math.min(0.5, wave(second, 12)))).isEqualTo(NEVER);
  }

  @Test
  void aMapThatStandsStillIsTheTail() {
    assertThat(reached(second -> wave(second, 11) + 0.9 / 12)).isBetween(18.0, 23.0);
  }

  /** Returns the progress of some of the 12 maps, which start after 10 s. */
  private static double wave(double second, int maps) {
    return maps * at(second, 10, 1.0 / 8) / 12;
  }

  /** Returns the progress of a map with the given start and rate. */
  private static double at(double second, double start, double rate) {
    return Math.min(1, Math.max(0, (second - start) * rate));
  }

  private static double reached(DoubleUnaryOperator maps) {
    IdleTail tail = new IdleTail(DemoJobSpec.of(Scenario.SLOW_NODE));
    for (double second = 0; second < 60; second += 0.2) {
      Duration elapsed = Duration.ofMillis(Math.round(second * 1000));
      if (tail.isReached(new JobProgress(elapsed, "RUNNING", maps.applyAsDouble(second), 0))) {
        return second;
      }
    }
    return NEVER;
  }
}
