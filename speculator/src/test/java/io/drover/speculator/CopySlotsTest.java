// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Ten maps and ten reduces run. The user allows ten copies of each. */
class CopySlotsTest {
  private static final SpeculationCap TEN = new SpeculationCap(10, 0, 0);
  private static final double PATIENCE = 9;

  private final PhaseModel maps = phase(TaskKind.MAP);
  private final PhaseModel reduces = phase(TaskKind.REDUCE);
  private final AttemptPlacementHook hook = mock(AttemptPlacementHook.class);

  private static PhaseModel phase(TaskKind kind) {
    PhaseModel phase = new PhaseModel(kind, EstimatorSettings.withPeriod(Duration.ofSeconds(1)));
    for (int i = 0; i < 10; i++) {
      phase.addTask().addAttempt(0, 0).launched(1, "n" + i);
    }
    return phase;
  }

  private CopySlots slots(Optional<AttemptPlacementHook> told) {
    return new CopySlots(TEN, told, List.of(maps, reduces), PATIENCE);
  }

  private int free(boolean tasksWait, double now) {
    return slots(Optional.of(hook)).free(maps, tasksWait, now);
  }

  private void room(int now) {
    when(hook.freeSlots(TaskKind.MAP)).thenReturn(OptionalInt.of(now));
  }

  private static void request(PhaseModel phase, int task, double now) {
    TaskModel copied = phase.tasks().get(task);
    copied.copied(now);
    copied.addAttempt(1, now);
  }

  @Test
  void whereNothingIsToldTheUserAllowsIt() {
    when(hook.freeSlots(TaskKind.MAP)).thenReturn(OptionalInt.empty());
    assertThat(free(false, 10)).isEqualTo(10);
    assertThat(slots(Optional.empty()).free(maps, false, 10)).isEqualTo(10);
  }

  @Test
  void asManyAsThereIsRoomForAndTheUserAllows() {
    room(4);
    assertThat(free(false, 10)).isEqualTo(4);
    room(40);
    assertThat(free(false, 10)).isEqualTo(10);
  }

  @Test
  void theRoomIsSpentOnceForMapsAndReduces() {
    room(4);
    request(maps, 0, 10);
    reduces.tasks().get(0).copied(10); // decided, and not yet an attempt
    assertThat(free(false, 10.5)).isEqualTo(2);
    assertThat(free(false, 12.5)).as("the ResourceManager knows of both").isEqualTo(4);
  }

  @Test
  void whereThereIsNoRoomOneTakesTheNextSlot() {
    room(0);
    assertThat(free(false, 10)).isEqualTo(1);
    request(maps, 0, 10);
    assertThat(free(false, 10.5)).isZero();
    assertThat(free(false, 15)).isZero();
  }

  @Test
  void whileTasksWaitCopiesTakeTheSlotsOfThoseThatEnd() {
    room(0);
    assertThat(free(true, 10)).isEqualTo(10);
  }

  @Test
  void noneIsRequestedWhileAnotherHasWaitedForLong() {
    room(4);
    request(maps, 0, 10);
    assertThat(free(false, 19)).isEqualTo(4);
    assertThat(free(false, 19.1)).isZero();
    assertThat(free(true, 19.1)).isZero();
  }
}
