// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.host.Host;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackgroundLoadTest {
  private static final List<Host> HOSTS = new ArrayList<>();

  static {
    for (int i = 1; i <= 6; i++) {
      HOSTS.add(new Host("n" + i, "127.0.0." + i, "/rack" + (i + 1) / 2));
    }
  }

  private static List<Host> slots(double load, int draw) {
    return BackgroundLoad.slots(HOSTS, 4, load, draw);
  }

  @Test
  void aLoadIsAShareOfAllSlots() {
    assertThat(slots(0.5, 1)).hasSize(12);
    assertThat(slots(0.8, 1)).hasSize(19);
  }

  @Test
  void noHostHasMoreThanItsSlotsAndTheFirstKeepsOneForTheAppMaster() {
    for (int draw = 1; draw <= 50; draw++) {
      List<Host> slots = slots(0.8, draw);
      assertThat(HOSTS).allMatch(host -> Collections.frequency(slots, host) <= 4);
      assertThat(Collections.frequency(slots, HOSTS.get(0))).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void aDrawGivesTheSameSlotsAgainAndALargerLoadHasThoseOfASmaller() {
    assertThat(slots(0.5, 7)).isEqualTo(slots(0.5, 7));
    assertThat(slots(0.8, 7)).startsWith(slots(0.5, 7).toArray(Host[]::new));
    assertThat(slots(0.5, 7)).isNotEqualTo(slots(0.5, 8));
  }
}
