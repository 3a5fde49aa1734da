// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampledJobTest {
  /** The outputs of all others are protected and copied as in a job that reads its whole input. */
  @ParameterizedTest
  @CsvSource({
    "blocks, on, true, true",
    "blocks, on, false, false", // it draws its blocks, because a spare map could do harm, say
    "blocks, off, true, false",
    "record, on, true, false",
    "bloks, on, true, false"
  })
  void jobIsLateIfItsMapsTakeTheirBlocksWhenTheirContainersCome(
      String key, String mode, boolean mayBindLate, boolean isLate) {
    Configuration conf = new Configuration(false);
    conf.set("mapreduce.drover.sample." + key, "3");
    conf.set("mapreduce.drover.sample.mode", mode);
    SampledJob sampled = SampledJob.of(conf, () -> mayBindLate, () -> null, blocks -> 1, 1, null);
    assertThat(sampled.isAsked()).isTrue();
    assertThat(sampled.isLate()).isEqualTo(isLate);
  }

  @Test
  void jobIsNotLateIfNobodyKnowsWhetherThatIsSafe() {
    Configuration conf = new Configuration(false);
    conf.set("mapreduce.drover.sample.blocks", "3");
    BooleanSupplier broken =
        () -> {
          throw new NoClassDefFoundError("Gone");
        };
    SampledJob sampled = SampledJob.of(conf, broken, () -> null, blocks -> 1, 1, null);
    assertThat(sampled.isLate()).isFalse();
  }
}
