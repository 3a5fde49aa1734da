// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTest {

  @Test
  void namesStandToTheLeftAndNumbersToTheRight() {
    List<List<String>> rows = List.of(List.of("", "p50"), List.of("drover", "100.0"));

    assertThat(Text.widths(rows)).containsExactly(6, 5);
    assertThat(Text.align(rows)).containsExactly("          p50", "drover  100.0");
  }
}
