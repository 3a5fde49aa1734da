// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class DemoInputTest {
  private static final Path DIRECTORY = new Path("/in");
  private static final DemoInput WHOLE =
      new DemoInput(DIRECTORY, List.of(DIRECTORY), 7200, List.of());
  private static final DemoJobSpec SAMPLING = DemoJobSpec.of(Scenario.SAMPLING);

  @Test
  void stockHadoopReadsFilesThatWereDrawnBeforehand() {
    DemoInput drawn = WHOLE.asked(SAMPLING, RunMode.STOCK);

    assertThat(drawn.paths())
        .hasSize(20)
        .doesNotHaveDuplicates()
        .allMatch(file -> file.toString().matches("/in/text-[0-7][0-9]"))
        .isEqualTo(WHOLE.asked(SAMPLING, RunMode.STOCK).paths());
    assertThat(drawn.records()).isEqualTo(2000);
    DemoJobSpec next = SAMPLING.with().load(0.5, 2).build();
    assertThat(WHOLE.asked(next, RunMode.STOCK).paths()).isNotEqualTo(drawn.paths());
  }

  @Test
  void droverIsGivenTheWholeInput() {
    DemoInput given = WHOLE.asked(SAMPLING, RunMode.DROVER);

    assertThat(given.paths()).containsExactly(DIRECTORY);
    assertThat(given.records()).isEqualTo(2000); // of the sample: the pace of the reduces
  }

  @Test
  void otherJobsReadAll() {
    assertThat(WHOLE.asked(DemoJobSpec.of(Scenario.NONE), RunMode.STOCK)).isEqualTo(WHOLE);
  }
}
