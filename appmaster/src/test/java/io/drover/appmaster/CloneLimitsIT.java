// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.awaitState;
import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.channel.ClusterState;
import io.drover.channel.ClusterTable;
import io.drover.core.clone.ClonePriority;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import io.drover.core.restart.SlowTasks;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.CountedRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What binds clones: their deadline, and the limits that the job sets for its attempts. */
class CloneLimitsIT {
  private static final int MAP = 20;
  private static final int FAILED_MAP = 5;
  private static final int MAP_CLONE = ClonePriority.of(TaskKind.MAP);
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
  private static final CloneSettings NO_CLONES = new CloneSettings(0, 1, 0.05, 0.05, 0.1);
  private static final Duration PATIENT = FakeCluster.PATIENT;

  private static FakeCluster cluster(FakeScheduler scheduler, CloneSettings clones) {
    return new FakeCluster(scheduler, PATIENT, clones, Mode.OFF);
  }

  /** Returns a channel that says that outliers are frequent, and how likely the job succeeds. */
  private static ClusterChannel channel(Supplier<OptionalDouble> success) {
    return new ClusterChannel(
        () ->
            Optional.of(
                new ClusterState(
                    OptionalDouble.of(0.1),
                    ClusterTable.EMPTY,
                    OptionalInt.empty(),
                    1,
                    Optional.empty(),
                    false,
                    success.get(),
                    SlowTasks.NONE)));
  }

  private static FakeCluster cluster(FakeScheduler scheduler, ClusterChannel channel) {
    return new FakeCluster(scheduler, PATIENT, CLONES, Mode.OFF, channel);
  }

  private static List<Task> maps(TestApp app) {
    return List.copyOf(app.job().getTasks(TaskType.MAP).values());
  }

  private static void finish(TestApp app, Task task) throws Exception {
    await().until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
    app.send(inState(task, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
    app.waitForState(task, TaskState.SUCCEEDED);
  }

  private static void finishAll(TestApp app) throws Exception {
    finishAllBut(Set.of(), app);
  }

  private static void finishAllBut(Set<Task> done, TestApp app) throws Exception {
    for (Task map : maps(app)) {
      if (!done.contains(map)) {
        finish(app, map);
      }
    }
    app.waitForState(app.job(), JobState.SUCCEEDED);
  }

  @Test
  void jobThatIsExpectedToFailHasNoClones() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(22).nodes(4, "/r", 5);
    ClusterChannel channel = channel(() -> OptionalDouble.of(0.02));
    try (TestApp app = TestApp.on(cluster(scheduler, channel), 4, 0)) {
      await().until(() -> scheduler.given(MAP) == 4);
      app.settle();
      assertThat(maps(app)).allSatisfy(map -> assertThat(map.getAttempts()).hasSize(1));
      finishAll(app);
    }
  }

  @Test
  void clonesEndWhenTheirJobIsExpectedToFailAndTheirElderAttemptsGoOn() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(23).nodes(4, "/r", 5);
    AtomicReference<OptionalDouble> success = new AtomicReference<>(OptionalDouble.empty());
    try (TestApp app = TestApp.on(cluster(scheduler, channel(success::get)), 4, 0)) {
      for (Task map : maps(app)) {
        TestApp.awaitRunning(map, 0);
        TestApp.awaitRunning(map, 1);
      }
      success.set(OptionalDouble.of(0.02));
      for (Task map : maps(app)) {
        awaitState(attempt(map, 1), TaskAttemptState.KILLED);
        assertThat(attempt(map, 0).getState()).isEqualTo(TaskAttemptState.RUNNING);
        assertThat(attempt(map, 1).getDiagnostics().toString()).contains("expected to fail");
      }
      app.settle();
      for (Task map : maps(app)) {
        assertThat(map.getAttempts()).hasSize(2); // none is made again
      }
      finishAll(app);
    }
  }

  @Test
  void cloneThatIsAheadOfItsElderGoesOnThoughTheJobIsExpectedToFail() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(25).nodes(4, "/r", 5);
    AtomicReference<OptionalDouble> success = new AtomicReference<>(OptionalDouble.empty());
    try (TestApp app = TestApp.on(cluster(scheduler, channel(success::get)), 2, 0)) {
      for (Task map : maps(app)) {
        TestApp.awaitRunning(map, 0);
        TestApp.awaitRunning(map, 1);
      }
      TaskAttempt ahead = attempt(maps(app).get(0), 1);
      TaskAttemptStatus status = new TaskAttemptStatus();
      status.id = ahead.getID();
      status.phase = Phase.MAP;
      status.stateString = "";
      status.progress = 0.5f;
      status.counters = new Counters();
      app.send(new TaskAttemptStatusUpdateEvent(ahead.getID(), new AtomicReference<>(status)));
      app.settle();
      success.set(OptionalDouble.of(0.05));
      awaitState(attempt(maps(app).get(1), 1), TaskAttemptState.KILLED);
      app.settle();
      assertThat(ahead.getState()).isEqualTo(TaskAttemptState.RUNNING);
      finishAll(app);
    }
  }

  @Test
  void clonesThatWaitForContainersAreWithdrawnAsWell() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(24).nodes(4, "/r", 5).withholds(MAP_CLONE);
    AtomicReference<OptionalDouble> success = new AtomicReference<>(OptionalDouble.empty());
    try (TestApp app = TestApp.on(cluster(scheduler, channel(success::get)), 4, 0)) {
      await().until(() -> scheduler.asked(MAP_CLONE) == 4);
      success.set(OptionalDouble.of(0.01));
      await().until(() -> scheduler.asked(MAP_CLONE) == 0); // before its time
      for (Task map : maps(app)) {
        awaitState(attempt(map, 1), TaskAttemptState.KILLED);
      }
      finishAll(app);
    }
  }

  @Test
  void cloneThatIsGivenNoContainerInTimeIsWithdrawnAndLeavesNoRequest() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(21).nodes(4, "/r", 5).withholds(MAP_CLONE);
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES), 4, 0)) {
      await().until(() -> scheduler.asked(MAP_CLONE) == 4);
      app.passes(CloneRecords.PATIENCE);
      await().until(() -> scheduler.asked(MAP_CLONE) == 0);
      for (Task map : maps(app)) {
        awaitState(attempt(map, 1), TaskAttemptState.KILLED);
      }
      app.settle();
      assertThat(scheduler.given(MAP)).isEqualTo(4);
      assertThat(scheduler.asked(MAP)).isZero();
      for (Task map : maps(app)) {
        assertThat(map.getAttempts()).hasSize(2); // none was bred, and none is made again
      }
      finishAll(app);
    }
  }

  @Test
  void attemptThatIsKilledWhileItsCloneWaitsIsReplacedByAnOrdinaryOne() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(22).nodes(4, "/r", 5).withholds(MAP_CLONE);
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES), 4, 0)) {
      await().until(() -> scheduler.asked(MAP_CLONE) == 4);
      Task map = maps(app).get(0);
      TestApp.awaitRunning(map, 0);
      app.send(attempt(map, 0), TaskAttemptEventType.TA_KILL);
      await().until(() -> scheduler.given(MAP) == 5); // as the clone still waits
      await().until(() -> !inState(map, TaskAttemptState.RUNNING).isEmpty());
      finishAll(app);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "3,1", "4,2", "6,3"})
  void attemptsAtOnceLeaveHalfOfTheAllowedFailures(int maxAttempts, int atOnce) throws Exception {
    CloneSettings many = new CloneSettings(10, 4, 0.05, 0.05, 0.4);
    FakeScheduler scheduler = FakeCluster.scheduler(23).nodes(4, "/r", 5);
    Map<String, String> limit = Map.of(MRJobConfig.MAP_MAX_ATTEMPTS, "" + maxAttempts);
    try (TestApp app = TestApp.on(cluster(scheduler, many), 2, 0, limit)) {
      for (Task map : maps(app)) {
        TestApp.awaitRunning(map, 0);
        await().until(() -> inState(map, TaskAttemptState.RUNNING).size() >= atOnce);
      }
      app.settle();
      for (Task map : maps(app)) {
        assertThat(map.getAttempts()).hasSize(atOnce);
      }
      finishAll(app);
    }
  }

  @Test
  void cloneOfATaskThatWasCopiedMeanwhileIsGivenNoContainer() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(27).nodes(4, "/r", 10).withholds(MAP_CLONE);
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES), 4, 0)) {
      await().until(() -> scheduler.asked(MAP_CLONE) == 4);
      Task copied = maps(app).get(0);
      TestApp.awaitRunning(copied, 0);
      copy(app, copied);
      TestApp.awaitRunning(copied, 2); // so two attempts run, of the four that may fail
      scheduler.gives(MAP_CLONE);
      awaitState(attempt(copied, 1), TaskAttemptState.KILLED);
      for (Task other : maps(app).subList(1, 4)) {
        TestApp.awaitRunning(other, 1);
      }
      assertThat(inState(copied, TaskAttemptState.RUNNING)).hasSize(2);
      finishAll(app);
    }
  }

  /** Adds a speculator's copy to a task, which is an ordinary request. */
  private static void copy(TestApp app, Task task) {
    int before = task.getAttempts().size();
    app.send(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
    await().until(() -> task.getAttempts().size() > before);
  }

  @ParameterizedTest
  @CsvSource({"4,0", "5,1", "6,2", "8,4"})
  void clonesAndOriginalsTogetherStayWithinTheRunningLimit(int limit, int clones) throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(24).nodes(4, "/r", 10);
    Map<String, String> running = Map.of(MRJobConfig.JOB_RUNNING_MAP_LIMIT, "" + limit);
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES), 4, 0, running)) {
      for (Task map : maps(app)) {
        TestApp.awaitRunning(map, 0); // no original is held back
      }
      await().until(() -> scheduler.given(MAP_CLONE) == clones);
      app.settle();
      assertThat(scheduler.asked(MAP_CLONE)).isZero();
      assertThat(scheduler.given(MAP_CLONE)).isEqualTo(clones);
      finishAll(app);
    }
  }

  @Test
  void attemptThatTheRunningLimitHoldsBackIsMadeRoomForByAClone() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(25).nodes(4, "/r", 10);
    Map<String, String> running = Map.of(MRJobConfig.JOB_RUNNING_MAP_LIMIT, "8");
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES), 4, 0, running)) {
      for (Task map : maps(app)) {
        await().until(() -> inState(map, TaskAttemptState.RUNNING).size() == 2);
      }
      Task copied = maps(app).get(0);
      copy(app, copied);
      TestApp.awaitRunning(copied, 2);
      int together = 0;
      for (Task map : maps(app)) {
        together += inState(map, TaskAttemptState.RUNNING).size();
      }
      assertThat(together).isLessThanOrEqualTo(8);
      finishAll(app);
    }
  }

  /**
   * Restarts go to hosts that another restart has fled from, so containers change hands past
   * Hadoop's own list of maps that failed before, by whose length it limits what it asks for.
   */
  @Test
  void restartsThatSwapTheirHostsLeaveARunningLimitWhole() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(26).nodes(2, "/r", 1);
    Map<String, String> running = Map.of(MRJobConfig.JOB_RUNNING_MAP_LIMIT, "2");
    try (TestApp app = TestApp.on(cluster(scheduler, NO_CLONES), 6, 0, running)) {
      Set<Task> done = new HashSet<>();
      for (int round = 0; round < 2; round++) {
        List<Task> two = restarted(app, scheduler, done);
        for (Task map : two) {
          finish(app, map);
        }
        done.addAll(two);
      }
      assertThat(scheduler.given(FAILED_MAP)).isGreaterThanOrEqualTo(4);
      finishAllBut(done, app); // the last ones are asked for as well
    }
  }

  /** Hadoop's list stays as it is, then too. */
  @Test
  void runningLimitStaysWholeWhereHadoopHandsOutAllContainersAfterErrors() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(26).nodes(2, "/r", 1);
    Map<String, String> running = Map.of(MRJobConfig.JOB_RUNNING_MAP_LIMIT, "2");
    try (TestApp app = TestApp.on(cluster(scheduler, NO_CLONES), 4, 0, running)) {
      List<Task> two = restarted(app, scheduler, Set.of());
      ((CountedRequests) app.getContainerAllocator()).stopsSteering();
      for (Task map : two) {
        finish(app, map);
      }
      finishAllBut(Set.copyOf(two), app);
    }
  }

  /** Restarts the two maps that run on each other's host, and waits until they run again. */
  private static List<Task> restarted(TestApp app, FakeScheduler scheduler, Set<Task> done) {
    await().until(() -> under(app, done).size() == 2);
    List<Task> two = under(app, done);
    scheduler.withholds(MAP); // no other map takes the host that one of the two waits for
    for (Task map : two) {
      TaskAttempt slow = inState(map, TaskAttemptState.RUNNING).get(0);
      app.antiAffinity().flees(slow.getID());
      app.send(new TaskAttemptKillEvent(slow.getID(), "restart", true));
    }
    for (Task map : two) {
      await().until(() -> map.getAttempts().size() == 2 && under(app, done).contains(map));
    }
    scheduler.gives(MAP);
    return two;
  }

  private static List<Task> under(TestApp app, Set<Task> but) {
    return maps(app).stream()
        .filter(map -> !but.contains(map) && !inState(map, TaskAttemptState.RUNNING).isEmpty())
        .toList();
  }
}
