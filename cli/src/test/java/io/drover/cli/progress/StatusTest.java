// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusTest {

  @Test
  void theLineFitsItsWidth() {
    Status status = new Status(0, 4, 20, 60, "slow-node, off");

    for (int width : new int[] {10, 40, 79, 200}) {
      assertThat(status.line(width, true).length()).isLessThanOrEqualTo(width);
    }
    assertThat(status.line(100, false)).matches("0/4 \\[#{7}\\.{23}\\] 1:00 left  slow-node, off");
  }

  @Test
  void namesOfOthersCannotControlTheTerminal() {
    assertThat(new Status(0, 4, 20, 60, "asks \u001b[31mevil\n").line(100, false))
        .endsWith(" left  asks  [31mevil ");
  }

  @Test
  void nothingToDoIsAllDone() {
    assertThat(new Status(0, 0, 0, 0, "").line(100, false)).contains("[" + "#".repeat(30) + "]");
  }

  @Test
  void timeIsMinutesAndSeconds() {
    assertThat(Status.clock(0)).isEqualTo("0:00");
    assertThat(Status.clock(65.4)).isEqualTo("1:05");
    assertThat(Status.clock(3599.9)).isEqualTo("60:00");
  }
}
