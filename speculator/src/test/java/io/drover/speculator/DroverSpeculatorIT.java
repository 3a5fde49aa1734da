// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the whole speculator, with its decision thread, in Hadoop's own AppMaster. */
class DroverSpeculatorIT extends LoggedApp {
  private static final int MAPS = 8;
  private static final String LAGGARD_RULE = "COPY_SAVES_TIME";

  /** The share of its work that a task does in a period. */
  private static final double STEP = 0.01;

  /** Searches the text, because its last line may be incomplete. */
  private boolean isLogged(String text) throws IOException {
    Path file = containerLogs.resolve(DecisionLogFiles.FILE);
    return Files.exists(file) && Files.readString(file).contains(text);
  }

  private List<JsonNode> log(DrovenApp app, String type) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(dir.resolve(app.job().getID() + ".jsonl"))) {
      JsonNode node = new ObjectMapper().readTree(line);
      if (node.get("type").asText().equals(type)) {
        lines.add(node);
      }
    }
    return lines;
  }

  private List<JsonNode> duplicates(DrovenApp app) throws IOException {
    List<JsonNode> decisions = log(app, "decision");
    decisions.removeIf(decision -> !decision.get("action").asText().equals("DUPLICATE"));
    return decisions;
  }

  private static List<Task> runningMaps(DrovenApp app) throws Exception {
    app.waitForState(app.job(), JobState.RUNNING);
    List<Task> tasks = new ArrayList<>(app.job().getTasks().values());
    for (Task task : tasks) {
      app.waitForState(task, TaskState.RUNNING);
      app.awaitRunning(task, 0);
    }
    return tasks;
  }

  /**
   * Reports every period. All tasks progress steadily, the first at a twentieth of the others'
   * pace. They do so only once their earlier reports have been read, so that none reaches its end,
   * where all would look stopped: on a busy machine, the first estimates, which still load classes,
   * take many seconds, and so do the pauses behind them.
   */
  private static void driveWithLaggard(DrovenApp app, List<Task> tasks, Callable<Boolean> until) {
    double[] progress = new double[1];
    await()
        .pollInterval(PERIOD)
        .until(
            () -> {
              if (app.speculator().queue().size() > 0) {
                return until.call();
              }
              progress[0] += STEP;
              assertThat(progress[0]).isLessThan(0.9);
              for (Task task : tasks) {
                boolean slow = task == tasks.get(0);
                TaskAttempt first = app.attempt(task, 0);
                if (first.getState() == TaskAttemptState.RUNNING) {
                  app.report(first, slow ? progress[0] / 20 : progress[0]);
                }
              }
              return until.call();
            });
  }

  /** Ends all tasks at once. A task that waited silently would look like an outlier. */
  private static void finishAll(DrovenApp app, List<Task> tasks) throws Exception {
    for (Task task : tasks) {
      app.done(app.attempt(task, 0));
    }
    app.waitForState(app.job(), JobState.SUCCEEDED);
    app.awaitStopped();
  }

  @Test
  void laggardGetsACopyAndTheLogSaysWhy() throws Exception {
    try (DrovenApp app = DrovenApp.start(MAPS, 0, logged())) {
      List<Task> tasks = runningMaps(app);
      // Another thread adds the attempt a moment before it increments the counter
      driveWithLaggard(app, tasks, () -> app.counter(DroverCounter.COPIES_LAUNCHED) > 0);
      assertThat(app.counter(DroverCounter.COPIES_LAUNCHED)).isEqualTo(1);
      assertThat(tasks.get(0).getAttempts()).hasSize(2);
      assertThat(tasks.subList(1, MAPS)).allSatisfy(t -> assertThat(t.getAttempts()).hasSize(1));
      finishAll(app, tasks);
      JsonNode decision = duplicates(app).get(0);
      assertThat(decision.get("rule").asText()).isEqualTo(LAGGARD_RULE);
      assertThat(decision.get("task").asText()).isEqualTo(tasks.get(0).getID().toString());
      assertThat(decision.get("mode").asText()).isEqualTo("on");
      double saving = decision.get("tRem").asDouble() - decision.get("tNew").asDouble();
      assertThat(saving).isGreaterThan(decision.get("threshold").asDouble());
      assertThat(log(app, "settled"))
          .filteredOn(line -> line.get("task").equals(decision.get("task")))
          .hasSize(1);
    }
  }

  @Test
  void observeModeTouchesNothingAndScoresItself() throws Exception {
    Configuration conf = logged();
    conf.set("mapreduce.drover.restart.mode", "observe");
    // The stock speculator, which stays active in this mode, must wait for longer than the test
    conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, 600_000);
    try (DrovenApp app = DrovenApp.start(MAPS, 0, conf)) {
      List<Task> tasks = runningMaps(app);
      driveWithLaggard(app, tasks, () -> isLogged("\"action\":\"DUPLICATE\""));
      finishAll(app, tasks);
      assertThat(tasks).allSatisfy(t -> assertThat(t.getAttempts()).hasSize(1));
      List<JsonNode> decisions = duplicates(app);
      assertThat(decisions)
          .allSatisfy(d -> assertThat(d.get("mode").asText()).isEqualTo("observe"));
      // On a busy machine the others may have been silent for long as well when all were ended.
      String laggard = tasks.get(0).getID().toString();
      assertThat(decisions).filteredOn(d -> d.get("task").asText().equals(laggard)).hasSize(1);
      assertThat(log(app, "outcome"))
          .hasSameSizeAs(decisions)
          .allSatisfy(o -> assertThat(o.get("actualRemaining").asDouble()).isPositive());
    }
  }

  @Test
  void offModeKeepsNoLogAndAddsNothing() throws Exception {
    Configuration conf = logged();
    conf.set("mapreduce.drover.restart.mode", "off");
    try (DrovenApp app = DrovenApp.start(2, 0, conf)) {
      List<Task> tasks = runningMaps(app);
      finishAll(app, tasks);
      assertThat(dir).isEmptyDirectory();
    }
  }

  @Test
  void unknownKeyIsNamedInTheJobsDiagnosticsAndTheJobRunsAsStock() throws Exception {
    Configuration conf = logged();
    conf.set("mapreduce.drover.restart.mood", "on");
    try (DrovenApp app = DrovenApp.start(2, 0, conf)) {
      finishAll(app, runningMaps(app));
      assertThat(String.join("", app.job().getDiagnostics()))
          .contains("mapreduce.drover.restart.mood")
          .contains("nearest: mapreduce.drover.restart.mode");
      assertThat(dir).isEmptyDirectory();
    }
  }

  @Test
  void valueOutOfRangeIsNamedWithItsRange() throws Exception {
    Configuration conf = logged();
    conf.set("mapreduce.drover.restart.delta", "7");
    try (DrovenApp app = DrovenApp.start(2, 0, conf)) {
      List<Task> tasks = runningMaps(app);
      finishAll(app, tasks);
      assertThat(String.join("", app.job().getDiagnostics()))
          .contains("mapreduce.drover.restart.delta is '7'")
          .contains("0.0 to 0.99");
    }
  }

  /** Writes before the commit, according to its name. */
  public static final class DirectTestCommitter
      extends org.apache.hadoop.mapred.FileOutputCommitter {}

  /** Uses Hadoop's own keys, which limit how many tasks may have a copy at once. */
  @Test
  void jobThatForbidsAllCopiesGetsNone() throws Exception {
    Configuration conf = logged();
    conf.setInt(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, 0);
    conf.setDouble(MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, 0);
    conf.setDouble(MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, 0);
    try (DrovenApp app = DrovenApp.start(MAPS, 0, conf)) {
      List<Task> tasks = runningMaps(app);
      driveWithLaggard(app, tasks, () -> isLogged("\"rule\":\"NO_SLOT\""));
      assertThat(tasks.get(0).getAttempts()).hasSize(1);
      finishAll(app, tasks);
      assertThat(duplicates(app)).isEmpty();
    }
  }

  @Test
  void taskThatHasLostTwoCopiesIsDecidedOnNoMore() throws Exception {
    try (DrovenApp app = DrovenApp.watched(MAPS, 0, logged())) {
      List<Task> tasks = runningMaps(app);
      app.loseCopies(tasks.get(0), 2);
      driveWithLaggard(app, tasks, () -> isLogged("\"rule\":\"ENOUGH_COPIES\""));
      finishAll(app, tasks);
      assertThat(duplicates(app)).isEmpty();
    }
  }

  @Test
  void unsafeOutputsAreLeftAlone() throws Exception {
    Configuration conf = logged();
    conf.set("mapred.output.committer.class", DirectTestCommitter.class.getName());
    try (DrovenApp app = DrovenApp.start(MAPS, 0, conf)) {
      List<Task> tasks = runningMaps(app);
      long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      driveWithLaggard(app, tasks, () -> System.nanoTime() > end);
      assertThat(tasks.get(0).getAttempts()).hasSize(1);
      finishAll(app, tasks);
    }
  }

  @Test
  void outputThatOnlyTheJobsClassLoaderHasIsLookedAtWithIt() throws Exception {
    Configuration conf = logged();
    conf.set("mapred.output.format.class", "my.Format"); // would be excluded if it were unknown
    ClassLoader jobs =
        new ByteBuddy()
            .subclass(org.apache.hadoop.mapred.TextOutputFormat.class)
            .name("my.Format")
            .make()
            .load(getClass().getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
            .getLoaded()
            .getClassLoader();
    try (DrovenApp app = DrovenApp.start(MAPS, 0, conf, jobs)) {
      List<Task> tasks = runningMaps(app);
      driveWithLaggard(app, tasks, () -> app.counter(DroverCounter.COPIES_LAUNCHED) > 0);
      finishAll(app, tasks);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mapreduce.map.speculative", "mapred.map.tasks.speculative.execution"})
  void typeThatIsNotSpeculatedOnIsNeitherCopiedNorKilled(String key) throws Exception {
    Configuration conf = logged();
    conf.setBoolean(key, false);
    try (DrovenApp app = DrovenApp.start(MAPS, 1, conf)) {
      app.waitForState(app.job(), JobState.RUNNING);
      List<Task> maps = new ArrayList<>(app.job().getTasks(TaskType.MAP).values());
      for (Task map : maps) {
        app.waitForState(map, TaskState.RUNNING);
        app.awaitRunning(map, 0);
      }
      long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
      driveWithLaggard(app, maps, () -> System.nanoTime() > end);
      assertThat(maps)
          .allSatisfy(map -> assertThat(map.getAttempts()).hasSize(1))
          .allSatisfy(
              map ->
                  assertThat(app.attempt(map, 0).getState()).isEqualTo(TaskAttemptState.RUNNING));
      app.send(new JobEvent(app.job().getID(), JobEventType.JOB_KILL));
    }
  }

  private static void sendBrokenCommand(DrovenApp app, Task task) throws Exception {
    app.send(DrovenApp.command(Rule.RESTART_PAYS, task.getID(), null)); // no victim
    app.settle();
  }

  @Test
  void oneErrorCostsOneActionAndThreeInARowHandOverToStock() throws Exception {
    try (DrovenApp app = DrovenApp.start(2, 0, logged()).withMarkers()) {
      List<Task> tasks = runningMaps(app);
      sendBrokenCommand(app, tasks.get(0));
      sendBrokenCommand(app, tasks.get(0));
      assertThat(app.counter(DroverCounter.TURNED_OFF)).isZero();
      assertThat(app.speculator().stockLeads()).isFalse();
      sendBrokenCommand(app, tasks.get(0));
      assertThat(app.counter(DroverCounter.TURNED_OFF)).isEqualTo(1);
      assertThat(app.speculator().stockLeads()).isTrue();
      await().until(() -> app.counter(DroverCounter.STEPS_FAILED) == 3);
      finishAll(app, tasks);
      assertThat(log(app, "failures"))
          .singleElement()
          .satisfies(f -> assertThat(f.get("Speculation").asText()).contains("=3"));
    }
  }

  /** Starts a watched app with a copy of the first map. */
  private DrovenApp withACopy(List<Task> tasks) throws Exception {
    Configuration conf = logged();
    conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, 100);
    conf.setInt("mapreduce.drover.estimate.min-observations", 10000);
    DrovenApp app = DrovenApp.watched(MAPS, 0, conf);
    tasks.addAll(runningMaps(app));
    app.send(DrovenApp.command(Rule.COPY_SAVES_TIME, tasks.get(0).getID(), null));
    app.settle();
    app.awaitRunning(tasks.get(0), 1);
    return app;
  }

  @Test
  void droverComesBackWithANewModelAMinuteAfterThreePassesHaveFailed() throws Exception {
    List<Task> tasks = new ArrayList<>();
    try (DrovenApp app = withACopy(tasks)) {
      app.breakPasses(true);
      await().until(() -> app.counter(DroverCounter.TURNED_OFF) == 1);
      await().until(() -> app.speculator().stockLeads());
      app.send(DrovenApp.command(Rule.COPY_SAVES_TIME, tasks.get(2).getID(), null));
      app.settle();
      assertThat(tasks.get(2).getAttempts()).as("decided before it was off").hasSize(1);

      for (int i = 0; i < 1000; i++) {
        app.report(app.attempt(tasks.get(3), 0), 0.1);
      }
      app.settle();
      assertThat(app.speculator().queue().size()).as("while it is off").isZero();

      app.leap(CircuitBreaker.PAUSE);
      await().until(() -> app.counter(DroverCounter.TURNED_OFF) == 2); // the trial fails
      app.breakPasses(false);
      app.leap(CircuitBreaker.PAUSE);
      await().until(() -> app.speculator().works() && !app.speculator().stockLeads());
      app.send(DrovenApp.command(Rule.COPY_SAVES_TIME, tasks.get(2).getID(), null));
      app.settle();
      assertThat(tasks.get(2).getAttempts()).hasSize(2);
      finishAll(app, tasks);
      assertThat(app.counter(DroverCounter.STEPS_FAILED)).isGreaterThanOrEqualTo(4);
    }
  }

  @Test
  void stockAddsCopiesWhileDroverIsOff() throws Exception {
    List<Task> tasks = new ArrayList<>();
    try (DrovenApp app = withACopy(tasks)) {
      app.done(app.attempt(tasks.get(1), 0)); // the stock speculator needs a finished task
      app.breakPasses(true);
      await().until(() -> app.speculator().stockLeads());
      Task laggard = tasks.get(2);
      double[] progress = new double[1];
      await()
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                progress[0] = Math.min(0.9, progress[0] + 0.02);
                for (Task task : tasks.subList(2, MAPS)) {
                  app.report(
                      app.attempt(task, 0), task == laggard ? progress[0] / 20 : progress[0]);
                }
                return tasks.subList(2, MAPS).stream().anyMatch(t -> t.getAttempts().size() > 1);
              });
      app.send(new JobEvent(app.job().getID(), JobEventType.JOB_KILL));
    }
  }

  @Test
  void decisionsGoOnWhereTheirLogCannotBeWritten() throws Exception {
    Files.createDirectory(containerLogs.resolve(DecisionLogFiles.FILE)); // as if the disk were full
    try (DrovenApp app = DrovenApp.start(MAPS, 0, logged())) {
      List<Task> tasks = runningMaps(app);
      driveWithLaggard(app, tasks, () -> app.counter(DroverCounter.COPIES_LAUNCHED) > 0);
      assertThat(app.counter(DroverCounter.TURNED_OFF)).isZero();
      app.speculator().record("anything", Map.of());
      finishAll(app, tasks);
    }
  }

  @Test
  void keepingAwayArrivesWhicheverTypeIsSpeculatedOn() throws Exception {
    Configuration conf = logged();
    conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, dir.toUri().toString());
    Files.writeString(
        dir.resolve("drover-decisions.1.jsonl"),
        "{\"type\":\"slowMachine\",\"mode\":\"on\",\"node\":\"n7\"}\n");
    try (DrovenApp app = DrovenApp.start(4, 1, conf, 2)) { // less than a third may be avoided
      app.waitForState(app.job(), JobState.RUNNING);
      await().until(() -> app.counter(DroverCounter.MACHINES_AVOIDED) == 1);
      app.send(new JobEvent(app.job().getID(), JobEventType.JOB_KILL));
    }
  }

  @Test
  void secondAppMasterGoesOnWhereTheFirstOneWas() throws Exception {
    Configuration conf = logged();
    conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, dir.toUri().toString());
    conf.set("mapreduce.drover.restart.slow-machine-outliers", "2");
    Files.writeString(
        dir.resolve("drover-decisions.1.jsonl"),
        "{\"type\":\"slowMachine\",\"mode\":\"on\",\"node\":\"n7\"}\n");
    try (DrovenApp app = DrovenApp.start(MAPS, 0, conf, 2)) {
      app.waitForState(app.job(), JobState.RUNNING);
      await().until(() -> app.counter(DroverCounter.MACHINES_AVOIDED) == 1);
      for (Task task : app.job().getTasks().values()) {
        app.finishNewest(task);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void secondAppMasterMakesNoSecondAttemptsWhereTheFirstHasEndedThem() throws Exception {
    Configuration conf = logged();
    conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, dir.toUri().toString());
    Files.writeString(
        dir.resolve("drover-decisions.1.jsonl"),
        "{\"type\":\"secondAttemptsOver\",\"time\":1,\"reason\":\"the lease was taken\"}\n");
    try (DrovenApp app = DrovenApp.start(1, 0, conf, 2).withMarkers()) {
      await().until(() -> app.counter(DroverCounter.SECOND_ATTEMPTS_ENDED) == 1);
      Task map = app.job().getTasks().values().iterator().next();
      app.waitForState(map, TaskState.RUNNING);
      app.send(DrovenApp.command(Rule.COPY_SAVES_TIME, map.getID(), null));
      app.settle();
      assertThat(map.getAttempts()).hasSize(1);
      app.finishNewest(map);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }
}
