// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.clone.ClonePriority;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.junit.jupiter.api.Test;

/** Jobs all of whose maps run in OPPORTUNISTIC containers. */
class OpportunisticMapsIT {
  private static final int OPPORTUNISTIC_MAP = 19;
  private static final int MAP_CLONE = ClonePriority.of(TaskKind.MAP);
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
  private static final CloneSettings NO_CLONES = new CloneSettings(0, 1, 0.05, 0.05, 0.1);

  private static TestApp start(
      FakeScheduler scheduler, CloneSettings clones, Map<String, String> settings)
      throws Exception {
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, clones, Mode.OFF);
    Map<String, String> all = new HashMap<>(settings);
    all.put(MRJobConfig.MR_NUM_OPPORTUNISTIC_MAPS_PERCENT, "100");
    return TestApp.on(cluster, 4, 0, all);
  }

  private static List<Task> maps(TestApp app) {
    return List.copyOf(app.job().getTasks(TaskType.MAP).values());
  }

  private static void finishAll(TestApp app) throws Exception {
    for (Task map : maps(app)) {
      await().until(() -> !inState(map, TaskAttemptState.RUNNING).isEmpty());
      app.send(inState(map, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
      app.waitForState(map, TaskState.SUCCEEDED);
    }
    app.waitForState(app.job(), JobState.SUCCEEDED);
  }

  @Test
  void copyThatTheRunningLimitHoldsBackIsAskedForAgainAsOpportunistic() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(61).nodes(4, "/r", 10);
    Map<String, String> limit = Map.of(MRJobConfig.JOB_RUNNING_MAP_LIMIT, "8");
    try (TestApp app = start(scheduler, CLONES, limit)) {
      for (Task map : maps(app)) {
        await().until(() -> inState(map, TaskAttemptState.RUNNING).size() == 2);
      }
      Task copied = maps(app).get(0);
      app.send(new TaskEvent(copied.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      TestApp.awaitRunning(copied, 2); // a clone has given way
      assertThat(scheduler.given(OPPORTUNISTIC_MAP)).isGreaterThan(5);
      assertThat(scheduler.given(ExecutionType.GUARANTEED))
          .as("clones only")
          .isEqualTo(scheduler.given(MAP_CLONE));
      finishAll(app);
    }
  }

  @Test
  void mapThatIsGivenAHostThatIsAvoidedByNowIsAskedForAgainAsOpportunistic() throws Exception {
    FakeScheduler scheduler =
        FakeCluster.scheduler(64).nodes(4, "/r", 10).withholds(OPPORTUNISTIC_MAP);
    try (TestApp app = start(scheduler, NO_CLONES, Map.of())) {
      await().until(() -> scheduler.asked(OPPORTUNISTIC_MAP) == 4);
      await().until(() -> app.avoided().add("h0-r")); // once it is known how many nodes there are
      scheduler.gives(OPPORTUNISTIC_MAP); // on that host too
      for (Task map : maps(app)) {
        TestApp.awaitRunning(map, 0);
        assertThat(attempt(map, 0).getNodeId().getHost()).isNotEqualTo("h0-r");
      }
      assertThat(scheduler.given(OPPORTUNISTIC_MAP)).isGreaterThan(4);
      assertThat(scheduler.given(ExecutionType.GUARANTEED)).isZero();
      finishAll(app);
    }
  }

  /** They are queued on a node, and take nothing of what guaranteed containers run in. */
  @Test
  void mapsThatWaitTakeNoRoomFromClones() throws Exception {
    FakeScheduler scheduler =
        FakeCluster.scheduler(63).nodes(4, "/r", 1).withholds(OPPORTUNISTIC_MAP);
    try (TestApp app = start(scheduler, CLONES, Map.of())) {
      for (Task map : maps(app)) {
        TestApp.awaitRunning(map, 1);
      }
      assertThat(scheduler.given(MAP_CLONE)).isEqualTo(4);
      Duration longerThanClonesWouldBeLeft = Duration.ofSeconds(3);
      await()
          .during(longerThanClonesWouldBeLeft)
          .until(
              () ->
                  maps(app).stream()
                      .allMatch(map -> attempt(map, 1).getState() == TaskAttemptState.RUNNING));
      finishAll(app);
    }
  }
}
