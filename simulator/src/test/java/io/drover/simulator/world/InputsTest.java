// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 3, 1, replicas",
    "11, 3, 1, replicas",
    "3, -1, 1, localitySeconds",
    "3, NaN, 1, localitySeconds",
    "3, Infinity, 1, localitySeconds",
    "3, 3, 0, localShare",
    "3, 3, 1.1, localShare"
  })
  void whatIsOutOfRangeIsNamed(int replicas, double seconds, double share, String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Inputs(replicas, seconds, share))
        .withMessageContaining(name);
  }
}
