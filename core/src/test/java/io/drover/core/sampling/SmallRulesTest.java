// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests extra tasks, the record of a sample, and the settings. */
class SmallRulesTest {
  private static ExtraTasks.Count count(double ratio, int k, int n, boolean first) {
    return new ExtraTasks(new SamplingSettings(ratio, 3, 1, 0.01, 5, false)).of(k, n, first);
  }

  @ParameterizedTest
  @CsvSource({
    "1.05, 400, 420, AS_CONFIGURED", // KMN section 1
    "1.15, 20, 23, AS_CONFIGURED",
    "1.1, 10, 11, AS_CONFIGURED",
    "1.05, 20, 21, AS_CONFIGURED",
    "1.05, 19, 19, FEW_TASKS",
    "1.05, 1, 1, FEW_TASKS",
    "2, 1, 2, AS_CONFIGURED",
    "10, 1, 10, AS_CONFIGURED", // the maximum of yarn.drover.upstream-ratio
    "1, 400, 400, OFF",
    "1.5, 800, 1000, NO_MORE_BLOCKS"
  })
  void extraTasksNeverExceedTheRatio(double ratio, int k, int m, ExtraTasks.Reason reason) {
    assertThat(count(ratio, k, 1000, true)).isEqualTo(new ExtraTasks.Count(m, m - k, reason));
  }

  @Test
  void laterStagesGetNoExtraTasks() {
    assertThat(count(1.5, 400, 1000, false))
        .isEqualTo(new ExtraTasks.Count(400, 0, ExtraTasks.Reason.LATER_STAGE));
  }

  @Test
  void extraTasksNeedBlocks() {
    assertThatIllegalArgumentException().isThrownBy(() -> count(1.05, 0, 10, true));
    assertThatIllegalArgumentException().isThrownBy(() -> count(1.05, 11, 10, true));
  }

  @Test
  void recordsThatContradictThemselvesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SampleRecord(2, 10, -1, List.of(1, 2)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SampleRecord(2, 10, 0, List.of(-1, 2)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SampleRecord(2, 10, 0, List.of(2, 1)));
  }

  @ParameterizedTest
  @CsvSource({
    "0.99, 3, 1, 0.01, 5, extraRatio",
    "10.01, 3, 1, 0.01, 5, extraRatio",
    "NaN, 3, 1, 0.01, 5, extraRatio",
    "1.05, -1, 1, 0.01, 5, localitySeconds",
    "1.05, Infinity, 1, 0.01, 5, localitySeconds",
    "1.05, 3, NaN, 0.01, 5, sampleSeconds",
    "1.05, 3, 1, 1, 5, coalesce",
    "1.05, 3, 1, -0.1, 5, coalesce",
    "1.05, 3, 1, 0.01, 1, leastFinished"
  })
  void settingsOutOfRangeAreNamedAndRefused(
      double ratio, double locality, double sample, double coalesce, int least, String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SamplingSettings(ratio, locality, sample, coalesce, least, false))
        .withMessageStartingWith(name);
  }
}
