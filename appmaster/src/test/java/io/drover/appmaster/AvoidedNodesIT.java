// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.junit.jupiter.api.Test;

/** Nodes that a job keeps away from because they are slow. */
class AvoidedNodesIT {
  private static final int MAP = 20;
  private static final CloneSettings NO_CLONES = new CloneSettings(0, 1, 0.05, 0.05, 0.1);

  @Test
  void avoidedNodeGetsNoMoreContainersAndTheResourceManagerIsTold() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(31).nodes(7, "/r", 1);
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, NO_CLONES, Mode.OFF);
    try (TestApp app = TestApp.on(cluster, 14, 0)) {
      await().until(() -> running(app).size() == 7);
      List<Task> first = running(app);
      String slow = host(first.get(0));
      assertThat(app.avoided().add(slow)).isTrue();
      await().until(() -> scheduler.isAvoided(slow));
      for (Task map : first) {
        finish(app, map);
      }
      // The node of the fake scheduler stays on offer: what comes from there is given back.
      Set<String> hosts = new HashSet<>();
      Set<Task> done = new HashSet<>(first);
      while (done.size() < 14) {
        await().until(() -> running(app).stream().anyMatch(map -> !done.contains(map)));
        for (Task map : running(app)) {
          hosts.add(host(map));
          finish(app, map);
          done.add(map);
        }
      }
      assertThat(hosts).doesNotContain(slow);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void lessThanAThirdOfTheNodesAreAvoided() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(32).nodes(7, "/r", 1);
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, NO_CLONES, Mode.OFF);
    try (TestApp app = TestApp.on(cluster, 1, 0)) {
      await().until(() -> running(app).size() == 1);
      assertThat(app.avoided().add("h1-r")).isTrue();
      assertThat(app.avoided().add("h2-r")).isTrue();
      assertThat(app.avoided().add("h3-r")).isFalse();
      assertThat(app.avoided().add("h1-r")).isTrue();
      finish(app, running(app).get(0));
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void nodeThatContainersGoBackToIsNotToBeOfferedMeanwhile() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(33).nodes(2, "/r", 2);
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, NO_CLONES, Mode.OFF);
    try (TestApp app = TestApp.on(cluster, 5, 0)) {
      await().until(() -> running(app).size() == 4);
      List<Task> running = running(app);
      Task waiting =
          app.job().getTasks(TaskType.MAP).values().stream()
              .filter(map -> !running.contains(map))
              .findFirst()
              .get();
      Task copied = running.get(0);
      Task beside = other(running, copied, true);
      app.send(new TaskEvent(copied.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      await().until(() -> scheduler.asked(MAP) == 2);
      finish(app, beside);
      TestApp.awaitRunning(waiting, 0);
      app.settle();
      assertThat(host(waiting)).isEqualTo(host(copied));
      assertThat(scheduler.isAvoided(host(copied)))
          .as("as no container there has gone back, it may be reserved for this job")
          .isFalse();

      finish(app, waiting);
      await().until(() -> scheduler.isAvoided(host(copied)));
      app.send(attempt(copied, 0), TaskAttemptEventType.TA_KILL);
      await().until(() -> !scheduler.isAvoided(host(copied)));
      TestApp.awaitRunning(copied, 1);
      for (Task map : running) {
        if (map != beside) {
          finish(app, map);
        }
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void copyThatWaitedLongForASlotStillKeepsAwayFromItsOriginal() throws Exception {
    Duration patience = Duration.ofSeconds(10);
    FakeScheduler scheduler = FakeCluster.scheduler(34).nodes(2, "/r", 2);
    FakeCluster cluster = new FakeCluster(scheduler, patience, NO_CLONES, Mode.OFF);
    try (TestApp app = TestApp.on(cluster, 4, 0)) {
      await().until(() -> running(app).size() == 4);
      List<Task> running = running(app);
      Task copied = running.get(0);
      app.send(new TaskEvent(copied.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      await().until(() -> scheduler.asked(MAP) == 1);
      long asked = System.nanoTime();
      await().until(() -> System.nanoTime() - asked > patience.plusMillis(500).toNanos());

      Task beside = other(running, copied, true);
      finish(app, beside);
      await().until(() -> scheduler.isAvoided(host(copied)));
      Task elsewhere = other(running, copied, false);
      finish(app, elsewhere);
      TestApp.awaitRunning(copied, 1);
      assertThat(attempt(copied, 1).getNodeId().getHost()).isNotEqualTo(host(copied));
      for (Task map : running) {
        if (map != beside && map != elsewhere) {
          finish(app, map);
        }
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void copyIsGivenTheNextContainerElsewhereBeforeTasksThatWait() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(35).nodes(2, "/r", 2);
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, NO_CLONES, Mode.OFF);
    try (TestApp app = TestApp.on(cluster, 7, 0)) {
      await().until(() -> running(app).size() == 4);
      List<Task> running = running(app);
      Task copied = running.get(0);
      app.send(new TaskEvent(copied.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      await().until(() -> scheduler.asked(MAP) == 4);

      finish(app, other(running, copied, false));
      TestApp.awaitRunning(copied, 1);
      app.settle();
      assertThat(running(app)).as("no other map has begun").allMatch(running::contains);
      assertThat(attempt(copied, 1).getNodeId().getHost()).isNotEqualTo(host(copied));

      while (app.job().getCompletedMaps() < 7) {
        await().until(() -> !running(app).isEmpty());
        finish(app, running(app).get(0));
        app.settle();
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  private static Task other(List<Task> maps, Task than, boolean onItsHost) {
    return maps.stream()
        .filter(map -> map != than && host(map).equals(host(than)) == onItsHost)
        .findFirst()
        .orElseThrow();
  }

  private static String host(Task map) {
    return attempt(map, 0).getNodeId().getHost();
  }

  private static List<Task> running(TestApp app) {
    return app.job().getTasks(TaskType.MAP).values().stream()
        .filter(map -> !inState(map, TaskAttemptState.RUNNING).isEmpty())
        .toList();
  }

  private static void finish(TestApp app, Task map) throws Exception {
    app.send(inState(map, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
    app.waitForState(map, TaskState.SUCCEEDED);
  }
}
