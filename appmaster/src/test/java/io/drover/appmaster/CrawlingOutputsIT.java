// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.appmaster.protect.OutputProtection;
import io.drover.core.config.Mode;
import io.drover.core.protect.CrawlingMachines.Fetching;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs that come slowly from their node, and are made again while reduces may read them. */
class CrawlingOutputsIT extends ProtectedOutputs {
  CrawlingOutputsIT() {
    outputBytes = 1_000;
  }

  /** A reduce gets nothing from the node of an output, which is made again then. */
  private void crawls(TestApp app, Task map) {
    TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
    freeSlots = 3;
    await() // a reduce says it every few seconds
        .until(
            () -> {
              double now = System.nanoTime() / 1e9;
              Fetching nothing = new Fetching(0, 0, 1e6, now);
              protection.fetching(
                  reduce.getID(), Map.of("nowhere", nothing, host(map, 0), nothing));
              app.settle();
              return attempt(map, 0).getState() == TaskAttemptState.KILLED;
            });
    TestApp.awaitRunning(map, 1);
  }

  @Test
  void outputsThatCrawlAreMadeAgainElsewhere() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 0);
      String slow = host(map, 0);
      crawls(app, map);
      assertThat(fled).contains(attempt(map, 0).getID());
      assertThat(protection.isSlowSource(slow)).isTrue();
      assertThat(protection.isSlowSource("nowhere")).as("it has no outputs").isFalse();
      for (String host : scheduler.hosts()) { // all of them hold the input of each map
        assertThat(scheduler.wasAskedFor(FAST_FAIL, host)).isEqualTo(!host.equals(slow));
      }
      assertThat(told(app)).contains("KILLED 0");
      assertThat(toldReduces()).as("it may be read until then").doesNotContain("KILLED 0");
      assertThat(protection.isStillRead(attempt(map, 0).getID())).isTrue();
      assertThat(lines)
          .isNotEmpty()
          .allSatisfy(
              line ->
                  assertThat(line)
                      .containsEntry("rule", "MACHINE_CRAWLS")
                      .containsEntry("node", slow)
                      .containsKey("tFetch"));
      for (Task one : app.job().getTasks(TaskType.MAP).values()) {
        if (one.getAttempts().size() > 1) {
          TestApp.awaitRunning(one, 1);
          finish(app, one, 1);
        }
      }
      assertThat(toldReduces()).containsSubsequence("OBSOLETE 0", "SUCCEEDED 0", "KILLED 0");
      assertThat(protection.isStillRead(attempt(map, 0).getID())).isFalse();
      endsWell(app);
    }
  }

  @Test
  void mapsThatRanAgainTellHowLongTheNextOnesTake() throws Exception {
    scheduler = FakeCluster.scheduler(61).nodes(8, RACK, 1);
    mapsTake = Duration.ofSeconds(5);
    try (TestApp app = start(Mode.ON)) {
      crawls(app, map(app, 0));
      app.passes(Duration.ofSeconds(2)); // less than the first one took
      finish(app, map(app, 0), 1);
      lines.clear();
      crawls(app, map(app, 1));
      assertThat(lines)
          .isNotEmpty()
          .allSatisfy(line -> assertThat(line).containsEntry("tRedo", 2.0));
    }
  }

  @Test
  void reducesLeaveAHostWithASlowLinkOnceItsOutputsAreMadeAgain() throws Exception {
    scheduler = FakeCluster.scheduler(61).nodes(5, RACK, 1); // the copy runs where a map did
    try (TestApp app = start(Mode.ON)) {
      Task reduce = app.task(TaskType.REDUCE, 0);
      app.send(new TaskEvent(reduce.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      TestApp.awaitRunning(reduce, 1);
      String slow = host(reduce, 1);
      String other = host(map(app, host(map(app, 0), 0).equals(slow) ? 1 : 0), 0);
      Runnable reports =
          () -> {
            double now = System.nanoTime() / 1e9;
            protection.fetching(
                attempt(reduce, 0).getID(), Map.of(slow, new Fetching(0, 0, 1e6, now)));
            protection.fetching(
                attempt(reduce, 1).getID(), Map.of(other, new Fetching(0, 1, 1, now)));
          };
      await().pollInterval(Duration.ofMillis(100)).until(() -> said(reports).isSlowSource(slow));
      await()
          .pollInterval(Duration.ofMillis(100))
          .during(Duration.ofSeconds(2))
          .until(() -> said(reports).slowLinks().isEmpty()); // no slot is free for its output
      assertThat(remade(app)).isZero();
      freeSlots = 3;
      await()
          .pollInterval(Duration.ofMillis(100))
          .until(() -> said(reports).slowLinks().equals(Set.of(slow)));
      assertThat(remade(app)).isEqualTo(1);
    }
  }

  private OutputProtection said(Runnable reports) {
    reports.run();
    return protection;
  }

  @Test
  void deathOfASlowNodeIsToldAsLongAsItsOutputsMayBeRead() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 0);
      String slow = host(map, 0);
      crawls(app, map);
      app.settle();
      assertThat(toldOf(attempt(map, 0))).containsExactly("SUCCEEDED");
      for (Task other : app.job().getTasks(TaskType.MAP).values()) {
        if (!host(other, 0).equals(slow)) { // nodes that keep no output any more are forgotten
          app.send(
              new TaskAttemptKillEvent(
                  attempt(other, 0).getID(),
                  "TaskAttempt killed because it ran on unusable node n:1",
                  true));
        }
      }
      app.settle();
      silentHosts.add(slow);
      await().until(() -> toldOf(attempt(map, 0)).equals(List.of("OBSOLETE", "KILLED")));
      app.settle(); // the loss is told after its end
      assertThat(lostOn).isNotEmpty().containsOnly(slow);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void outputThatTurnsOutToBeLostWhileItIsMadeAgainCountsOnce(boolean isAskedForBefore)
      throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 0);
      String slow = host(map, 0);
      lost.add(TypeConverter.fromYarn(attempt(map, 0).getID()));
      if (isAskedForBefore) {
        answer = new CountDownLatch(1);
        complain(app, map);
      }
      crawls(app, map);
      assertThat(lostOn).as("it may be read").isEmpty();
      answer.countDown();
      if (!isAskedForBefore) {
        complain(app, map);
      }
      await().until(() -> lostOn.equals(List.of(slow)));
      complain(app, map);
      await()
          .during(Duration.ofSeconds(2))
          .untilAsserted(() -> assertThat(lostOn).containsExactly(slow));
      assertThat(toldOf(attempt(map, 0))).containsExactly("OBSOLETE", "KILLED");
    }
  }

  @Test
  void outputThatCanBeReadWhileItIsMadeAgainIsNotLost() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 0);
      crawls(app, map);
      complain(app, map);
      await().during(Duration.ofSeconds(3)).untilAsserted(() -> assertThat(lostOn).isEmpty());
    }
  }

  private List<String> toldOf(TaskAttempt output) {
    return Arrays.stream(protection.events().orElseThrow().next(0, 100))
        .filter(event -> event.getTaskAttemptId().equals(TypeConverter.fromYarn(output.getID())))
        .map(event -> event.getTaskStatus().toString())
        .toList();
  }
}
