// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.channel.ClusterState;
import io.drover.core.clone.ClonePriority;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.CountedRequests;
import org.junit.jupiter.api.Test;

/** What an error in Drover's allocator and cloner costs: a step, and after several clones. */
class AllocatorContainmentIT {
  private static final int MAP = 20;
  private static final int MAP_CLONE = ClonePriority.of(TaskKind.MAP);
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);

  /** Says nothing of the cluster, and throws when it is asked as often as that is wished. */
  private static final class Failing implements Supplier<Optional<ClusterState>> {
    private final AtomicInteger failures = new AtomicInteger();

    @Override
    public Optional<ClusterState> get() {
      if (failures.get() > 0) {
        failures.decrementAndGet();
        throw new IllegalStateException("on purpose");
      }
      return Optional.empty();
    }
  }

  private final Failing failing = new Failing();

  private TestApp start(FakeScheduler scheduler) throws Exception {
    return TestApp.on(
        new FakeCluster(
            scheduler, FakeCluster.PATIENT, CLONES, Mode.OFF, new ClusterChannel(failing)),
        4,
        0);
  }

  private static List<Task> maps(TestApp app) {
    return List.copyOf(app.job().getTasks(TaskType.MAP).values());
  }

  private static void finish(TestApp app) throws Exception {
    for (Task map : maps(app)) {
      finish(app, map);
    }
    app.waitForState(app.job(), JobState.SUCCEEDED);
  }

  private static void finish(TestApp app, Task task) throws Exception {
    await().until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
    app.send(inState(task, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
    app.waitForState(task, TaskState.SUCCEEDED);
  }

  @Test
  void oneErrorCostsOneStepAndTheClonesAreMade() throws Exception {
    failing.failures.set(1);
    FakeScheduler scheduler = FakeCluster.scheduler(51).nodes(4, "/r", 5);
    try (TestApp app = start(scheduler)) {
      await().until(() -> scheduler.given(MAP_CLONE) == 4);
      assertThat(failing.failures.get()).isZero();
      finish(app);
    }
  }

  @Test
  void errorsInARowWithdrawTheClonesThatWaitAndTheJobGoesOn() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(52).nodes(4, "/r", 5).withholds(MAP_CLONE);
    try (TestApp app = start(scheduler)) {
      await().until(() -> scheduler.asked(MAP_CLONE) == 4);
      failing.failures.set(1000);
      await().until(() -> scheduler.asked(MAP_CLONE) == 0); // before its time
      app.settle();
      finish(app);
      assertThat(scheduler.given(MAP)).isEqualTo(4);
    }
  }

  @Test
  void errorsInARowEndTheClonesThatRun() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(53).nodes(4, "/r", 5);
    try (TestApp app = start(scheduler)) {
      for (Task map : maps(app)) {
        await().until(() -> inState(map, TaskAttemptState.RUNNING).size() == 2);
      }
      failing.failures.set(1000);
      for (Task map : maps(app)) {
        await().until(() -> inState(map, TaskAttemptState.KILLED).size() == 1);
        // Until a task knows of that end, a success at the same time has it make another attempt.
        await().until(inState(map, TaskAttemptState.KILLED).get(0)::isFinished);
        assertThat(app.cloner().isClone(inState(map, TaskAttemptState.KILLED).get(0).getID()))
            .isTrue();
      }
      app.settle();
      finish(app);
      assertThat(scheduler.given(MAP)).as("none was bred").isEqualTo(4);
    }
  }

  private TestApp startWithAReduceThatIsHeldBack(FakeScheduler scheduler) throws Exception {
    float allMaps = 1;
    return TestApp.on(
        new FakeCluster(scheduler, FakeCluster.PATIENT, CLONES, Mode.OFF), 4, 1, allMaps);
  }

  private static void stopsSteeringAndCannotCancel(TestApp app) throws Exception {
    ((CountedRequests) app.getContainerAllocator()).stopsSteeringAndCannotCancel();
    for (Task map : maps(app)) {
      TestApp.awaitState(TestApp.attempt(map, 1), TaskAttemptState.KILLED);
    }
    for (Task map : maps(app)) {
      finish(app, map);
    }
    finish(app, app.task(TaskType.REDUCE, 0));
    app.waitForState(app.job(), JobState.SUCCEEDED);
  }

  @Test
  void clonesThatRunEndThoughHeldReducesCannotBeCancelledWhenAllIsLeftToHadoop() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(54).nodes(4, "/r", 5);
    try (TestApp app = startWithAReduceThatIsHeldBack(scheduler)) {
      for (Task map : maps(app)) {
        await().until(() -> inState(map, TaskAttemptState.RUNNING).size() == 2);
      }
      stopsSteeringAndCannotCancel(app);
    }
  }

  @Test
  void clonesThatWaitEndThoughTheirRequestsCannotBeCancelledWhenAllIsLeftToHadoop()
      throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(55).nodes(4, "/r", 5).withholds(MAP_CLONE);
    try (TestApp app = startWithAReduceThatIsHeldBack(scheduler)) {
      await().until(() -> scheduler.asked(MAP_CLONE) == 4);
      stopsSteeringAndCannotCancel(app);
    }
  }

  /** Hadoop would end the job if anything were thrown on the thread that tells of it. */
  @Test
  void requestOfACloneThatCannotBeCancelledDoesNotEndTheJob() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(56).nodes(4, "/r", 5).withholds(MAP_CLONE);
    try (TestApp app = start(scheduler)) {
      await().until(() -> scheduler.asked(MAP_CLONE) == 4);
      TaskAttemptId clone = TestApp.attempt(maps(app).get(0), 1).getID();
      ((CountedRequests) app.getContainerAllocator()).endsRequestAndCannotCancel(clone);
      finish(app);
    }
  }
}
