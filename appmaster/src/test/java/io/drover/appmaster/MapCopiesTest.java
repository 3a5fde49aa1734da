// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.clone.DelayAssignment;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.yarn.util.SystemClock;
import org.junit.jupiter.api.Test;

/** What errors come to; what copies are for is in {@link MapCopiesIT}. */
class MapCopiesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Map<DroverCounter, Long> counters = new EnumMap<>(DroverCounter.class);
  private final Breakers breakers =
      new Breakers(nanos::get, (counter, amount) -> counters.merge(counter, amount, Long::sum));
  private final MapCopies.KnownClones clones = mock();
  private final MapCopies copies =
      new MapCopies(
          new DelayAssignment(0.1),
          () -> clones,
          new AttemptReports(),
          SystemClock.getInstance(),
          () -> 0L,
          (type, fields) -> {},
          breakers);
  private final Task map = mock(RETURNS_DEEP_STUBS);

  private boolean holdsBack() {
    return copies.holdsBack(map, mock(TaskAttemptId.class), mock(TaskAttemptKillEvent.class));
  }

  @Test
  void threeErrorsInARowSwitchCopiesOffForAMinute() {
    when(clones.isCloned(any())).thenThrow(new AssertionError("broken"));
    for (int i = 0; i < 5; i++) {
      assertThat(holdsBack()).isFalse(); // Hadoop kills it, as ever
    }
    breakers.count();
    assertThat(counters)
        .containsEntry(DroverCounter.MAP_COPIES_OFF, 1L)
        .containsEntry(DroverCounter.STEPS_FAILED, 3L);
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    assertThat(holdsBack()).isFalse();
    breakers.count();
    assertThat(counters).containsEntry(DroverCounter.STEPS_FAILED, 4L); // it was tried
  }

  @Test
  void nothingIsThrownOnTheDispatcherThread() {
    when(clones.areFed(any(Long.class))).thenThrow(new AssertionError("broken"));
    copies.releaseDue(true);
    copies.observe(null);
    copies.lost(null);
    assertThat(copies.releaseAll()).isZero();
    breakers.count();
    assertThat(counters.get(DroverCounter.STEPS_FAILED)).isPositive();
  }

  @Test
  void orderOfTasksIsLeftAsItIsWhereNoneCanBeMade() {
    Task broken = mock();
    when(broken.getID()).thenThrow(new AssertionError("broken"));
    List<Task> tasks = List.of(broken, broken);
    for (Mode mode : Mode.values()) {
      assertThat(TaskStartOrder.of(mode, breakers).apply(tasks)).isEqualTo(tasks);
    }
  }
}
