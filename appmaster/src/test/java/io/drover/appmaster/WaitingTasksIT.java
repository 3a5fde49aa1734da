// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.config.OutputSettings;
import io.drover.core.model.TaskKind;
import io.drover.speculator.CopyableTasks;
import io.drover.speculator.HadoopSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that wait for a container, and which of them have clones, with Drover's allocator. */
class WaitingTasksIT {
  private static final int REDUCE = 10;
  private static final CloneSettings NO_CLONES = new CloneSettings(0, 1, 0.05, 0.05, 0.1);
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
  private static final Duration PATIENT = FakeCluster.PATIENT;

  private static FakeCluster cluster(FakeScheduler scheduler, CloneSettings clones) {
    return new FakeCluster(scheduler, PATIENT, clones, Mode.OFF);
  }

  private static List<Task> maps(TestApp app) {
    return List.copyOf(app.job().getTasks(TaskType.MAP).values());
  }

  private static List<Task> running(TestApp app, TaskType type) {
    return app.job().getTasks(type).values().stream()
        .filter(task -> !inState(task, TaskAttemptState.RUNNING).isEmpty())
        .toList();
  }

  private static void finish(TestApp app, Task task) throws Exception {
    await().until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
    app.send(inState(task, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
    app.waitForState(task, TaskState.SUCCEEDED);
  }

  /** Cloned, both types would be: it is by {@link CopyableTasks} which may be. */
  @ParameterizedTest
  @EnumSource
  void onlyTheTypeThatIsSpeculatedOnIsCloned(TaskKind on) throws Exception {
    JobConf conf = new JobConf();
    conf.setMapSpeculativeExecution(on == TaskKind.MAP);
    conf.setReduceSpeculativeExecution(on == TaskKind.REDUCE);
    OutputSettings outputs = HadoopSettings.read(conf).outputs();
    Set<TaskKind> kinds = CopyableTasks.kinds(conf, true, outputs, conf.getClassLoader());
    FakeScheduler scheduler = FakeCluster.scheduler(14).nodes(3, "/r", 10);
    FakeCluster cluster =
        new FakeCluster(scheduler, PATIENT, CLONES, Mode.OFF, new ClusterChannel(), kinds);
    try (TestApp app = TestApp.on(cluster, 2, 2)) {
      app.waitForState(app.job(), JobState.RUNNING);
      TaskType cloned = on == TaskKind.MAP ? TaskType.MAP : TaskType.REDUCE;
      for (Task task : app.job().getTasks(cloned).values()) {
        await().until(() -> inState(task, TaskAttemptState.RUNNING).size() == 2);
      }
      for (TaskType type : List.of(TaskType.MAP, TaskType.REDUCE)) {
        for (Task task : app.job().getTasks(type).values()) {
          finish(app, task);
          assertThat(task.getAttempts()).hasSize(type == cloned ? 2 : 1);
        }
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void mapThatIsKilledWhileItWaitsBringsNoReduceForward() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(8).node("h0", "/r0", 1);
    try (TestApp app = TestApp.on(cluster(scheduler, NO_CLONES), 2, 3, 1)) {
      app.waitForState(app.job(), JobState.RUNNING);
      await().until(() -> running(app, TaskType.MAP).size() == 1);
      Task running = running(app, TaskType.MAP).get(0);
      Task waiting = maps(app).stream().filter(map -> map != running).findFirst().get();
      for (Task reduce : app.job().getTasks(TaskType.REDUCE).values()) {
        await().until(() -> !reduce.getAttempts().isEmpty());
      }
      app.settle();
      app.send(attempt(waiting, 0), TaskAttemptEventType.TA_KILL);
      await().until(() -> waiting.getAttempts().size() == 2);
      await().during(Duration.ofMillis(300)).until(() -> scheduler.asked(REDUCE) == 0);
      finish(app, running);
      TestApp.awaitRunning(waiting, 1);
      app.send(attempt(waiting, 1), TaskAttemptEventType.TA_DONE);
      for (int i = 0; i < 3; i++) { // there is room for one at a time
        await().until(() -> !running(app, TaskType.REDUCE).isEmpty());
        finish(app, running(app, TaskType.REDUCE).get(0));
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /** Each of them would be taken out of Hadoop's list by a walk through all of it. */
  @Test
  void manyReducesThatAreKilledWhileTheyAreHeldAreDroppedTogether() throws Exception {
    int reduces = 1000;
    FakeScheduler scheduler = FakeCluster.scheduler(8).node("h0", "/r0", 1);
    try (TestApp app = TestApp.on(cluster(scheduler, NO_CLONES), 1, reduces, 1)) {
      app.waitForState(app.job(), JobState.RUNNING);
      List<Task> tasks = List.copyOf(app.job().getTasks(TaskType.REDUCE).values());
      await().until(() -> tasks.stream().noneMatch(task -> task.getAttempts().isEmpty()));
      app.settle();
      tasks.forEach(task -> app.send(attempt(task, 0), TaskAttemptEventType.TA_KILL));
      await().until(() -> tasks.stream().allMatch(task -> task.getAttempts().size() == 2));
      int[] last = {-1};
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(500))
          .until(
              () -> {
                int before = last[0];
                last[0] = app.requests();
                return last[0] == before; // all has been handled
              });
      assertThat(app.requests()).isLessThan(300 * reduces);
      assertThat(scheduler.asked(REDUCE)).isZero();
      app.send(new JobEvent(app.job().getID(), JobEventType.JOB_KILL));
      app.waitForState(app.job(), JobState.KILLED);
    }
  }

  private static void tell(TestApp app, Task map, String rack, long bytes) {
    app.placer().outputs().succeeded(attempt(map, 0).getID(), rack, bytes, 1);
  }

  @Test
  void reduceThatWaitsIsRequestedInTheRackThatIsChosenForItLater() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(15).node("h0", "/r0", 3).node("h1", "/r1", 1);
    FakeCluster cluster = new FakeCluster(scheduler, PATIENT, NO_CLONES, Mode.ON);
    try (TestApp app = TestApp.on(cluster, 4, 2)) { // whose maps take all the room there is
      app.waitForState(app.job(), JobState.RUNNING);
      await().until(() -> running(app, TaskType.MAP).size() == 4);
      Map<String, List<Task>> maps =
          maps(app).stream()
              .collect(
                  Collectors.groupingBy(
                      map -> scheduler.racks().get(attempt(map, 0).getNodeId().getHost())));
      maps.get("/r0").forEach(map -> tell(app, map, "/r0", 1L << 30));
      await().until(() -> scheduler.asked(REDUCE, "/r0") == 2);
      tell(app, maps.get("/r1").get(0), "/r1", 1L << 40);
      Task restarted = app.task(TaskType.REDUCE, 1);
      app.send(attempt(restarted, 0), TaskAttemptEventType.TA_KILL); // so racks are chosen again
      await().until(() -> scheduler.asked(REDUCE, "/r1") == 1);
      assertThat(scheduler.asked(REDUCE, "/r0")).isZero();
      assertThat(scheduler.asked(REDUCE, "h0-r0")).isZero();
      assertThat(scheduler.asked(REDUCE)).isEqualTo(2);
      for (Task map : maps(app)) {
        finish(app, map);
      }
      Task waited = app.task(TaskType.REDUCE, 0);
      TestApp.awaitRunning(waited, 0);
      assertThat(attempt(waited, 0).getNodeId().getHost()).isEqualTo("h1-r1");
      finish(app, waited);
      finish(app, restarted);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }
}
