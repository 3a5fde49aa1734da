// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayAssignmentTest {
  @Test
  void omegaIsTheShareOfTheJobsTime() {
    assertThat(new DelayAssignment(0.1).omegaMillis(20_000)).isEqualTo(2_000);
    assertThat(new DelayAssignment(0).omegaMillis(20_000)).isZero();
  }

  @Test
  void nobodyWaitsForAShareOfNothing() {
    assertThat(new DelayAssignment(0).waits()).isFalse();
    assertThat(new DelayAssignment(0.01).waits()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void aShareLiesBetween0And1(double share) {
    assertThatIllegalArgumentException().isThrownBy(() -> new DelayAssignment(share));
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 0, 5000, 0.5, 9000", // launched at 1 s, half done at 5 s
    "1000, 0, 5000, 0.125, 33000", // an outlier
    "4000, 0.2, 5000, 0.6, 6000", // started slowly
    "4000, 0.2, 5000, 1, 5000", // is already sorting
    "4000, 0.2, 5000, 0.2, Infinity", // makes no progress
  })
  void endIsExpectedByTheRateBetweenReports(
      long since, double doneThen, long reported, double done, double end) {
    double expected = DelayAssignment.expectedEnd(since, doneThen, reported, done);
    if (Double.isInfinite(end)) {
      assertThat(expected).isInfinite();
    } else {
      assertThat(expected).isCloseTo(end, withinPercentage(1e-9));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, true, 0", // the first attempt never waits
    "1, 2, true, 1", // gets a copy of its own
    "1, 2, false, 1",
    "1, 1, false, 0", // shares the first copy
    "2, 2, false, 0", // clones do not share a copy while another one is free
    "3, 2, false, 1"
  })
  void readersReadDifferentCopiesElseShare(int reader, int copies, boolean more, int copy) {
    assertThat(DelayAssignment.copyFor(reader, copies, more)).hasValue(copy);
  }

  @Test
  void aCloneWaitsWhileACopyOfItsOwnIsExpected() {
    assertThat(DelayAssignment.copyFor(1, 1, true)).isEmpty();
    assertThat(DelayAssignment.copyFor(2, 2, true)).isEmpty();
  }
}
