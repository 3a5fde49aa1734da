// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.config.Mode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.junit.jupiter.api.Test;

/** Outputs that are lost or out of reach. */
class OutputProtectionIT extends ProtectedOutputs {
  OutputProtectionIT() {
    outputBytes = 1_000;
  }

  @Test
  void outputsOfANodeThatDoesNotAnswerAreMadeAgainElsewhere() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 0);
      String silent = host(map, 0);
      scheduler.deaf(silent); // nor does it confirm the end of a container
      silentHosts.add(silent);
      await().until(() -> app.avoided().contains(silent));
      await().until(() -> scheduler.isAvoided(silent));
      List<Task> there =
          app.job().getTasks(TaskType.MAP).values().stream()
              .filter(one -> host(one, 0).equals(silent))
              .toList();
      for (Task one : there) {
        TestApp.awaitState(attempt(one, 0), TaskAttemptState.KILLED);
        TestApp.awaitRunning(one, 1);
        assertThat(host(one, 1)).isNotEqualTo(silent);
      }
      for (String host : scheduler.hosts()) { // all of them hold the input of each map
        assertThat(scheduler.wasAskedFor(FAST_FAIL, host)).isEqualTo(!host.equals(silent));
      }
      assertThat(scheduler.wasAskedFor(FAST_FAIL, RACK)).as("else no host is given").isTrue();
      assertThat(told(app)).contains("KILLED 0").contains("OBSOLETE 0");
      assertThat(lines)
          .hasSize(there.size())
          .allSatisfy(
              line ->
                  assertThat(line)
                      .containsEntry("rule", "MACHINE_SILENT")
                      .containsEntry("node", silent)
                      .containsKeys("silent", "tRedo", "bytes", "reason"));
      assertThat(remade(app)).isEqualTo(there.size());

      silentHosts.clear();
      for (Task one : there) {
        finish(app, one, 1);
      }
      // With its last output, the node is not asked any more, and may be used again.
      await().until(() -> !app.avoided().contains(silent));
      await().until(() -> !scheduler.isAvoided(silent));
      endsWell(app);
    }
  }

  @Test
  void containerThatIsBeingLaunchedOnADeadHostIsLaunchedElsewhere() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Set<String> empty = new HashSet<>(List.of(scheduler.hosts()));
      app.job().getTasks(TaskType.MAP).values().forEach(map -> empty.remove(host(map, 0)));
      app.avoided().silent(empty); // only nodes with outputs are watched
      Arrays.stream(scheduler.hosts()).forEach(scheduler::deaf);
      Task reduce = app.task(TaskType.REDUCE, 0);
      app.send(new TaskEvent(reduce.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      await().until(() -> reduce.getAttempts().size() == 2);
      await().until(() -> attempt(reduce, 1).getNodeId() != null);
      String dead = host(reduce, 1);
      app.settle(); // it has been launched in vain
      scheduler.allHear();
      scheduler.deaf(dead);
      assertThat(attempt(reduce, 1).getState()).isEqualTo(TaskAttemptState.STARTING);
      silentHosts.add(dead);
      TestApp.awaitState(attempt(reduce, 1), TaskAttemptState.KILLED);
      assertThat(reduce.getAttempts()).as("the first one works").hasSize(2);
      finish(app, reduce, 0);
      ends(app, JobStateInternal.SUCCEEDED);
    }
  }

  @Test
  void outputThatItsNodeCannotReadIsMadeAgainAtTheFirstComplaint() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 1);
      lost.add(TypeConverter.fromYarn(attempt(map, 0).getID()));
      complain(app, map);
      TestApp.awaitState(attempt(map, 0), TaskAttemptState.KILLED);
      TestApp.awaitRunning(map, 1);
      for (String host : scheduler.hosts()) {
        assertThat(scheduler.wasAskedFor(FAST_FAIL, host)).as("any will do").isFalse();
      }
      assertThat(remade(app)).isEqualTo(1);
      finish(app, map, 1);
      ActionTotals said = actions.get(ActionKind.RECOMPUTATION);
      assertThat(said).isEqualTo(new ActionTotals(1, 1, 0, 0, 0)); // a reduce had missed it
      endsWell(app);
    }
  }

  @Test
  void complaintsAboutAnOutputThatIsMadeAgainCountNoMore() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 1);
      TaskAttempt given = attempt(map, 0);
      lost.add(TypeConverter.fromYarn(given.getID()));
      complain(app, map);
      TestApp.awaitState(given, TaskAttemptState.KILLED);
      TestApp.awaitRunning(map, 1);
      for (int i = 0; i < 6; i++) { // Hadoop takes three for a loss
        complain(app, map);
      }
      TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
      app.send(new TaskAttemptTooManyFetchFailureEvent(given.getID(), reduce.getID(), "h"));
      app.settle();
      assertThat(remade(app)).isEqualTo(1);
      assertThat(lines).hasSize(1);
      finish(app, map, 1);
      endsWell(app);
    }
  }

  @Test
  void outputThatItsNodeCanReadStays() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task good = map(app, 1);
      Task bad = map(app, 2);
      complain(app, good);
      lost.add(TypeConverter.fromYarn(attempt(bad, 0).getID()));
      complain(app, bad);
      TestApp.awaitRunning(bad, 1);
      assertThat(attempt(good, 0).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
      complain(app, good); // which is looked into each time
      finish(app, bad, 1);
      endsWell(app);
      assertThat(good.getAttempts()).hasSize(1);
    }
  }

  @Test
  void outputThatWasAskedForWithAnUnreadableOneStays() throws Exception {
    scheduler = FakeCluster.scheduler(61).nodes(2, RACK, 4); // so that one has two of the outputs
    try (TestApp app = start(Mode.ON)) {
      List<Task> there =
          app.job().getTasks(TaskType.MAP).values().stream()
              .collect(Collectors.groupingBy(map -> host(map, 0)))
              .values()
              .stream()
              .max(Comparator.comparingInt(List::size))
              .orElseThrow();
      Task good = there.get(0);
      Task bad = there.get(1);
      lost.add(TypeConverter.fromYarn(attempt(bad, 0).getID()));
      TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
      app.send(
          new JobTaskAttemptFetchFailureEvent(
              reduce.getID(),
              List.of(attempt(good, 0).getID(), attempt(bad, 0).getID()),
              "anywhere"));
      app.send( // as JobImpl has it if enough reduces have asked for both
          new TaskAttemptTooManyFetchFailureEvent(attempt(good, 0).getID(), reduce.getID(), "h"));
      TestApp.awaitState(attempt(bad, 0), TaskAttemptState.KILLED);
      TestApp.awaitRunning(bad, 1);
      assertThat(attempt(good, 0).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
      assertThat(remade(app)).isEqualTo(1);
      finish(app, bad, 1);
      endsWell(app);
    }
  }

  @Test
  void outputThatItsNodeCanReadButReducesCannotIsMadeAgain() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 1);
      TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
      answer = new CountDownLatch(1); // which it can read then, or no answer came
      complain(app, map);
      app.send( // as JobImpl has it if enough reduces complain at once
          new TaskAttemptTooManyFetchFailureEvent(attempt(map, 0).getID(), reduce.getID(), "h"));
      app.settle();
      assertThat(attempt(map, 0).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
      answer.countDown();
      TestApp.awaitState(attempt(map, 0), TaskAttemptState.KILLED);
      TestApp.awaitRunning(map, 1);
      assertThat(remade(app)).isEqualTo(1);
      finish(app, map, 1);
      endsWell(app);
    }
  }

  @Test
  void complaintsThatFailAnAttemptInHadoopKillIt() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 0);
      TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
      for (int number = 0; number < 2; number++) {
        TaskAttempt attempt = attempt(map, number);
        app.send(new TaskAttemptTooManyFetchFailureEvent(attempt.getID(), reduce.getID(), "h"));
        TestApp.awaitState(attempt, TaskAttemptState.KILLED);
        TestApp.awaitRunning(map, number + 1);
        finish(app, map, number + 1);
      }
      // Twice is as often as a map of this job may fail: from here on, Hadoop decides.
      app.send(
          new TaskAttemptTooManyFetchFailureEvent(attempt(map, 2).getID(), reduce.getID(), "h"));
      TestApp.awaitState(attempt(map, 2), TaskAttemptState.FAILED);
      assertThat(remade(app)).isEqualTo(2);
    }
  }

  @Test
  void nothingIsMadeAgainOnceMapsMayNotRunTwice() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      mayRunTwice = false; // second attempts have ended for the job
      Task map = map(app, 1);
      lost.add(TypeConverter.fromYarn(attempt(map, 0).getID()));
      complain(app, map);
      String silent = host(map(app, 0), 0);
      silentHosts.add(silent);
      await().until(() -> app.avoided().contains(silent));
      long since = System.nanoTime();
      await().until(() -> System.nanoTime() - since > Duration.ofSeconds(2).toNanos());
      assertThat(remade(app)).isZero();
      assertThat(map.getAttempts()).hasSize(1);
      TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
      app.send( // which has Hadoop run the map again; it is nobody's fault
          new TaskAttemptTooManyFetchFailureEvent(attempt(map, 0).getID(), reduce.getID(), "h"));
      TestApp.awaitState(attempt(map, 0), TaskAttemptState.KILLED);
      TestApp.awaitRunning(map, 1);
      finish(app, map, 1);
      endsWell(app);
    }
  }

  @Test
  void jobWhoseMapsMayNotRunTwiceIsLeftToHadoop() throws Exception {
    mayRunTwice = false;
    try (TestApp app = start(Mode.ON)) {
      assertThat(protection.isOn()).isFalse();
      assertThat(protection.acts()).isFalse();
      Task map = map(app, 0);
      app.send(
          new TaskAttemptKillEvent(
              attempt(map, 0).getID(),
              "TaskAttempt killed because it ran on unusable node n:1",
              true));
      TestApp.awaitState(attempt(map, 0), TaskAttemptState.KILLED);
      TestApp.awaitRunning(map, 1);
      finish(app, map, 1);
      endsWell(app);
    }
  }

  @Test
  void nothingIsMadeAgainThatAllHaveRead() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      shuffles(app, Phase.REDUCE);
      String silent = host(map(app, 0), 0);
      silentHosts.add(silent);
      await().until(() -> app.avoided().contains(silent));
      app.settle(); // it has been decided about what is there
      assertThat(remade(app)).isZero();
      endsWell(app);
    }
  }

  @Test
  void copyOfAReduceNeedsTheOutputsAgain() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      shuffles(app, Phase.REDUCE);
      Task map = map(app, 0);
      String silent = host(map, 0);
      silentHosts.add(silent);
      Task reduce = app.task(TaskType.REDUCE, 0);
      app.send(new TaskEvent(reduce.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      TestApp.awaitState(attempt(map, 0), TaskAttemptState.KILLED);
      TestApp.awaitRunning(map, 1);
      finish(app, reduce, 0);
      ends(app, JobStateInternal.SUCCEEDED);
    }
  }

  @Test
  void observingSaysOnceWhatWouldBeDone() throws Exception {
    try (TestApp app = start(Mode.OBSERVE)) {
      Task map = map(app, 0);
      String silent = host(map, 0);
      silentHosts.add(silent);
      await().until(() -> !lines.isEmpty());
      long since = System.nanoTime();
      await().until(() -> System.nanoTime() - since > Duration.ofSeconds(2).toNanos());
      assertThat(lines).extracting(line -> line.get("attempt")).doesNotHaveDuplicates();
      assertThat(app.avoided().all()).isEmpty();
      assertThat(remade(app)).isZero();
      endsWell(app);
      assertThat(map.getAttempts()).hasSize(1);
    }
  }
}
