// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnsTest {

  @Test
  void namesStandToTheLeftAndNumbersToTheRight() {
    List<List<String>> rows = List.of(List.of("", "p50"), List.of("drover", "100.0"));

    assertThat(Columns.widths(rows)).containsExactly(6, 5);
    assertThat(Columns.align(rows)).containsExactly("          p50", "drover  100.0");
  }
}
