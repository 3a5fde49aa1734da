// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.awaitState;
import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.clone.ClonePriority;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import io.drover.speculator.AttemptPlacementHook;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptFailEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose tasks cannot bear two attempts, in Hadoop's own AppMaster with Drover's tasks. */
class SecondAttemptsIT {
  private static final int FAILED_MAP = 5;
  private static final int MAP_CLONE = ClonePriority.of(TaskKind.MAP);
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
  private static final CloneSettings NO_CLONES = new CloneSettings(0, 1, 0.05, 0.05, 0.1);
  private static final String LEASE =
      "Error: java.io.IOException: DFSOutputStream has been closed, the lease was taken";

  private static TestApp cloned(int maps, Map<String, String> settings) throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(41).nodes(4, "/r", 10);
    TestApp app =
        TestApp.on(
            new FakeCluster(scheduler, FakeCluster.PATIENT, CLONES, Mode.OFF), maps, 0, settings);
    for (Task map : maps(app)) {
      await().until(() -> inState(map, TaskAttemptState.RUNNING).size() == 2);
    }
    return app;
  }

  private static List<Task> maps(TestApp app) {
    return List.copyOf(app.job().getTasks(TaskType.MAP).values());
  }

  private static void fail(TestApp app, TaskAttempt attempt, String why) {
    app.send(new TaskAttemptDiagnosticsUpdateEvent(attempt.getID(), why));
    app.send(new TaskAttemptFailEvent(attempt.getID()));
  }

  private static void finish(TestApp app, Task task) throws Exception {
    await().until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
    app.send(inState(task, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
    app.waitForState(task, TaskState.SUCCEEDED);
  }

  @Test
  void failureBesideACloneDoesNotCountAndNoSecondAttemptIsMadeAnyMore() throws Exception {
    try (TestApp app = cloned(4, Map.of())) {
      Task first = maps(app).get(0);
      fail(app, attempt(first, 0), LEASE); // its clone has taken the lease
      awaitState(attempt(first, 0), TaskAttemptState.KILLED);
      app.settle();
      assertThat(app.second().objection()).isPresent();
      app.send(new TaskEvent(first.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      app.settle();
      for (Task map : maps(app)) {
        assertThat(map.getAttempts()).as("none is made any more").hasSize(2);
        assertThat(attempt(map, 1).getState())
            .as("it may hold what they contend for")
            .isEqualTo(TaskAttemptState.RUNNING);
        finish(app, map);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void cloneThatWaitsForItsContainerIsWithdrawnAtOnce() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(43).nodes(4, "/r", 10);
    CloneSettings two = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, two, Mode.OFF);
    scheduler.withholds(MAP_CLONE);
    try (TestApp app = TestApp.on(cluster, 4, 0, Map.of())) {
      await().until(() -> scheduler.asked(MAP_CLONE) == 4);
      app.second().forbid("on purpose");
      await().until(() -> scheduler.asked(MAP_CLONE) == 0); // before its time
      for (Task map : maps(app)) {
        awaitState(attempt(map, 1), TaskAttemptState.KILLED);
        finish(app, map);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(scheduler.given(20)).isEqualTo(4);
    }
  }

  /** Each map fails as often as fails the job, but for the two failures that its clone excuses. */
  @Test
  void jobSucceedsThoughEachMapFailsTooOftenBesideItsClone() throws Exception {
    try (TestApp app = cloned(2, Map.of(MRJobConfig.MAP_MAX_ATTEMPTS, "4"))) {
      for (int failures = 0; failures < 4; failures++) {
        for (Task map : maps(app)) {
          failOne(app, map, LEASE);
        }
      }
      for (Task map : maps(app)) {
        assertThat(inState(map, TaskAttemptState.KILLED)).hasSize(2);
        assertThat(inState(map, TaskAttemptState.FAILED)).hasSize(2);
        finish(app, map);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /** Fails an attempt of a task that runs, and waits for its end. */
  private static void failOne(TestApp app, Task task, String why) throws Exception {
    await().until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
    TaskAttempt running = inState(task, TaskAttemptState.RUNNING).get(0);
    fail(app, running, why);
    await().until(running::isFinished);
    app.settle();
  }

  @Test
  void programThatFailsByItselfFailsAfterTheFailuresThatItIsAllowed() throws Exception {
    try (TestApp app = cloned(1, Map.of(MRJobConfig.MAP_MAX_ATTEMPTS, "4"))) {
      Task map = maps(app).get(0);
      int failures = 0;
      while (map.getState() != TaskState.FAILED && failures < 20) {
        await().until(() -> map.isFinished() || !inState(map, TaskAttemptState.RUNNING).isEmpty());
        if (!map.isFinished()) {
          TaskAttempt running = inState(map, TaskAttemptState.RUNNING).get(0);
          fail(app, running, "Error: java.lang.IllegalStateException: a bug");
          await().until(running::isFinished);
          failures++;
        }
        app.settle();
      }
      app.waitForState(app.job(), JobState.FAILED);
      // two are excused for the one clone
      assertThat(failures).isBetween(5, 6);
    }
  }

  /** As the speculator restarts a task: its containers' keeper is told first, then it is killed. */
  @Test
  void restartExcusesTwoFailuresAsACloneDoes() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(44).nodes(8, "/r", 10);
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, NO_CLONES, Mode.OFF);
    try (TestApp app = TestApp.on(cluster, 1, 0, Map.of(MRJobConfig.MAP_MAX_ATTEMPTS, "4"))) {
      Task map = maps(app).get(0);
      TestApp.awaitRunning(map, 0);
      AttemptPlacementHook placementHook =
          new AppMasterPlacementHook(
              app.antiAffinity(),
              app.avoided(),
              app::cloner,
              null,
              app.second(),
              new ClusterChannel(),
              new Headroom(System::nanoTime, Breakers.uncounted()),
              CopiesUnderTest.noProtection());
      placementHook.flees(attempt(map, 0).getID());
      app.second().restarted(map.getID());
      app.send(attempt(map, 0), TaskAttemptEventType.TA_KILL);
      awaitState(attempt(map, 0), TaskAttemptState.KILLED);
      for (int failures = 0; failures < 6; failures++) {
        failOne(app, map, LEASE);
      }
      app.waitForState(app.job(), JobState.FAILED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AttemptID:attempt_0 Timed out after 600 secs",
        "Error: ShuffleError: error in shuffle in fetcher#1",
        "Error: java.lang.OutOfMemoryError: Java heap space",
        "FSError: java.io.IOException: No space left on device"
      })
  void failureOfAnotherCauseCountsAndLeavesTheClones(String why) throws Exception {
    try (TestApp app = cloned(2, Map.of())) {
      Task map = maps(app).get(0);
      fail(app, attempt(map, 0), why);
      awaitState(attempt(map, 0), TaskAttemptState.FAILED);
      app.settle();
      assertThat(app.second().objection()).isEmpty();
      assertThat(attempt(maps(app).get(1), 1).getState()).isEqualTo(TaskAttemptState.RUNNING);
      for (Task each : maps(app)) {
        finish(app, each);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void failureOfAnAttemptThatWasAloneIsAsStock() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(42).nodes(4, "/r", 10).withholds(MAP_CLONE);
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, CLONES, Mode.OFF);
    try (TestApp app = TestApp.on(cluster, 1, 0, Map.of(MRJobConfig.MAP_MAX_ATTEMPTS, "4"))) {
      Task map = maps(app).get(0);
      for (int i = 0; i < 4; i++) {
        await().until(() -> !inState(map, TaskAttemptState.RUNNING).isEmpty());
        TaskAttempt running = inState(map, TaskAttemptState.RUNNING).get(0);
        scheduler.withholds(FAILED_MAP);
        fail(app, running, "Error: java.lang.IllegalStateException: a bug");
        awaitState(running, TaskAttemptState.FAILED);
        app.passes(Duration.ofMillis(1)); // so the next one does not begin at the same moment
        scheduler.gives(FAILED_MAP);
      }
      app.waitForState(app.job(), JobState.FAILED);
      assertThat(app.second().objection()).isEmpty();
    }
  }

  @Test
  void failureBesideACopyThatHadoopMadeIsAsStock() throws Exception {
    try (TestApp app = TestApp.start(1, 0)) {
      Task map = maps(app).get(0);
      TestApp.awaitRunning(map, 0);
      app.send(new TaskEvent(map.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      TestApp.awaitRunning(map, 1);
      fail(app, attempt(map, 0), LEASE);
      awaitState(attempt(map, 0), TaskAttemptState.FAILED);
      app.settle();
      assertThat(app.second().objection()).isEmpty();
      finish(app, map);
    }
  }

  @Test
  void failureSoonAfterAPreemptionIsAsStock() throws Exception {
    try (TestApp app = TestApp.start(1, 0)) {
      Task map = maps(app).get(0);
      TestApp.awaitRunning(map, 0);
      app.send(attempt(map, 0), TaskAttemptEventType.TA_KILL);
      TestApp.awaitRunning(map, 1);
      fail(app, attempt(map, 1), LEASE);
      awaitState(attempt(map, 1), TaskAttemptState.FAILED);
      app.settle();
      assertThat(app.second().objection()).isEmpty();
      finish(app, map);
    }
  }
}
