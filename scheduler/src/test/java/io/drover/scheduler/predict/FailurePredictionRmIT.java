// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.drover.channel.ClusterState.EndOrder;
import io.drover.channel.JobStart;
import io.drover.channel.JobStart.TaskRequest;
import io.drover.core.config.Mode;
import io.drover.core.predict.FailurePredictor.Judgement;
import io.drover.core.predict.FailurePredictor.Turned;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.FaultyScheduler;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.MockCluster.App;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real ResourceManager whose applications fail, or do not, as their users' names say. */
class FailurePredictionRmIT {
  private static final String KEY = "yarn.drover.predict.";
  private static final int OF_EACH = 20;

  private static Configuration configuration(String mode) {
    Configuration conf = MockCluster.configuration();
    conf.set(KEY + "mode", mode);
    conf.set(KEY + "grace", "0s");
    conf.set(KEY + "controls", "0.01");
    conf.set(KEY + "retrain", "1s");
    conf.set(KEY + "max-misjudged", "0.5"); // of forty applications nothing smaller can be told
    conf.set(KEY + "exempt-users", "exempt-bad");
    conf.set(KEY + "features", "static,history");
    return conf;
  }

  private static FailurePrediction prediction(MockCluster cluster) {
    return ((DroverCapacityScheduler) cluster.scheduler()).prediction();
  }

  private static void end(MockCluster cluster, App app, FinalApplicationStatus status)
      throws Exception {
    app.am.unregisterAppAttempt(FinishApplicationMasterRequest.newInstance(status, "", ""), true);
    cluster.endAppMaster(app);
  }

  private static MockCluster taught(String mode) throws Exception {
    return taught(configuration(mode));
  }

  private static MockCluster taught(Configuration conf) throws Exception {
    MockCluster cluster = new MockCluster(conf, 12, 32);
    for (int i = 0; i < OF_EACH; i++) {
      boolean isBadFirst = i % 2 == 0; // whether others run must tell nothing about a job
      App first = cluster.submit("MAPREDUCE", "default", isBadFirst ? "bad" : "good");
      App second = cluster.submit("MAPREDUCE", "default", isBadFirst ? "good" : "bad");
      if (i >= OF_EACH - 4) {
        RMApp ran = known(cluster, second); // these say who is called, if they outlast the grace
        await().until(() -> System.currentTimeMillis() - ran.getLaunchTime() > 500);
      }
      end(cluster, isBadFirst ? first : second, FinalApplicationStatus.FAILED);
      end(cluster, isBadFirst ? second : first, FinalApplicationStatus.SUCCEEDED);
    }
    await()
        .until(
            () ->
                prediction(cluster)
                    .status()
                    .model()
                    .filter(model -> model.jobs() == 2 * OF_EACH)
                    .isPresent());
    return cluster;
  }

  private static RMApp known(MockCluster cluster, App app) {
    ApplicationId id = app.am.getApplicationAttemptId().getApplicationId();
    return cluster.scheduler().getRMContext().getRMApps().get(id);
  }

  /** Waits until so many jobs are kept: a stop does not wait for that for long. */
  private static void awaitKept(Path dir, int jobs) throws Exception {
    EndedJobStore store = new EndedJobStore(dir.toUri().toString(), 0, new Configuration());
    await().until(() -> store.read(0, Integer.MAX_VALUE).size() == jobs);
  }

  @Test
  void successesOfOtherThreadsDoNotHideThatRoundsFail() throws Exception {
    Configuration conf = configuration("observe");
    conf.set(KEY + "second-attempts.mode", "observe");
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FaultyScheduler.class, ResourceScheduler.class);
    try (MockCluster cluster = new MockCluster(conf, 1, 8)) {
      ApplicationAttemptId attempt =
          cluster.submit("MAPREDUCE", "default", "u").am.getApplicationAttemptId();
      FailurePrediction prediction = prediction(cluster);
      FaultyScheduler.fail(
          "FailurePrediction.ranASecondTime", () -> new IllegalStateException("never thought of"));
      await()
          .until(
              () -> {
                prediction.onSecondAttempts(attempt, Duration.ofSeconds(1));
                return prediction.breaker().isOpen();
              });
    } finally {
      FaultyScheduler.mend();
    }
  }

  private static App started(MockCluster cluster, String type, String user) throws Exception {
    App app = cluster.submit(type, "default", user);
    Optional<TaskRequest> request = Optional.of(new TaskRequest(1024, 1));
    JobStart job =
        new JobStart(
            3,
            1,
            Optional.empty(),
            Optional.empty(),
            false,
            Optional.empty(),
            false,
            request,
            request);
    prediction(cluster).onJob(app.am.getApplicationAttemptId(), job);
    return app;
  }

  private static Optional<Judgement> judgement(MockCluster cluster, App app) {
    String id = app.am.getApplicationAttemptId().getApplicationId().toString();
    return prediction(cluster).status().failing().stream()
        .filter(called -> called.job().id().equals(id))
        .findFirst();
  }

  private static boolean isCalled(MockCluster cluster, App app) {
    return judgement(cluster, app).isPresent();
  }

  /**
   * Returns a job that is called failing and is no control, which one in a hundred is by its id.
   */
  private static App startedBad(MockCluster cluster) throws Exception {
    App app;
    do {
      App next = started(cluster, "MAPREDUCE", "bad");
      await().until(() -> isCalled(cluster, next));
      app = next;
    } while (judgement(cluster, app).orElseThrow().isControl());
    return app;
  }

  private static Optional<EndOrder> order(MockCluster cluster, App app) {
    return prediction(cluster).order(app.am.getApplicationAttemptId());
  }

  @Test
  void applicationOfAUserWhoseJobsFailGetsItsOrder() throws Exception {
    try (MockCluster cluster = taught("on")) {
      assertThat(prediction(cluster).status().model().orElseThrow().failures()).isPositive();
      App good = started(cluster, "MAPREDUCE", "good");
      App bad = startedBad(cluster);
      App otherType = started(cluster, "SPARK", "bad");
      await().until(() -> isCalled(cluster, otherType));
      assertThat(isCalled(cluster, good)).isFalse();
      await().until(() -> order(cluster, bad).isPresent());
      assertThat(order(cluster, bad).orElseThrow().reason())
          .contains("Drover expects this job to fail")
          .contains("user: share of failed jobs");
      assertThat(order(cluster, good)).isEmpty();
      assertThat(order(cluster, otherType)).isEmpty();
      end(cluster, bad, FinalApplicationStatus.KILLED);
      await().until(() -> prediction(cluster).status().turned().containsKey(Turned.ENDED));
      assertThat(order(cluster, bad)).isEmpty();
    }
  }

  @Test
  void nothingIsOrderedWhenItOnlyObserves() throws Exception {
    try (MockCluster cluster = taught("observe")) {
      App bad = started(cluster, "MAPREDUCE", "bad");
      await().until(() -> isCalled(cluster, bad));
      assertThat(order(cluster, bad)).isEmpty();
      assertThat(prediction(cluster).status().mode()).isEqualTo(Mode.OBSERVE);
      end(cluster, bad, FinalApplicationStatus.FAILED);
      await()
          .until(() -> prediction(cluster).status().turned().containsKey(Turned.FAILED_AS_CALLED));
    }
  }

  private static OptionalDouble success(MockCluster cluster, App app) {
    return prediction(cluster).successProbability(app.am.getApplicationAttemptId());
  }

  private static long containerSeconds(MockCluster cluster, App app) {
    return known(cluster, app).getRMAppMetrics().getVcoreSeconds();
  }

  @Test
  void nothingIsToldWhenPredictionIsSwitchedOffByARefresh() throws Exception {
    Configuration conf = configuration("observe");
    conf.set(KEY + "second-attempts.mode", "on");
    try (MockCluster cluster = taught(conf)) {
      App bad = startedBad(cluster);
      await().until(() -> success(cluster, bad).isPresent());
      conf.set(KEY + "mode", "off");
      cluster.scheduler().reinitialize(conf, cluster.scheduler().getRMContext());
      await().until(() -> success(cluster, bad).isEmpty());
    }
  }

  @Test
  void longerGraceAfterARefreshHoldsForThoseThatWaitForTheirEnd() throws Exception {
    Configuration conf = configuration("on"); // with a grace that these short jobs exceed
    try (MockCluster cluster = taught(conf)) {
      App bad = startedBad(cluster);
      await().until(() -> order(cluster, bad).isPresent());
      assertThat(order(cluster, bad).orElseThrow().grace()).isZero();
      conf.set(KEY + "grace", "2h");
      cluster.scheduler().reinitialize(conf, cluster.scheduler().getRMContext());
      await()
          .until(
              () ->
                  order(cluster, bad)
                      .filter(order -> order.grace().compareTo(Duration.ofHours(1)) > 0)
                      .isPresent());
    }
  }

  @Test
  void applicationThatWillFailHasFewerSecondAttempts() throws Exception {
    Configuration conf = configuration("observe");
    conf.set(KEY + "second-attempts.mode", "on");
    try (MockCluster cluster = taught(conf)) {
      App good = started(cluster, "MAPREDUCE", "good");
      App bad = startedBad(cluster);
      App otherType = started(cluster, "SPARK", "bad");
      await().until(() -> isCalled(cluster, otherType) && success(cluster, bad).isPresent());
      assertThat(success(cluster, bad).orElseThrow()).isBetween(0.0, 0.5);
      assertThat(success(cluster, good)).isEmpty();
      assertThat(success(cluster, otherType)).isEmpty();
      assertThat(order(cluster, bad)).isEmpty();
      await().until(() -> containerSeconds(cluster, bad) > 0);
      prediction(cluster)
          .onSecondAttempts(bad.am.getApplicationAttemptId(), Duration.ofDays(75)); // a lie
      prediction(cluster)
          .onSecondAttempts(good.am.getApplicationAttemptId(), Duration.ofSeconds(5));
      end(cluster, bad, FinalApplicationStatus.FAILED);
      await()
          .until(
              () ->
                  prediction(cluster)
                      .status()
                      .secondAttemptSeconds()
                      .containsKey(Turned.FAILED_AS_CALLED));
      assertThat(prediction(cluster).status().secondAttemptSeconds())
          .containsOnlyKeys(Turned.FAILED_AS_CALLED);
      assertThat(prediction(cluster).status().secondAttemptSeconds().get(Turned.FAILED_AS_CALLED))
          .as("no more than its containers ran")
          .isBetween(1.0, (double) containerSeconds(cluster, bad));
      assertThat(success(cluster, bad)).isEmpty();
    }
  }

  @Test
  void secondAttemptsAreOnlyCountedWhenThePolicyObserves() throws Exception {
    Configuration conf = configuration("on");
    conf.set(KEY + "second-attempts.mode", "observe");
    try (MockCluster cluster = taught(conf)) {
      App bad = startedBad(cluster);
      await().until(() -> order(cluster, bad).isPresent());
      assertThat(success(cluster, bad)).isEmpty();
      await().until(() -> containerSeconds(cluster, bad) > 0);
      prediction(cluster)
          .onSecondAttempts(bad.am.getApplicationAttemptId(), Duration.ofMillis(500));
      end(cluster, bad, FinalApplicationStatus.KILLED);
      await()
          .until(
              () ->
                  prediction(cluster)
                          .status()
                          .secondAttemptSeconds()
                          .getOrDefault(Turned.ENDED, 0.0)
                      == 0.5);
    }
  }

  @Test
  void nextResourceManagerKnowsWhatThisOneHasSeen(@TempDir Path dir) throws Exception {
    Configuration conf = configuration("on");
    conf.set(KEY + "dir", dir.toUri().toString());
    int known;
    try (MockCluster cluster = taught(conf)) {
      known = prediction(cluster).status().known();
      assertThat(known).isEqualTo(2 * OF_EACH);
    }
    awaitKept(dir, known);
    Configuration next = configuration("on");
    next.set(KEY + "dir", dir.toUri().toString());
    try (MockCluster cluster = new MockCluster(next, 4, 32)) {
      await().until(() -> prediction(cluster).status().model().isPresent());
      assertThat(prediction(cluster).status().known()).isEqualTo(known);
      App bad = startedBad(cluster);
      await().until(() -> order(cluster, bad).isPresent());
      App good = started(cluster, "MAPREDUCE", "good");
      App otherType = started(cluster, "SPARK", "bad");
      await().until(() -> isCalled(cluster, otherType));
      assertThat(isCalled(cluster, good)).isFalse();
    }
  }

  @Test
  void switchedOffItHearsNothing() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("off"), 2, 8)) {
      App app = started(cluster, "MAPREDUCE", "bad");
      end(cluster, app, FinalApplicationStatus.FAILED);
      assertThat(prediction(cluster).status()).isEqualTo(PredictionStatus.NOTHING);
      assertThat(order(cluster, app)).isEmpty();
    }
  }

  @Test
  void switchedOnByARefreshItListens() throws Exception {
    Configuration conf = configuration("off");
    try (MockCluster cluster = new MockCluster(conf, 2, 8)) {
      conf.set(KEY + "mode", "observe");
      cluster.scheduler().reinitialize(conf, cluster.scheduler().getRMContext());
      App app = cluster.submit("MAPREDUCE", "default", "good");
      end(cluster, app, FinalApplicationStatus.SUCCEEDED);
      await().until(() -> prediction(cluster).status().known() == 1);
    }
  }

  @Test
  void switchedOffByARefreshItForgetsAndHearsNothing(@TempDir Path dir) throws Exception {
    Configuration conf = configuration("on");
    conf.set(KEY + "dir", dir.toUri().toString());
    try (MockCluster cluster = taught(conf)) {
      FailurePrediction prediction = prediction(cluster);
      App bad = startedBad(cluster);
      await().until(() -> order(cluster, bad).isPresent());
      conf.set(KEY + "mode", "off");
      cluster.scheduler().reinitialize(conf, cluster.scheduler().getRMContext());
      assertThat(order(cluster, bad)).isEmpty();
      await() // a round may outlast the stop
          .until(() -> prediction.status().equals(PredictionStatus.NOTHING));
      end(cluster, bad, FinalApplicationStatus.FAILED);
      App unheard = started(cluster, "MAPREDUCE", "bad");
      end(cluster, unheard, FinalApplicationStatus.FAILED);
      await()
          .during(Duration.ofSeconds(2))
          .until(() -> prediction.status().equals(PredictionStatus.NOTHING));
      for (int i = 0; i < 2; i++) {
        awaitKept(dir, 2 * OF_EACH + i);
        conf.set(KEY + "mode", "on");
        cluster.scheduler().reinitialize(conf, cluster.scheduler().getRMContext());
        await().until(() -> prediction.status().model().isPresent());
        assertThat(prediction.status().known()).as("what was kept").isEqualTo(2 * OF_EACH + i);
        App again = started(cluster, "MAPREDUCE", "bad");
        end(cluster, again, FinalApplicationStatus.FAILED);
        int known = 2 * OF_EACH + i + 1;
        await().until(() -> prediction.status().known() == known);
        conf.set(KEY + "mode", "off");
        cluster.scheduler().reinitialize(conf, cluster.scheduler().getRMContext());
      }
    }
  }

  private static void refresh(MockCluster cluster, Configuration conf, String mode)
      throws Exception {
    conf.set(KEY + "mode", mode);
    cluster.scheduler().reinitialize(conf, cluster.scheduler().getRMContext());
  }

  /** Such a round belongs to the predictor of before the stop, and so does what it forgets. */
  @Test
  void roundThatOutlastsAStopDoesNotDisturbTheNextStart() throws Exception {
    Configuration conf = configuration("on");
    conf.set(KEY + "second-attempts.mode", "on");
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FaultyScheduler.class, ResourceScheduler.class);
    CountDownLatch isIn = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    try (MockCluster cluster = new MockCluster(conf, 4, 32)) {
      FaultyScheduler.fail(
          "FailurePrediction.ranASecondTime",
          () -> {
            isIn.countDown();
            Uninterruptibles.awaitUninterruptibly(mayEnd);
            return new IllegalStateException("at last");
          });
      App app = cluster.submit("MAPREDUCE", "default", "good");
      prediction(cluster).onSecondAttempts(app.am.getApplicationAttemptId(), Duration.ofSeconds(1));
      isIn.await();
      refresh(cluster, conf, "off");
      refresh(cluster, conf, "on");
      App early = cluster.submit("MAPREDUCE", "default", "good");
      FaultyScheduler.mend();
      mayEnd.countDown();
      end(cluster, app, FinalApplicationStatus.SUCCEEDED);
      end(cluster, early, FinalApplicationStatus.SUCCEEDED);
      await()
          .until(
              () -> {
                App next = cluster.submit("MAPREDUCE", "default", "good");
                end(cluster, next, FinalApplicationStatus.SUCCEEDED);
                return prediction(cluster).status().known() > 0;
              });
      assertThat(prediction(cluster).breaker().isOpen()).isFalse();
    } finally {
      FaultyScheduler.mend();
      mayEnd.countDown();
    }
  }

  /**
   * Its AppMaster has told of them before, and the round goes by what had happened at its begin.
   */
  @Test
  void endInTheMidstOfARoundIsTakenInWithAllItsSecondAttempts() throws Exception {
    Configuration conf = configuration("observe");
    conf.set(KEY + "second-attempts.mode", "observe");
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FaultyScheduler.class, ResourceScheduler.class);
    CountDownLatch isIn = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    ScheduledFuture<?> ticks =
        clock.scheduleAtFixedRate(
            () -> FaultyScheduler.pass(10_000_000), 10, 10, TimeUnit.MILLISECONDS);
    try (MockCluster cluster = taught(conf)) {
      App bad = startedBad(cluster);
      ApplicationAttemptId attempt = bad.am.getApplicationAttemptId();
      await().until(() -> containerSeconds(cluster, bad) > 0);
      FaultyScheduler.fail(
          "FailurePrediction.ranASecondTime",
          () -> {
            isIn.countDown();
            Uninterruptibles.awaitUninterruptibly(mayEnd);
            return null;
          });
      prediction(cluster).onSecondAttempts(attempt, Duration.ofMillis(300));
      isIn.await();
      FaultyScheduler.mend();
      prediction(cluster).onSecondAttempts(attempt, Duration.ofMillis(200));
      end(cluster, bad, FinalApplicationStatus.FAILED);
      mayEnd.countDown();
      Turned how = Turned.FAILED_AS_CALLED;
      await().until(() -> prediction(cluster).status().turned().containsKey(how));
      double told = prediction(cluster).status().secondAttemptSeconds().get(how);
      assertThat(told).isCloseTo(0.5, within(1e-9));
    } finally {
      FaultyScheduler.mend();
      mayEnd.countDown();
      ticks.cancel(false);
      clock.shutdown();
    }
  }

  @Test
  void startThatFailedOnceIsMadeUpForByTheNextRefresh() throws Exception {
    Configuration conf = configuration("off");
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FaultyScheduler.class, ResourceScheduler.class);
    try (MockCluster cluster = new MockCluster(conf, 2, 8)) {
      FaultyScheduler.fail(
          "FailurePrediction.register", () -> new IllegalStateException("the first time"));
      refresh(cluster, conf, "observe");
      FaultyScheduler.mend();
      refresh(cluster, conf, "observe");
      App app = cluster.submit("MAPREDUCE", "default", "good");
      end(cluster, app, FinalApplicationStatus.SUCCEEDED);
      await().until(() -> prediction(cluster).status().known() == 1);
    }
  }

  @Test
  void errorsInListeningAreContainedAndCounted() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("observe"), 2, 8)) {
      FailurePrediction broken = prediction(cluster);
      App app = cluster.submit("MAPREDUCE", "default", "u");
      broken.onJob(app.am.getApplicationAttemptId(), null); // what no codec lets through
      assertThat(broken.breaker().failures()).isEqualTo(1);
      end(cluster, app, FinalApplicationStatus.SUCCEEDED); // the ResourceManager goes on
    }
  }
}
