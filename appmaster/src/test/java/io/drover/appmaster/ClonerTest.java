// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import io.drover.speculator.SecondAttempts;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What errors come to; what clones do is in {@link AllocatorIT} and {@link CloneLimitsIT}. */
class ClonerTest {
  private static final int MAPS = 6;

  private final AtomicLong nanos = new AtomicLong();
  private final Map<DroverCounter, Long> counters = new EnumMap<>(DroverCounter.class);
  private final Breakers breakers =
      new Breakers(nanos::get, (counter, amount) -> counters.merge(counter, amount, Long::sum));
  private final JobImpl job = jobOfStartingMaps();
  private final MapCopies copies = mock();
  private final Cloner cloner =
      new Cloner(
          () -> job,
          Runnable::run,
          new CloneSettings(10, 4, 0.05, 0.05, 0.1),
          Set.of(TaskKind.MAP),
          new AttemptBudget(4, 4, true, true),
          new SecondAttempts((why, seenHere) -> {}),
          new CloneLedger((kind, more) -> {}),
          copies,
          new ClusterChannel(),
          Mode.ON,
          (type, fields) -> {},
          breakers);

  private static JobImpl jobOfStartingMaps() {
    JobId id = MRBuilderUtils.newJobId(ApplicationId.newInstance(0, 0), 0);
    Map<TaskId, Task> tasks = new HashMap<>();
    for (int i = 0; i < MAPS; i++) {
      TaskId map = MRBuilderUtils.newTaskId(id, i, TaskType.MAP);
      tasks.put(map, starting(map));
    }
    JobImpl job = mock();
    when(job.getTotalMaps()).thenReturn(MAPS);
    when(job.getTasks(TaskType.MAP)).thenReturn(tasks);
    return job;
  }

  private static Task starting(TaskId id) {
    TaskAttemptId first = MRBuilderUtils.newTaskAttemptId(id, 0);
    TaskAttempt attempt = mock();
    when(attempt.getID()).thenReturn(first);
    when(attempt.getState()).thenReturn(TaskAttemptState.STARTING);
    Task task = mock();
    when(task.getID()).thenReturn(id);
    when(task.getAttempts()).thenReturn(Map.of(first, attempt));
    return task;
  }

  private long failuresAfterAHeartbeatWithRoomForOne() {
    Cloner.Room room = mock();
    when(room.free(TaskKind.MAP)).thenReturn(1);
    when(room.isAskedFor(any())).thenReturn(true);
    cloner.heartbeat(room, 0);
    breakers.count();
    return counters.getOrDefault(DroverCounter.STEPS_FAILED, 0L);
  }

  @Test
  void clonesThatCannotBeMadeSwitchTheMakingOffThoughTheHeartbeatsBetweenGoWell() {
    when(job.getTask(any())).thenThrow(new AssertionError("broken"));
    for (int heartbeat = 1; heartbeat <= CircuitBreaker.FAILURES; heartbeat++) {
      assertThat(failuresAfterAHeartbeatWithRoomForOne()).isEqualTo(heartbeat);
    }
    assertThat(counters).containsEntry(DroverCounter.CLONING_OFF, 1L);
    for (int heartbeat = 0; heartbeat < 2 * MAPS; heartbeat++) {
      assertThat(failuresAfterAHeartbeatWithRoomForOne())
          .as("what is not tried uses no task's clones up")
          .isEqualTo(CircuitBreaker.FAILURES);
    }
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    assertThat(failuresAfterAHeartbeatWithRoomForOne())
        .as("one is tried again")
        .isEqualTo(CircuitBreaker.FAILURES + 1);
  }

  @ParameterizedTest
  @EnumSource
  void attemptsAreHeldBackOnlyWhileTheJobRuns(JobStateInternal state) {
    when(job.getState()).thenReturn(JobState.RUNNING); // as long as the AppMaster is registered
    when(job.getInternalState()).thenReturn(state);
    when(copies.isHolding()).thenReturn(true);
    cloner.releaseDue();
    verify(copies).releaseDue(state == JobStateInternal.RUNNING);
  }
}
