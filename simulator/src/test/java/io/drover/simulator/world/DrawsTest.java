// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;

class DrawsTest {
  private static final int MANY = 50_000;

  private static double[] many(LongToDoubleFunction draw) {
    return LongStream.range(0, MANY)
        .mapToDouble(i -> draw.applyAsDouble(Draws.key(5, i)))
        .toArray();
  }

  private static double share(double[] values, double below) {
    return Arrays.stream(values).filter(v -> v < below).count() / (double) values.length;
  }

  /** Three standard deviations of a share of this many values are less than 0.007. */
  private static void quantile(double[] values, double at, double share) {
    assertThat(share(values, at)).isCloseTo(share, within(0.007));
  }

  @Test
  void normalHasItsQuantiles() {
    double[] values = many(Draws::standardNormal);
    quantile(values, -1.2815515655, 0.1);
    quantile(values, 0, 0.5);
    quantile(values, 1.2815515655, 0.9);
    assertThat(StatUtils.variance(values)).isCloseTo(1, within(0.02));
    quantile(many(key -> Draws.logNormal(key, 8, 0.5)), 8 * Math.exp(0.5), 0.8413);
  }

  @Test
  void uniformsHaveTheirQuantiles() {
    quantile(many(key -> Draws.uniform(key, 2, 6)), 3, 0.25);
    quantile(many(key -> Draws.logUniform(key, 1, 16)), 2, 0.25);
    quantile(many(key -> Draws.index(key, 4)), 0.5, 0.25);
    assertThat(many(key -> Draws.oneOf(key, new double[] {3, 9}))).containsOnly(3, 9);
  }

  @Test
  void exponentialAndParetoHaveTheirQuantiles() {
    quantile(many(key -> Draws.exponential(key, 3)), 3 * Math.log(2), 0.5);
    double[] pareto = many(key -> Draws.paretoUpTo(key, 10, 100, 1.5));
    assertThat(StatUtils.min(pareto)).isGreaterThanOrEqualTo(10);
    assertThat(StatUtils.max(pareto)).isLessThanOrEqualTo(100);
    double beyond = Math.pow(10, -1.5);
    quantile(pareto, 20, (1 - Math.pow(2, -1.5)) / (1 - beyond));
  }

  @Test
  void keyTellsWhomTheDrawIsForAndInWhichOrder() {
    assertThat(Draws.key(1, 2, 3)).isEqualTo(Draws.key(1, 2, 3)).isNotEqualTo(Draws.key(1, 3, 2));
    assertThat(Draws.key(2, 2, 3)).isNotEqualTo(Draws.key(1, 2, 3));
  }

  @Test
  void phaseKeyIsTheJobAndThePhase() {
    assertThat(PhaseKey.of(0, 1)).isEqualTo(1);
    assertThat(PhaseKey.of(3, 2)).isEqualTo(770);
    assertThat(PhaseKey.of(Integer.MAX_VALUE, 255))
        .isEqualTo(((long) Integer.MAX_VALUE << 8) + 255);
    assertThatIllegalArgumentException().isThrownBy(() -> PhaseKey.of(0, 256));
    assertThatIllegalArgumentException().isThrownBy(() -> PhaseKey.of(-1, 0));
  }
}
