// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.model.TaskKind;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;

class HeadroomTest {
  private long nanos;
  private final Headroom headroom = new Headroom(() -> nanos, Breakers.uncounted());
  private final Cloner.Room room = mock(Cloner.Room.class);

  @Test
  void nothingIsKnownBeforeTheFirstHeartbeat() {
    assertThat(headroom.slots(TaskKind.MAP)).isEmpty();
  }

  @Test
  void whatTheLastHeartbeatSaidHolds() {
    when(room.free(TaskKind.MAP)).thenReturn(5, 2);
    when(room.free(TaskKind.REDUCE)).thenReturn(-3);
    headroom.accept(room);
    assertThat(headroom.slots(TaskKind.MAP)).hasValue(5);
    assertThat(headroom.slots(TaskKind.REDUCE)).hasValue(0);
    headroom.accept(room);
    assertThat(headroom.slots(TaskKind.MAP)).hasValue(2);
  }

  @Test
  void heartbeatIsFreshForFiveSecondsOrForThreeOfItsIntervals() {
    Configuration conf = new Configuration(false);
    BooleanSupplier usual = headroom.isFresh(conf);
    conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, 10_000);
    BooleanSupplier slow = headroom.isFresh(conf);
    assertThat(slow.getAsBoolean()).as("there was none").isFalse();
    headroom.accept(room);
    nanos = Duration.ofSeconds(5).toNanos() - 1;
    assertThat(usual.getAsBoolean()).isTrue();
    assertThat(slow.getAsBoolean()).isTrue();
    nanos = Duration.ofSeconds(30).toNanos() - 1;
    assertThat(usual.getAsBoolean()).isFalse();
    assertThat(slow.getAsBoolean()).isTrue();
    nanos++;
    assertThat(slow.getAsBoolean()).isFalse();
    headroom.accept(room);
    assertThat(slow.getAsBoolean()).isTrue();
  }

  @Test
  void anErrorLeavesWhatWasKnown() {
    when(room.free(TaskKind.MAP)).thenReturn(5).thenThrow(new IllegalStateException());
    headroom.accept(room);
    headroom.accept(room);
    assertThat(headroom.slots(TaskKind.MAP)).hasValue(5);
  }
}
