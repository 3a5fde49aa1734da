// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveContainerTest {
  @ParameterizedTest
  @CsvSource({
    "container_1795564106978_0001_01_000002, true",
    "container_e02_1795564106978_0001_01_000002, true",
    "container_1795564106978_0011_01_000002, false",
    "container_1795564106978_00011_01_000002, false",
    "container_795564106978_0001_01_000002, false",
  })
  void knowsItsJob(String container, boolean expected) {
    LiveContainer live = new LiveContainer(1, "n1", container, Optional.empty());
    assertThat(live.isOf("job_1795564106978_0001")).isEqualTo(expected);
  }
}
