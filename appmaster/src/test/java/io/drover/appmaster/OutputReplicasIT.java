// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.appmaster.replicate.Replicator;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.clone.ClonePriority;
import io.drover.core.config.Mode;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.Test;

/** Replicas of outputs on a node that loses many, made by workers that this test plays. */
class OutputReplicasIT extends ProtectedOutputs {
  private final Map<TaskAttemptId, String> workers = new ConcurrentHashMap<>();
  private final Replicator replicator =
      new Replicator(
          () -> job.getID(),
          1,
          1e6,
          new Replicator.Launcher() {
            @Override
            public boolean isReady() {
              return true;
            }

            @Override
            public String launch(TaskAttemptId worker, Container container) {
              String host = container.getNodeId().getHost();
              workers.put(worker, host);
              return "http://" + host + ":77";
            }
          },
          () -> 0, // no worker is late
          Breakers.uncounted().of("Workers"));
  private volatile String flaky = "";

  @Override
  Replicator replicator() {
    return replicator;
  }

  @Override
  OptionalDouble loss(String host) {
    return host.equals(flaky) ? OptionalDouble.of(1) : OptionalDouble.empty();
  }

  /** Starts the job, and has replicas made: of all outputs, because they are empty here. */
  private TestApp replicated() throws Exception {
    freeSlots = 1;
    TestApp app = start(Mode.ON);
    flaky = host(map(app, 0), 0);
    await()
        .until(
            () -> {
              protection.heartbeat();
              work();
              return replicas.stream().filter("replicaMade"::equals).count() == 4;
            });
    return app;
  }

  private List<Task> there(TestApp app) {
    return app.job().getTasks(TaskType.MAP).values().stream()
        .filter(one -> host(one, 0).equals(flaky))
        .toList();
  }

  /** Does what all workers are told, and says so again and again. */
  private void work() {
    workers.forEach(
        (worker, host) -> {
          for (TaskCompletionEvent order :
              replicator.events(worker, 0, 100).getMapTaskCompletionEvents()) {
            replicator.heard(worker, "made " + order.getTaskAttemptId() + " 0 0.500");
          }
        });
  }

  private List<String> placesOf(Task map) {
    String id = TypeConverter.fromYarn(attempt(map, 0).getID()).toString();
    return Arrays.stream(protection.events().orElseThrow().next(0, 100))
        .filter(event -> event.getTaskAttemptId().toString().equals(id))
        .map(event -> event.getTaskStatus() + " " + event.getTaskTrackerHttp())
        .toList();
  }

  /**
   * The first node cannot read the output of a map any more, and reduces are told of its replica.
   */
  private void losesFirstPlace(TestApp app, Task map) throws Exception {
    lost.add(TypeConverter.fromYarn(attempt(map, 0).getID()));
    complain(app, map);
    await().until(() -> placesOf(map).get(0).endsWith(":77"));
  }

  private long counted(TestApp app, DroverCounter counter) {
    return app.job().getAllCounters().findCounter(counter).getValue();
  }

  @Test
  void replicaIsOnAnotherNodeAndIsReadWhenTheNodeDoesNotAnswer() throws Exception {
    try (TestApp app = replicated()) {
      List<Task> there = there(app);
      assertThat(workers.values()).doesNotHaveDuplicates().hasSizeBetween(1, 2);
      assertThat(placesOf(there.get(0))).hasSize(1).allMatch(place -> place.contains(flaky));
      silentHosts.add(flaky);
      await().until(() -> replicas.contains("replicaUsed"));
      app.settle();
      for (Task one : there) {
        assertThat(placesOf(one)) // the event of the first place means nothing any more
            .hasSize(1)
            .allMatch(place -> place.startsWith("SUCCEEDED") && place.endsWith(":77"))
            .noneMatch(place -> place.contains(flaky));
        assertThat(attempt(one, 0).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
      }
      app.send( // as the ResourceManager has it later
          new TaskAttemptKillEvent(
              attempt(there.get(0), 0).getID(),
              "TaskAttempt killed because it ran on unusable node n:1",
              true));
      app.settle();
      assertThat(attempt(there.get(0), 0).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
      assertThat(remade(app)).isZero();
      assertThat(lostOn).hasSize(there.size()).containsOnly(flaky);
      assertThat(counted(app, DroverCounter.REPLICAS_USED)).isEqualTo(there.size());
      assertThat(counted(app, DroverCounter.RECOMPUTATIONS_AVOIDED)).isEqualTo(there.size());
      ActionTotals said = actions.get(ActionKind.REPLICA);
      assertThat(said.won()).isEqualTo(there.size());
      assertThat(said.launched()).isGreaterThanOrEqualTo(said.won());
      endsWell(app);
    }
  }

  /** Other nodes may have room later, and offers of this one cost a heartbeat or two each. */
  @Test
  void nodeWithTheOutputsIsNotWantedWhileOnlyAWorkerWaits() throws Exception {
    freeSlots = 1;
    scheduler.withholds(ClonePriority.REPLICA_WORKER);
    try (TestApp app = start(Mode.ON)) {
      flaky = host(map(app, 0), 0);
      await()
          .until(
              () -> {
                protection.heartbeat();
                return scheduler.asked(ClonePriority.REPLICA_WORKER) > 0;
              });
      assertThat(scheduler.isAskedStrictly(ClonePriority.REPLICA_WORKER)).isTrue();
      assertThat(scheduler.asked(ClonePriority.REPLICA_WORKER, flaky)).isZero();
      assertThat(scheduler.isAvoided(flaky)).isFalse();
      scheduler.offersOnly(flaky); // because of its rack, which the worker wants
      scheduler.gives(ClonePriority.REPLICA_WORKER);
      await().until(() -> scheduler.isAvoided(flaky));
      assertThat(workers).isEmpty();
      scheduler.offersAll();
      await().until(() -> !workers.isEmpty());
      await().until(() -> !scheduler.isAvoided(flaky));
      assertThat(workers.values()).doesNotContain(flaky);
      endsWell(app);
    }
  }

  @Test
  void replicaIsReadWhenTheNodeCannotReadTheOutput() throws Exception {
    try (TestApp app = replicated()) {
      Task map = map(app, 0);
      losesFirstPlace(app, map);
      lost.clear(); // the replica can be read
      app.send( // reduces that still try the first place
          new TaskAttemptTooManyFetchFailureEvent(
              attempt(map, 0).getID(),
              attempt(app.task(TaskType.REDUCE, 0), 0).getID(),
              "anywhere"));
      app.settle();
      assertThat(attempt(map, 0).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
      assertThat(remade(app)).isZero();
      endsWell(app);
    }
  }

  @Test
  void outputIsMadeAgainIfItsReplicaIsLostToo() throws Exception {
    try (TestApp app = replicated()) {
      Task map = map(app, 0);
      losesFirstPlace(app, map);
      complain(app, map);
      TestApp.awaitState(attempt(map, 0), TaskAttemptState.KILLED);
      TestApp.awaitRunning(map, 1);
      finish(app, map, 1);
      assertThat(remade(app)).isEqualTo(1);
      endsWell(app);
    }
  }

  @Test
  void replicaThatItsNodeCannotReadDoesNotCount() throws Exception {
    freeSlots = 1;
    try (TestApp app = start(Mode.ON)) {
      unreadable = true;
      flaky = host(map(app, 0), 0);
      await()
          .until(
              () -> {
                protection.heartbeat();
                work();
                return replicas.contains("replicaFailed");
              });
      silentHosts.add(flaky);
      TestApp.awaitState(attempt(map(app, 0), 0), TaskAttemptState.KILLED);
      assertThat(replicas).doesNotContain("replicaMade", "replicaUsed");
    }
  }

  @Test
  void workersEndWhenAllIsRead() throws Exception {
    try (TestApp app = replicated()) {
      TaskAttemptId worker = workers.keySet().iterator().next();
      protection.heartbeat();
      app.settle();
      assertThat(replicator.events(worker, 0, 1).shouldReset()).isFalse();
      shuffles(app, Phase.REDUCE);
      protection.heartbeat();
      await().until(() -> replicator.events(worker, 0, 1).shouldReset());
      endsWell(app);
    }
  }
}
