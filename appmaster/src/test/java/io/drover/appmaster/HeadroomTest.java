// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.model.TaskKind;
import io.drover.speculator.Breakers;
import org.junit.jupiter.api.Test;

class HeadroomTest {
  private final Headroom headroom = new Headroom(Breakers.uncounted());
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
  void anErrorLeavesWhatWasKnown() {
    when(room.free(TaskKind.MAP)).thenReturn(5).thenThrow(new IllegalStateException());
    headroom.accept(room);
    headroom.accept(room);
    assertThat(headroom.slots(TaskKind.MAP)).hasValue(5);
  }
}
