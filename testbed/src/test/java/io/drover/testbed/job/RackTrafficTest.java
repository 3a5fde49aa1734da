// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RackTrafficTest {
  @Test
  void whatStaysInARackCrossesNoLink() {
    RackTraffic traffic = new RackTraffic();
    traffic.add("/a", "/a", 100);
    traffic.add("/a", "/b", 30);
    traffic.add("/a", "/c", 5);
    traffic.add("/b", "/c", 20);
    assertThat(traffic.up()).isEqualTo(Map.of("/a", 35L, "/b", 20L, "/c", 0L));
    assertThat(traffic.down()).isEqualTo(Map.of("/a", 0L, "/b", 30L, "/c", 25L));
    assertThat(traffic.busiest()).isEqualTo(35);
    assertThat(traffic.crossRack()).isEqualTo(55);
  }

  @Test
  void nothingIsBusyWhereNothingWent() {
    assertThat(new RackTraffic().busiest()).isZero();
    assertThat(new RackTraffic().crossRack()).isZero();
  }
}
