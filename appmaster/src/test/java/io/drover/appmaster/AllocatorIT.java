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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerFailedEvent;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Drover's allocator in Hadoop's own AppMaster, against a scheduler that gives nodes by chance. */
class AllocatorIT {
  private static final int MAP = 20;
  private static final int REDUCE = 10;
  private static final int MAP_CLONE = ClonePriority.of(TaskKind.MAP);
  private static final CloneSettings NO_CLONES = new CloneSettings(0, 1, 0.05, 0.05, 0.1);
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
  private static final Duration PATIENT = FakeCluster.PATIENT;

  private static FakeCluster cluster(FakeScheduler scheduler, CloneSettings clones) {
    return new FakeCluster(scheduler, PATIENT, clones, Mode.OFF);
  }

  private static List<Task> maps(TestApp app) {
    return List.copyOf(app.job().getTasks(TaskType.MAP).values());
  }

  private static void finish(TestApp app, Task task) throws Exception {
    await().until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
    app.send(inState(task, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
    app.waitForState(task, TaskState.SUCCEEDED);
  }

  /** A reduce's request is not with Hadoop's others at first, but in a list of those held back. */
  @ParameterizedTest
  @EnumSource(
      value = TaskType.class,
      names = {"MAP", "REDUCE"})
  void noTwoOfTwoHundredCopiesRunBesideAnAttemptOfTheirTaskWhileOtherNodesFit(TaskType type)
      throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(1);
    for (int i = 0; i < 4; i++) {
      scheduler.node("h" + i, "/r" + i % 2, 40);
    }
    boolean areMaps = type == TaskType.MAP;
    FakeCluster cluster = cluster(scheduler, NO_CLONES);
    try (TestApp app = TestApp.on(cluster, areMaps ? 50 : 1, areMaps ? 0 : 50)) {
      app.waitForState(app.job(), JobState.RUNNING);
      if (!areMaps) {
        finish(app, maps(app).get(0));
      }
      List<Task> tasks = List.copyOf(app.job().getTasks(type).values());
      for (Task task : tasks) {
        TestApp.awaitRunning(task, 0);
      }
      int together = 0;
      int copies = 0;
      for (int round = 1; round <= 4; round++) {
        for (Task task : tasks) {
          app.send(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        }
        for (Task task : tasks) {
          int number = round;
          TestApp.awaitRunning(task, number);
          copies++;
          together += areTogether(task) ? 1 : 0;
          app.send(attempt(task, number), TaskAttemptEventType.TA_KILL);
        }
        for (Task task : tasks) {
          awaitState(attempt(task, round), TaskAttemptState.KILLED);
        }
      }
      assertThat(copies).isEqualTo(200);
      assertThat(together).isZero();
      assertThat(scheduler.asked(areMaps ? MAP : REDUCE))
          .isZero(); // nothing is left of what went back
      assertThat(scheduler.tokens().withoutToken()).isEmpty();
      for (Task task : tasks) {
        finish(app, task);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  private static boolean areTogether(Task task) {
    Set<String> hosts = new HashSet<>();
    for (TaskAttempt attempt : inState(task, TaskAttemptState.RUNNING)) {
      if (!hosts.add(attempt.getNodeId().getHost())) {
        return true;
      }
    }
    return false;
  }

  @Test
  void copyTakesTheOnlyNodeThereIsWhenItsPatienceIsOver() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(1).node("h0", "/r", 10);
    FakeCluster cluster = new FakeCluster(scheduler, Duration.ofMillis(400), NO_CLONES, Mode.OFF);
    try (TestApp app = TestApp.on(cluster, 1, 0)) {
      Task task = maps(app).get(0);
      app.waitForState(task, TaskState.RUNNING);
      TestApp.awaitRunning(task, 0);
      app.send(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      await().until(() -> task.getAttempts().size() > 1);
      TestApp.awaitRunning(task, 1);
      finish(app, task);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /**
   * Hadoop's own answer to a container on a host that it avoids by now can lose the request: it
   * looks for one in its list of those who want that host, and gives up if the last in it is an
   * attempt that waits no more.
   */
  @Test
  void mapThatIsGivenAHostThatIsAvoidedByNowIsAskedForAgain() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(12).nodes(4, "/r", 1);
    try (TestApp app = TestApp.on(cluster(scheduler, NO_CLONES), 5, 0)) {
      app.waitForState(app.job(), JobState.RUNNING);
      await().until(() -> running(app, TaskType.MAP).size() == 4);
      List<Task> running = running(app, TaskType.MAP);
      Task waiting = maps(app).stream().filter(map -> !running.contains(map)).findFirst().get();
      Task copied = running.get(0);
      app.send(new TaskEvent(copied.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      await().until(() -> scheduler.asked(MAP) == 2);
      app.send(attempt(copied, 1), TaskAttemptEventType.TA_KILL);
      await().until(() -> scheduler.asked(MAP) == 1);

      TaskAttempt slow = attempt(running.get(1), 0);
      String host = slow.getNodeId().getHost();
      for (int failures = 0; failures < 3; failures++) {
        app.send(new ContainerFailedEvent(slow.getID(), slow.getAssignedContainerMgrAddress()));
      }
      await().until(() -> scheduler.isAvoided(host));
      finish(app, running.get(1)); // so there is room on that host, and nowhere else
      await().until(() -> scheduler.given(MAP) > 4);
      finish(app, running.get(2));
      TestApp.awaitRunning(waiting, 0);
      assertThat(attempt(waiting, 0).getNodeId().getHost()).isNotEqualTo(host);
      for (Task task : List.of(running.get(0), running.get(3), waiting)) {
        finish(app, task);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(scheduler.asked(MAP)).isZero();
    }
  }

  private static List<Task> running(TestApp app, TaskType type) {
    return app.job().getTasks(type).values().stream()
        .filter(task -> !inState(task, TaskAttemptState.RUNNING).isEmpty())
        .toList();
  }

  @Test
  void smallJobStartsWithClonesBelowEverythingElseAndApart() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(3).nodes(5, "/r", 5);
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES), 5, 0)) {
      app.waitForState(app.job(), JobState.RUNNING);
      for (Task task : maps(app)) {
        await().until(() -> inState(task, TaskAttemptState.RUNNING).size() == 2);
        assertThat(areTogether(task)).isFalse();
      }
      assertThat(scheduler.given(MAP)).isEqualTo(5);
      assertThat(app.cloner().isClone(attempt(maps(app).get(0), 1).getID())).isTrue();
      assertThat(scheduler.tokens().withoutToken()).isEmpty();
      for (Task task : maps(app)) {
        app.send(attempt(task, 1), TaskAttemptEventType.TA_DONE); // the clones win
        app.waitForState(task, TaskState.SUCCEEDED);
        awaitState(attempt(task, 0), TaskAttemptState.KILLED);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(scheduler.given(MAP)).isEqualTo(5); // nobody was bred
    }
  }

  @Test
  void noClonesWhereThereIsNoRoomForThem() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(4).node("h0", "/r", 0).node("h1", "/r", 0);
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES), 5, 0)) {
      // with room before all maps ask, clones may take what the last maps need
      await().until(() -> scheduler.asked(MAP) == 5);
      scheduler.giveRoom(3);
      for (Task task : maps(app)) {
        await().until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
      }
      app.settle();
      assertThat(scheduler.given(MAP)).isEqualTo(5);
      int clones = 0;
      for (Task task : maps(app)) {
        clones += task.getAttempts().size() - 1;
      }
      assertThat(clones).as("room for one").isLessThanOrEqualTo(1);
      assertThat(scheduler.asked(MAP_CLONE)).isLessThanOrEqualTo(1);
      for (Task task : maps(app)) {
        finish(app, task);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /** What the scheduler says: p, p_m of the hosts of rack /r by name, and the room for clones. */
  private static ClusterChannel onLine(double p, Map<String, Double> hosts, OptionalInt room) {
    Map<String, Double> machines = new HashMap<>();
    hosts.forEach((host, probability) -> machines.put(host + "-r", probability));
    ClusterState state =
        new ClusterState(
            OptionalDouble.of(p),
            ClusterTable.of(machines, List.of(), Map.of()),
            room,
            1,
            Optional.empty());
    return new ClusterChannel(() -> Optional.of(state));
  }

  private static FakeCluster cluster(
      FakeScheduler scheduler, CloneSettings clones, ClusterChannel onLine) {
    return new FakeCluster(scheduler, PATIENT, clones, Mode.OFF, onLine);
  }

  @Test
  void copiesKeepAwayFromHostsThatMakeOutliersAndFirstAttemptsDoNot() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(11).nodes(4, "/r", 20);
    ClusterChannel onLine = onLine(0.1, Map.of("h0", 0.5, "h1", 0.15), OptionalInt.empty());
    try (TestApp app = TestApp.on(cluster(scheduler, NO_CLONES, onLine), 30, 0)) {
      app.waitForState(app.job(), JobState.RUNNING);
      for (Task task : maps(app)) {
        TestApp.awaitRunning(task, 0);
        app.send(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      }
      Set<String> first = new HashSet<>();
      Set<String> copies = new HashSet<>();
      for (Task task : maps(app)) {
        TestApp.awaitRunning(task, 1);
        first.add(attempt(task, 0).getNodeId().getHost());
        copies.add(attempt(task, 1).getNodeId().getHost());
        finish(app, task);
      }
      assertThat(first).contains("h0-r");
      assertThat(copies).containsExactlyInAnyOrder("h1-r", "h2-r", "h3-r");
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /** The clones of each map of a job of five, once they are there. */
  private static List<Integer> clones(ClusterChannel onLine, int expected) throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(3).nodes(5, "/r", 10);
    Map<String, String> manyFailures = Map.of(MRJobConfig.MAP_MAX_ATTEMPTS, "8");
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES, onLine), 5, 0, manyFailures)) {
      app.waitForState(app.job(), JobState.RUNNING);
      for (Task task : maps(app)) {
        TestApp.awaitRunning(task, 0);
      }
      await().until(() -> scheduler.given(MAP_CLONE) >= expected);
      app.settle();
      await().until(() -> scheduler.asked(MAP_CLONE) == 0);
      List<Integer> clones = maps(app).stream().map(map -> map.getAttempts().size() - 1).toList();
      for (Task task : maps(app)) {
        finish(app, task);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
      return clones;
    }
  }

  @Test
  void thereAreNoMoreClonesThanTheSchedulerHasRoomFor() throws Exception {
    List<Integer> clones = clones(onLine(0.1, Map.of(), OptionalInt.of(3)), 3);
    assertThat(clones.stream().mapToInt(n -> n).sum()).isGreaterThanOrEqualTo(3);
    assertThat(clones(onLine(0.1, Map.of(), OptionalInt.of(0)), 0)).containsOnly(0);
  }

  @Test
  void clonesAreAsManyAsTheClustersOutliersCallFor() throws Exception {
    assertThat(clones(onLine(0.001, Map.of(), OptionalInt.empty()), 0)).containsOnly(0);
    assertThat(clones(onLine(0.3, Map.of(), OptionalInt.empty()), 15)).containsOnly(3);
    Map<String, Double> bad = Map.of("h0", 0.9, "h1", 0.9, "h2", 0.9, "h3", 0.9, "h4", 0.9);
    assertThat(clones(onLine(0.1, bad, OptionalInt.empty()), 10)).allMatch(n -> n >= 2);
  }

  @Test
  void reduceThatIsAloneHasACloneWhereTheMapsNeedNone() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(13).nodes(3, "/r", 10);
    CloneSettings lone = new CloneSettings(10, 4, 0.05, 0.001, 0.1);
    ClusterChannel onLine = onLine(0.005, Map.of(), OptionalInt.empty());
    try (TestApp app = TestApp.on(cluster(scheduler, lone, onLine), 4, 1)) {
      app.waitForState(app.job(), JobState.RUNNING);
      Task reduce = app.task(TaskType.REDUCE, 0);
      await().until(() -> inState(reduce, TaskAttemptState.RUNNING).size() == 2);
      assertThat(areTogether(reduce)).isFalse();
      for (Task map : maps(app)) {
        TestApp.awaitRunning(map, 0);
        finish(app, map);
        assertThat(map.getAttempts()).hasSize(1);
      }
      app.send(attempt(reduce, 1), TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void clonesGiveWayTheNewestFirstToAnAttemptThatWaits() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(5).nodes(8, "/r", 4);
    try (TestApp app = TestApp.on(cluster(scheduler, CLONES), 4, 0)) {
      app.waitForState(app.job(), JobState.RUNNING);
      for (Task task : maps(app)) {
        await().until(() -> inState(task, TaskAttemptState.RUNNING).size() == 2);
      }
      Task task = maps(app).get(0);
      scheduler.takeAllRoomAndThatOfTheNext(2);
      app.send(attempt(task, 0), TaskAttemptEventType.TA_KILL);
      app.send(attempt(task, 1), TaskAttemptEventType.TA_KILL);
      await().until(() -> task.getAttempts().size() == 3);
      await().until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
      List<TaskAttempt> killed = new ArrayList<>();
      for (Task other : maps(app).subList(1, 4)) {
        killed.addAll(inState(other, TaskAttemptState.KILLED));
      }
      assertThat(killed).isNotEmpty().allMatch(a -> app.cloner().isClone(a.getID()));
      for (Task other : maps(app)) {
        finish(app, other);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void reducesRunInTheRacksThatWereChosenForThem(int runningLimit) throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(6);
    for (int i = 0; i < 6; i++) {
      scheduler.node("h" + i, "/r" + i % 3, 20);
    }
    FakeCluster cluster = new FakeCluster(scheduler, PATIENT, NO_CLONES, Mode.ON);
    Map<String, String> settings =
        Map.of(
            MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART,
            "0.3", // one map: by then all outputs are told
            MRJobConfig.JOB_RUNNING_REDUCE_LIMIT,
            Integer.toString(runningLimit));
    try (TestApp app = TestApp.on(cluster, 3, 20, settings)) {
      app.waitForState(app.job(), JobState.RUNNING);
      long[] megabytes = {7000, 2000, 1000}; // a shuffle worth waiting for
      for (int i = 0; i < 3; i++) {
        Task map = app.task(TaskType.MAP, i);
        TestApp.awaitRunning(map, 0);
        app.placer().outputs().succeeded(attempt(map, 0).getID(), "/r" + i, megabytes[i] << 20, 1);
      }
      for (Task map : maps(app)) {
        finish(app, map);
      }
      int match = 0;
      int inFirst = 0;
      for (int done = 0; done < 20; done++) {
        await().until(() -> !running(app, TaskType.REDUCE).isEmpty());
        Task reduce = running(app, TaskType.REDUCE).get(0);
        TaskAttempt attempt = attempt(reduce, 0);
        String rack = scheduler.racks().get(attempt.getNodeId().getHost());
        match += rack.equals(app.placer().wish(attempt.getID())) ? 1 : 0;
        inFirst += rack.equals("/r0") ? 1 : 0;
        finish(app, reduce);
      }
      assertThat(match).isEqualTo(20);
      assertThat(inFirst).isBetween(13, 15);
      assertThat(scheduler.given(REDUCE)).as("hardly any was given back").isLessThan(30);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /** Tells of a map whose parts are as large as said, and finishes it. */
  private static void finish(TestApp app, Task map, long[] sizes) throws Exception {
    TestApp.awaitRunning(map, 0);
    TaskAttemptId id = attempt(map, 0).getID();
    app.placer().outputs().onLine(id, PartitionSizes.encode(sizes).get(0));
    app.placer().outputs().succeeded(id, "/r0", 1, 1);
    finish(app, map);
  }

  @Test
  void largestReducesAreGivenContainersFirst() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(7).node("h0", "/r0", 1);
    try (TestApp app = TestApp.on(cluster(scheduler, NO_CLONES), 1, 6, 1)) {
      app.waitForState(app.job(), JobState.RUNNING);
      finish(app, maps(app).get(0), new long[] {1000, 6000, 2000, 5000, 3000, 4000});
      List<Integer> started = new ArrayList<>();
      while (started.size() < 6) {
        await().until(() -> !running(app, TaskType.REDUCE).isEmpty());
        Task reduce = running(app, TaskType.REDUCE).get(0);
        started.add(reduce.getID().getId());
        finish(app, reduce);
      }
      assertThat(started).containsExactly(1, 3, 5, 4, 2, 0);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /** Stock Hadoop launches the dead one, too: it asks for a container that nobody takes. */
  @Test
  void reduceThatIsKilledBeforeItsTimeAsksForNothing() throws Exception {
    FakeScheduler scheduler = FakeCluster.scheduler(8).node("h0", "/r0", 10);
    try (TestApp app = TestApp.on(cluster(scheduler, NO_CLONES), 1, 3, 1)) {
      app.waitForState(app.job(), JobState.RUNNING);
      Task reduce = app.task(TaskType.REDUCE, 1);
      await().until(() -> !reduce.getAttempts().isEmpty());
      app.settle();
      app.send(attempt(reduce, 0), TaskAttemptEventType.TA_KILL);
      await().until(() -> reduce.getAttempts().size() == 2);
      awaitState(attempt(reduce, 0), TaskAttemptState.KILLED);
      for (Task map : maps(app)) {
        finish(app, map);
      }
      for (Task task : app.job().getTasks(TaskType.REDUCE).values()) {
        finish(app, task);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(scheduler.given(REDUCE)).isEqualTo(3);
    }
  }

  /** Hadoop looks at reduces only if something has happened, and here nothing ever does. */
  @Test
  void reducesThatAreHeldStartWhenTheirPatienceIsOverAndNothingElseHappens() throws Exception {
    FakeScheduler scheduler = new TellingItsNodes().node("h0", "/r0", 2).node("h1", "/r1", 2);
    Duration brief = Duration.ofMillis(300);
    try (TestApp app = TestApp.on(new FakeCluster(scheduler, brief, NO_CLONES, Mode.ON), 0, 2)) {
      for (Task task : app.job().getTasks(TaskType.REDUCE).values()) {
        finish(app, task);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /** Reports its nodes as if they had come after the job. */
  private static final class TellingItsNodes extends FakeScheduler {
    private boolean told;

    TellingItsNodes() {
      super(ApplicationAttemptId.newInstance(ApplicationId.newInstance(0, 0), 1), 9);
    }

    @Override
    public synchronized AllocateResponse allocate(AllocateRequest request) {
      AllocateResponse response = super.allocate(request);
      if (!told) {
        told = true;
        response.setUpdatedNodes(Stream.of(hosts()).map(TellingItsNodes::report).toList());
      }
      return response;
    }

    private static NodeReport report(String host) {
      NodeId node = NodeId.newInstance(host, 1234);
      return NodeReport.newInstance(node, NodeState.RUNNING, null, null, null, null, 0, null, 0);
    }
  }
}
