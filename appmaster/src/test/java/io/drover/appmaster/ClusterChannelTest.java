// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.ClusterState;
import io.drover.channel.ClusterTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ClusterChannelTest {
  private static ClusterChannel told(OptionalDouble p, Map<String, Double> machines) {
    ClusterTable table = ClusterTable.of(machines, List.of(), Map.of());
    return new ClusterChannel(
        () -> Optional.of(new ClusterState(p, table, OptionalInt.empty(), 1, Optional.empty())));
  }

  @Test
  void hostIsSlowIfItStandsOut() {
    ClusterChannel channel = told(OptionalDouble.of(0.2), Map.of("a", 0.5, "b", 0.39));
    assertThat(channel.isSlow("a")).isTrue();
    assertThat(channel.isSlow("b")).isFalse();
    assertThat(channel.isSlow("unknown")).isFalse();
  }

  /** Before the scheduler has learnt anything, it may know what operators and HDFS say. */
  @Test
  void hostThatOthersCallSlowIsSlowFromTheStart() {
    ClusterChannel channel = told(OptionalDouble.empty(), Map.of("a", 0.5));
    assertThat(channel.isSlow("a")).isTrue();
    assertThat(channel.isSlow("b")).isFalse();
  }

  @Test
  void nothingIsSlowWhileTheSchedulerIsSilent() {
    assertThat(new ClusterChannel(Optional::empty).isSlow("a")).isFalse();
  }
}
