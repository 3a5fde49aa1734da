// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WorkWindowTest {
  private static final double EXACT = 1e-12;

  @Test
  void anEmptyWindowHasNoRate() {
    assertThat(new WorkWindow(4).rate(10, 5)).isNaN();
  }

  @Test
  void oneSampleHasNoRateUntilTimePasses() {
    WorkWindow window = new WorkWindow(4);
    window.add(10, 0.5, 1);
    assertThat(window.rate(10, 5)).isNaN();
    assertThat(window.rate(12, 5)).isZero();
  }

  @Test
  void rateIsTheMeanOverTheWidth() {
    WorkWindow window = new WorkWindow(4);
    window.add(0, 0, 1);
    window.add(1, 0.1, 1);
    window.add(2, 0.3, 1);
    assertThat(window.rate(2, 2)).isCloseTo(0.15, within(EXACT));
    assertThat(window.rate(2, 1)).isCloseTo(0.2, within(EXACT));
    assertThat(window.rate(2, 0.5)).as("within one interval").isCloseTo(0.2, within(EXACT));
    assertThat(window.rate(2, 100)).as("no more than there is").isCloseTo(0.15, within(EXACT));
  }

  @Test
  void noWorkIsAssumedAfterTheNewestSample() {
    WorkWindow window = new WorkWindow(4);
    window.add(0, 0, 1);
    window.add(2, 0.2, 1);
    assertThat(window.rate(4, 4)).isCloseTo(0.05, within(EXACT));
    assertThat(window.rate(6, 4)).isZero();
  }

  @Test
  void aFullRingCoversItsSpacingsHoweverOftenSamplesCome() {
    for (double step : new double[] {0.01, 0.3, 0.5, 0.9, 1, 1.7}) {
      WorkWindow window = new WorkWindow(6);
      for (double t = 0; t < 50; t += step) {
        window.add(t, t < 25 ? 0 : t - 25, 1);
      }
      assertThat(window.rate(49, 5)).as("step %s", step).isCloseTo(1, within(0.05));
    }
  }

  @Test
  void aClearedWindowStartsAnew() {
    WorkWindow window = new WorkWindow(2);
    window.add(0, 0, 1);
    window.add(1, 1, 1);
    window.clear();
    assertThat(window.rate(6, 10)).isNaN();
    window.add(5, 0.1, 1);
    window.add(6, 0.2, 1);
    assertThat(window.rate(6, 10)).isCloseTo(0.1, within(EXACT));
  }
}
