// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static io.drover.speculator.DrovenApp.command;
import static io.drover.speculator.DrovenApp.conf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.model.Rule;
import io.drover.speculator.SecondAttempts.Excuse;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Uses the real state machines of Hadoop's AppMaster. Only containers and RPC are missing. */
class ActuatorIT {
  /** Keeps the decision loop from interfering with the commands of the tests. */
  private static Configuration handOnly() {
    Configuration conf = conf();
    conf.setInt("mapreduce.drover.estimate.min-observations", 10000);
    return conf;
  }

  private static Task map(DrovenApp app, int index) {
    for (Task task : app.job().getTasks(TaskType.MAP).values()) {
      if (task.getID().getId() == index) {
        return task;
      }
    }
    throw new AssertionError("no map " + index);
  }

  /** Returns map 0 once its first attempt is running. */
  private static Task runningMap(DrovenApp app) throws Exception {
    Task task = map(app, 0);
    app.waitForState(task, TaskState.RUNNING);
    app.awaitRunning(task, 0);
    return task;
  }

  @Test
  void rawEventToScheduledTaskEndsTheJobInErrorAsWeClaim() throws Exception {
    try (DrovenApp app = DrovenApp.starved(1, 0, handOnly()).withMarkers()) {
      app.waitForState(map(app, 0), TaskState.SCHEDULED);
      app.send(new TaskEvent(map(app, 0).getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      app.waitForInternalState((JobImpl) app.job(), JobStateInternal.ERROR);
    }
  }

  @Test
  void copyOfScheduledTaskIsRefused() throws Exception {
    try (DrovenApp app = DrovenApp.starved(1, 0, handOnly()).withMarkers()) {
      app.waitForState(map(app, 0), TaskState.SCHEDULED);
      app.send(command(Rule.COPY_SAVES_TIME, map(app, 0).getID(), null));
      app.settle();
      assertThat(map(app, 0).getAttempts()).hasSize(1);
      assertThat(app.job().getState()).isEqualTo(JobState.RUNNING);
      assertThat(app.counter(DroverCounter.COPIES_LAUNCHED)).isZero();
    }
  }

  @Test
  void copyIsAddedOnceAndItsVictoryIsCounted() throws Exception {
    try (DrovenApp app = DrovenApp.start(2, 0, handOnly()).withMarkers()) {
      Task task = map(app, 0);
      app.waitForState(app.job(), JobState.RUNNING);
      app.waitForState(task, TaskState.RUNNING);
      app.awaitRunning(task, 0);
      app.send(command(Rule.COPY_SAVES_TIME, task.getID(), null));
      app.settle();
      assertThat(task.getAttempts()).hasSize(2);
      app.awaitRunning(task, 1);
      app.done(app.attempt(task, 1));
      app.waitForState(task, TaskState.SUCCEEDED);
      app.waitForState(app.attempt(task, 0), TaskAttemptState.KILLED);
      assertThat(app.counter(DroverCounter.COPIES_LAUNCHED)).isEqualTo(1);
      assertThat(app.counter(DroverCounter.COPIES_WON)).isEqualTo(1);
      assertThat(app.counter(DroverCounter.COPIES_LOST)).isZero();

      Task last = map(app, 1);
      app.awaitRunning(last, 0);
      app.done(app.attempt(last, 0));
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void copyThatEndsTheJobIsInTheFinalCounters() throws Exception {
    try (DrovenApp app = DrovenApp.start(1, 0, handOnly()).withMarkers()) {
      Task task = runningMap(app);
      app.send(command(Rule.COPY_SAVES_TIME, task.getID(), null));
      app.settle();
      app.awaitRunning(task, 1);
      app.done(app.attempt(task, 0));
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(app.counter(DroverCounter.COPIES_LOST)).isEqualTo(1);
      assertThat(app.counter(DroverCounter.COPIES_WON)).isZero();
    }
  }

  @Test
  void noCopyAndNoKillOnceACommitIsWaitedForOrGranted() throws Exception {
    try (DrovenApp app = DrovenApp.start(1, 0, handOnly()).withMarkers()) {
      Task task = runningMap(app);
      TaskAttempt attempt = app.attempt(task, 0);
      app.send(attempt, TaskAttemptEventType.TA_COMMIT_PENDING);
      app.send(command(Rule.COPY_SAVES_TIME, task.getID(), null));
      app.send(command(Rule.RESTART_PAYS, task.getID(), attempt.getID()));
      app.settle();
      assertThat(task.canCommit(attempt.getID())).isTrue();
      assertThat(task.getAttempts()).hasSize(1);
      assertThat(attempt.getState()).isEqualTo(TaskAttemptState.COMMIT_PENDING);
      app.done(attempt);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void restartBreedsExactlyOneAttempt() throws Exception {
    try (DrovenApp app = DrovenApp.start(1, 0, handOnly()).withMarkers()) {
      Task task = runningMap(app);
      app.send(command(Rule.RESTART_PAYS, task.getID(), app.attempt(task, 0).getID()));
      app.waitForState(app.attempt(task, 0), TaskAttemptState.KILLED);
      await().until(() -> task.getAttempts().size() > 1);
      app.awaitRunning(task, 1);
      app.settle();
      assertThat(task.getAttempts()).hasSize(2);
      assertThat(app.counter(DroverCounter.RESTARTS)).isEqualTo(1);
      app.done(app.attempt(task, 1));
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(app.counter(DroverCounter.COPIES_WON)).isZero();
    }
  }

  @Test
  void outrunAttemptIsEndedButNotTheOnlyOne() throws Exception {
    try (DrovenApp app = DrovenApp.watched(1, 0, handOnly())) {
      Task task = runningMap(app);
      app.send(command(Rule.SLOWER_ATTEMPT, task.getID(), app.attempt(task, 0).getID()));
      app.settle();
      assertThat(app.attempt(task, 0).getState()).isEqualTo(TaskAttemptState.RUNNING);
      assertThat(app.counter(DroverCounter.SLOWER_ATTEMPT)).isZero();
      app.send(command(Rule.COPY_SAVES_TIME, task.getID(), null));
      app.settle();
      app.awaitRunning(task, 1);
      app.send(command(Rule.SLOWER_ATTEMPT, task.getID(), app.attempt(task, 0).getID()));
      app.waitForState(app.attempt(task, 0), TaskAttemptState.KILLED);
      assertThat(app.counter(DroverCounter.SLOWER_ATTEMPT)).isEqualTo(1);
      app.done(app.attempt(task, 1));
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(app.second().excuse(task, app.attempt(task, 1), 0))
          .as("it stood in for the first")
          .contains(Excuse.ADDED);
    }
  }

  @Test
  void taskOfWhichTwoCopiesHaveFailedGetsNoMore() throws Exception {
    Configuration conf = handOnly();
    conf.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 100);
    conf.setInt("mapreduce.drover.restart.max-copies", 5);
    try (DrovenApp app = DrovenApp.watched(1, 0, conf)) {
      Task task = runningMap(app);
      for (int copy = 1; copy <= 3; copy++) {
        app.send(command(Rule.COPY_SAVES_TIME, task.getID(), null));
        app.settle();
        int last = task.getAttempts().size() - 1;
        app.awaitRunning(task, last);
        app.second().excuse(task, app.attempt(task, last), 0);
      }
      assertThat(task.getAttempts()).hasSize(3);
    }
  }

  @Test
  void finishedMapIsNeverKilled() throws Exception {
    try (DrovenApp app = DrovenApp.start(2, 0, handOnly()).withMarkers()) {
      Task task = runningMap(app);
      TaskAttempt attempt = app.attempt(task, 0);
      app.done(attempt);
      app.send(command(Rule.RESTART_PAYS, task.getID(), attempt.getID()));
      app.settle();
      app.waitForState(task, TaskState.SUCCEEDED);
      assertThat(task.getAttempts()).hasSize(1);
    }
  }

  /** In the stock AppMaster, a map might wait forever if its request crossed the blacklisting. */
  @Test
  void noMachineIsAvoidedWhileAMapWaitsForAContainer() throws Exception {
    try (DrovenApp app = DrovenApp.starved(1, 0, handOnly()).withMarkers()) {
      app.waitForState(map(app, 0), TaskState.SCHEDULED);
      app.send(new Actuator.KeepAway("n1", app.attempt(map(app, 0), 0).getID()));
      app.settle();
      assertThat(app.counter(DroverCounter.MACHINES_AVOIDED)).isZero();
    }
  }

  /** Tells a job on four hosts to avoid two of them, and returns how many it avoids. */
  private static long avoided(Configuration conf) throws Exception {
    try (DrovenApp app = DrovenApp.start(4, 0, conf).withMarkers()) {
      for (int i = 0; i < 4; i++) {
        app.waitForState(map(app, i), TaskState.RUNNING);
        app.awaitRunning(map(app, i), 0);
      }
      for (int told = 0; told < 3; told++) {
        app.send(new Actuator.KeepAway("h1", app.attempt(map(app, 0), 0).getID()));
        app.send(new Actuator.KeepAway("h2", app.attempt(map(app, 0), 0).getID()));
      }
      app.settle();
      long avoided = app.counter(DroverCounter.MACHINES_AVOIDED);
      for (int i = 0; i < 4; i++) {
        app.done(app.attempt(map(app, i), 0));
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
      return avoided;
    }
  }

  @Test
  void lessThanAThirdOfTheMachinesAreAvoidedOnceAllMapsHaveContainers() throws Exception {
    assertThat(avoided(handOnly())).isEqualTo(1);
  }

  @Test
  void noMachineIsAvoidedWhereTheJobAllowsNone() throws Exception {
    Configuration off = handOnly();
    off.setBoolean(MRJobConfig.MR_AM_JOB_NODE_BLACKLISTING_ENABLE, false);
    assertThat(avoided(off)).isZero();
    Configuration patient = handOnly(); // would take more events than the AppMaster can hold
    patient.setInt(MRJobConfig.MAX_TASK_FAILURES_PER_TRACKER, Integer.MAX_VALUE);
    assertThat(avoided(patient)).isZero();
    Configuration few = handOnly();
    few.setInt(MRJobConfig.MR_AM_IGNORE_BLACKLISTING_BLACKLISTED_NODE_PERECENT, 20);
    assertThat(avoided(few)).isZero();
  }

  @Test
  void neverMoreThanMaxCopies() throws Exception {
    assertThat(copiesAfterSixCommands(100)).isEqualTo(3);
  }

  @Test
  void attemptsAtOnceLeaveHalfOfTheAllowedFailures() throws Exception {
    assertThat(copiesAfterSixCommands(4)).isEqualTo(2);
    assertThat(copiesAfterSixCommands(3)).isEqualTo(1);
  }

  private static int copiesAfterSixCommands(int maxAttempts) throws Exception {
    Configuration conf = handOnly();
    conf.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, maxAttempts);
    try (DrovenApp app = DrovenApp.start(1, 0, conf).withMarkers()) {
      Task task = map(app, 0);
      app.waitForState(task, TaskState.RUNNING);
      for (int i = 0; i < 6; i++) {
        app.send(command(Rule.COPY_SAVES_TIME, task.getID(), null));
        app.settle();
        for (TaskAttempt attempt : task.getAttempts().values()) {
          app.waitForState(attempt, TaskAttemptState.RUNNING);
        }
      }
      return task.getAttempts().size();
    }
  }

  /**
   * Commands may come at any moment, between completions, commits, kills, failures and lost
   * outputs. They must never bring a job into a state that stock Hadoop would not reach.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void commandsAtAnyMomentNeverBreakAJob(long seed) throws Exception {
    Random random = new Random(seed);
    try (DrovenApp app = DrovenApp.start(6, 0, handOnly()).withMarkers()) {
      for (int i = 0; i < 6; i++) {
        app.waitForState(map(app, i), TaskState.RUNNING);
      }
      Set<TaskAttemptId> told = new HashSet<>();
      Set<TaskAttemptId> lost = new HashSet<>();
      for (int step = 0; step < 400; step++) {
        Task task = map(app, random.nextInt(6));
        for (TaskAttempt attempt : task.getAttempts().values()) {
          disturb(app, random, task, attempt, told, lost);
        }
        if (random.nextInt(10) == 0) {
          app.settle();
        }
        assertThat(((JobImpl) app.job()).getInternalState())
            .isNotIn(JobStateInternal.ERROR, JobStateInternal.FAILED);
      }
      await()
          .pollInterval(Duration.ofMillis(5))
          .untilAsserted(
              () -> {
                finish(app, told);
                assertThat(app.job().getState())
                    .as(() -> describe(app, told))
                    .isEqualTo(JobState.SUCCEEDED);
              });
    }
  }

  /** Returns eight seeds by default, more for a long soak. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("drover.seeds", 8));
  }

  private static String describe(DrovenApp app, Set<TaskAttemptId> told) {
    StringBuilder text = new StringBuilder();
    for (Task task : app.job().getTasks().values()) {
      text.append(task.getID()).append(' ').append(task.getState()).append(": ");
      for (TaskAttempt attempt : task.getAttempts().values()) {
        text.append(attempt.getID().getId()).append('=').append(attempt.getState());
        text.append(task.canCommit(attempt.getID()) ? " may commit" : "");
        text.append(told.contains(attempt.getID()) ? " told, " : ", ");
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static void disturb(
      DrovenApp app,
      Random random,
      Task task,
      TaskAttempt attempt,
      Set<TaskAttemptId> told,
      Set<TaskAttemptId> lost) {
    TaskAttemptId id = attempt.getID();
    boolean running = attempt.getState() == TaskAttemptState.RUNNING;
    boolean keepsGoing = task.getID().getId() != 0; // task 0 keeps the job running
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> app.send(command(Rule.COPY_SAVES_TIME, task.getID(), null));
      case 3 -> app.send(command(Rule.RESTART_PAYS, task.getID(), id));
      case 4 -> {
        Rule rule = random.nextBoolean() ? Rule.SAME_MACHINE : Rule.SLOWER_ATTEMPT;
        app.send(command(rule, task.getID(), id));
      }
      case 5 -> {
        if (running && keepsGoing && told.add(id)) {
          app.done(attempt);
        }
      }
      case 6 -> {
        if (running && !told.contains(id) && random.nextInt(4) == 0) {
          app.send(attempt, TaskAttemptEventType.TA_COMMIT_PENDING);
        }
      }
      case 7 -> {
        if (running && random.nextInt(4) == 0) {
          app.send(attempt, TaskAttemptEventType.TA_KILL);
        }
      }
      case 8 -> {
        boolean succeeded = task.getState() == TaskState.SUCCEEDED;
        if (succeeded && attempt.getState() == TaskAttemptState.SUCCEEDED && lost.size() < 3) {
          lost.add(id);
          app.send(new TaskAttemptTooManyFetchFailureEvent(id, id, "host"));
        }
      }
      default -> {
        // does nothing
      }
    }
  }

  /** Finishes every attempt that may finish. */
  private static void finish(DrovenApp app, Set<TaskAttemptId> told) {
    for (Task task : app.job().getTasks().values()) {
      for (TaskAttempt attempt : task.getAttempts().values()) {
        boolean mayCommit =
            attempt.getState() == TaskAttemptState.COMMIT_PENDING
                && task.canCommit(attempt.getID());
        boolean open = attempt.getState() == TaskAttemptState.RUNNING || mayCommit;
        if (open && told.add(attempt.getID())) {
          app.done(attempt);
        }
      }
    }
  }
}
