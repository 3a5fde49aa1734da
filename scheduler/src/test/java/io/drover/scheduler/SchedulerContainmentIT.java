// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.containment.CircuitBreaker;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors in Drover's code stay there, leave nothing behind, and end by themselves. */
class SchedulerContainmentIT {
  private static final long A_MINUTE = CircuitBreaker.PAUSE.toNanos();

  private MockCluster cluster;
  private MockCluster.App app;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FaultyScheduler.class, ResourceScheduler.class);
    cluster = new MockCluster(conf, 4, 4);
    app = cluster.submit("MAPREDUCE", "default", "u");
  }

  @AfterEach
  void stop() {
    FaultyScheduler.mend();
    cluster.close();
  }

  static Stream<Supplier<Throwable>> errors() {
    return Stream.of(
        () -> new IllegalStateException("never thought of"),
        () -> new NoSuchMethodError("of another version"),
        () -> new AssertionError("cannot be"),
        StackOverflowError::new);
  }

  private void clonesRun() {
    app.ask(MockCluster.CLONE, 1, 20);
    cluster.clones().round();
    cluster.heartbeat();
    assertThat(app.clones()).isEqualTo(10);
  }

  private void fail(Supplier<Throwable> error) {
    FaultyScheduler.fail("ClusterView.partitions", error);
    for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
      cluster.clones().round();
    }
    assertThat(cluster.clones().isOff()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("errors")
  void clonesThatAreOffLeaveNothingBehindAndComeBack(Supplier<Throwable> error) {
    clonesRun();
    fail(error);
    cluster.heartbeat();
    assertThat(app.clones()).as("the gate is shut").isEqualTo(10);
    assertThat(cluster.clones().room(app.am.getApplicationAttemptId())).hasValue(0);

    cluster.clones().round(); // a quarter of a second later
    assertThat(app.clones()).as("nobody would make them give way").isZero();
    assertThat(app.pending(MockCluster.CLONE)).as("no phantom asks").isZero();
    cluster.heartbeat();
    cluster.clones().round();
    assertThat(app.clones()).isZero();
    assertThat(app.pending(MockCluster.CLONE)).isZero();

    app.ask(MockCluster.ORDINARY, 1, 15);
    cluster.heartbeat();
    assertThat(app.running()).as("all the rest goes on").isEqualTo(15);
    app.pull();
    app.release(15);

    FaultyScheduler.mend();
    FaultyScheduler.pass(A_MINUTE);
    cluster.clones().round();
    assertThat(cluster.clones().isOff()).isFalse();
    cluster.clones().round();
    cluster.heartbeat();
    assertThat(app.clones()).as("they are back").isEqualTo(10);
    assertThat(cluster.clones().breaker().failuresByKind())
        .containsKey(error.get().getClass().getSimpleName());
  }

  @Test
  void failuresWhileClonesAreOffDoNotKeepThemOff() {
    clonesRun();
    fail(() -> new IllegalStateException("never thought of"));
    FaultyScheduler.fail("CloneManager", () -> new IllegalStateException("never thought of"));
    for (int i = 0; i < 5; i++) {
      cluster.clones().round(); // not even the clearing up succeeds
    }
    FaultyScheduler.mend();
    FaultyScheduler.pass(A_MINUTE);
    cluster.clones().round();
    assertThat(cluster.clones().isOff()).isFalse();
  }

  private static Map<String, Number> metrics() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(SchedulerMetrics.NAME).getMetrics(collector, true);
    Map<String, Number> values = new HashMap<>();
    collector
        .getRecords()
        .forEach(record -> record.metrics().forEach(m -> values.put(m.name(), m.value())));
    return values;
  }

  @Test
  void metricsTellOfOpenBreakersAndOfFailuresByKind() {
    assertThat(metrics()).containsEntry("BreakersOpen", 0).containsEntry("ClonesOff", 0);
    clonesRun();
    fail(() -> new IllegalStateException("never thought of"));
    assertThat(metrics())
        .containsEntry("BreakersOpen", 1)
        .containsEntry("ClonesOff", 1)
        .containsEntry("LearningOff", 0)
        .containsEntry("ClonesFailures", 3L)
        .containsEntry("ClonesIllegalStateException", 3L)
        .containsEntry("SettingsBad", 0)
        .containsKey("ClonesRunning");
  }

  @Test
  void aCancellationWhileClonesAreOffHolds() {
    clonesRun();
    fail(() -> new IllegalStateException("never thought of"));
    cluster.clones().round();
    app.pull();
    app.ask(MockCluster.CLONE, 1, 0);
    FaultyScheduler.mend();
    FaultyScheduler.pass(A_MINUTE);
    for (int i = 0; i < 3; i++) {
      cluster.clones().round();
      cluster.heartbeat();
    }
    assertThat(cluster.clones().isOff()).isFalse();
    assertThat(app.clones()).isZero();
    assertThat(cluster.clones().wanted()).isZero();
  }

  @Test
  void anAskThatCannotBeWrittenDownIsNoPhantom() {
    app.ask(MockCluster.CLONE, 1, 2);
    cluster.clones().round();
    assertThat(app.pending(MockCluster.CLONE)).isEqualTo(2);
    FaultyScheduler.fail("CloneManager", () -> new IllegalStateException("never thought of"));
    app.ask(MockCluster.CLONE, 1, 0);
    FaultyScheduler.mend();
    assertThat(cluster.clones().breaker().failures()).isPositive();
    cluster.clones().round();
    assertThat(app.pending(MockCluster.CLONE)).isZero();
  }

  @Test
  void anAskThatPassedUnseenIsWithdrawn() throws Exception {
    MockCluster.App other = cluster.submit("MAPREDUCE", "default", "u");
    FaultyScheduler.fail(
        "CloneManager.isClone", () -> new IllegalStateException("never thought of"));
    app.ask(MockCluster.CLONE, 1, 2);
    other.ask(MockCluster.CLONE, 1, 2);
    assertThat(app.pending(MockCluster.CLONE)).as("Hadoop has it").isEqualTo(2);
    FaultyScheduler.fail(
        "CloneManager.withdraw",
        app.am.getApplicationAttemptId(),
        () -> new IllegalStateException("never thought of"));
    cluster.clones().round();
    assertThat(app.pending(MockCluster.CLONE)).isEqualTo(2);
    assertThat(other.pending(MockCluster.CLONE)).as("one fails alone").isZero();
    FaultyScheduler.mend();
    FaultyScheduler.pass(A_MINUTE);
    cluster.clones().round();
    assertThat(app.pending(MockCluster.CLONE)).isZero();
  }

  @Test
  void aCloneIsNotGivenUnseen() {
    app.ask(MockCluster.CLONE, 1, 2);
    cluster.clones().round();
    FaultyScheduler.fail(
        "DroverCapacityScheduler.isClone", () -> new IllegalStateException("never thought of"));
    cluster.heartbeat();
    assertThat(cluster.clones().breaker().failures()).isPositive();
    assertThat(app.clones()).as("nobody would make them give way").isZero();
    FaultyScheduler.mend();
    FaultyScheduler.pass(A_MINUTE);
    cluster.clones().round();
    cluster.clones().round();
    cluster.heartbeat();
    assertThat(app.clones()).as("and not lost").isEqualTo(2);
    assertThat(cluster.clones().running()).isEqualTo(2);
  }

  @Test
  void whoHasNoClonesIsGivenWhatHeAsksForAtTheirPriority() throws Exception {
    MockCluster.App other = cluster.submit("SPARK", "default", "u");
    other.ask(MockCluster.CLONE, 1, 8);
    FaultyScheduler.fail(
        "DroverCapacityScheduler.isClone", () -> new IllegalStateException("never thought of"));
    for (int i = 0; i < CircuitBreaker.FAILURES + 4; i++) {
      cluster.heartbeat();
    }
    assertThat(other.clones()).isEqualTo(8);
  }

  @Test
  void whatOneWantsThatCannotBeReadCostsNobodyElse() throws Exception {
    MockCluster.App other = cluster.submit("MAPREDUCE", "default", "u");
    app.ask(MockCluster.CLONE, 1, 2);
    other.ask(MockCluster.CLONE, 1, 2);
    FaultyScheduler.fail(
        "CloneRequestBook",
        app.am.getApplicationAttemptId(),
        () -> new IllegalStateException("never thought of"));
    cluster.clones().round();
    cluster.heartbeat();
    assertThat(other.clones()).isEqualTo(2);
    assertThat(app.clones()).isZero();
    FaultyScheduler.mend();
    cluster.clones().round();
    cluster.heartbeat();
    assertThat(app.clones()).isEqualTo(2);
  }

  @Test
  void whatCannotBePassedOnForOneCostsNobodyElse() throws Exception {
    MockCluster.App other = cluster.submit("MAPREDUCE", "default", "u");
    app.ask(MockCluster.CLONE, 1, 2);
    other.ask(MockCluster.CLONE, 1, 2);
    cluster.clones().round();
    assertThat(other.pending(MockCluster.CLONE)).isEqualTo(2);
    FaultyScheduler.fail(
        "CloneRound.handOn",
        app.am.getApplicationAttemptId(),
        () -> new IllegalStateException("never thought of"));
    for (int i = 0; i < CircuitBreaker.FAILURES + 1; i++) {
      app.ask(MockCluster.CLONE, 1, 3 + i);
      cluster.clones().round();
      assertThat(other.pending(MockCluster.CLONE)).isEqualTo(2);
    }
    cluster.heartbeat();
    assertThat(other.clones()).as("not off").isEqualTo(2);
    FaultyScheduler.mend();
    cluster.clones().round();
    assertThat(app.pending(MockCluster.CLONE)).as("no phantom asks").isZero();
    app.ask(MockCluster.CLONE, 1, 2);
    cluster.clones().round();
    cluster.heartbeat();
    assertThat(app.clones()).isEqualTo(2);
  }

  @Test
  void oneFailureCostsOneRound() {
    clonesRun();
    FaultyScheduler.fail(
        "ClusterView.partitions", () -> new IllegalStateException("never thought of"));
    cluster.clones().round();
    FaultyScheduler.mend();
    assertThat(cluster.clones().isOff()).isFalse();
    assertThat(app.clones()).isEqualTo(10);
    for (int i = 0; i < 10; i++) { // with a good round between them
      cluster.clones().round();
      FaultyScheduler.fail(
          "ClusterView.partitions", () -> new IllegalStateException("never thought of"));
      cluster.clones().round();
      FaultyScheduler.mend();
    }
    assertThat(cluster.clones().isOff()).isFalse();
    assertThat(app.clones()).isEqualTo(10);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void aGateThatFailsIsShutAndHarmsNoHeartbeat(Supplier<Throwable> error) {
    app.ask(MockCluster.CLONE, 1, 20);
    cluster.clones().round();
    FaultyScheduler.fail("CloneGate", error);
    app.ask(MockCluster.ORDINARY, 1, 3);
    cluster.heartbeat();
    assertThat(app.running()).isEqualTo(3);
    assertThat(app.clones()).isZero();
    assertThat(cluster.clones().breaker().failures()).isPositive();
    FaultyScheduler.mend();
    FaultyScheduler.pass(A_MINUTE);
    cluster.clones().round();
    cluster.clones().round();
    cluster.heartbeat();
    assertThat(app.clones()).isEqualTo(7);
  }

  @Test
  void noErrorOnTheWayToAScheduledContainerGetsOut() {
    FaultyScheduler.fail("CloneManager.isClone", () -> new NoSuchMethodError("of another version"));
    app.ask(MockCluster.ORDINARY, 1, 3);
    app.ask(MockCluster.CLONE, 1, 2);
    cluster.heartbeat();
    assertThat(app.running()).isEqualTo(3);
    assertThat(cluster.clones().breaker().failures()).isPositive();
    app.pull();
    app.ask(MockCluster.CLONE, 1, 0);
    app.release(3);
    assertThat(app.running()).isZero();
    FaultyScheduler.mend();
    FaultyScheduler.pass(A_MINUTE);
    cluster.clones().round();
    cluster.heartbeat();
    assertThat(app.clones()).as("no phantom asks").isZero();
    clonesRun();
  }

  @Test
  void clonesThatAnAdministratorSwitchesOffAreNotOffBecauseOfErrors() throws Exception {
    clonesRun();
    fail(() -> new IllegalStateException("never thought of"));
    Configuration off = MockCluster.configuration();
    off.set("yarn.drover.clone.mode", "off");
    cluster.refresh(off);
    FaultyScheduler.mend();
    cluster.clones().round();
    assertThat(metrics()).containsEntry("BreakersOpen", 0).containsEntry("ClonesOff", 0);
  }

  /** A JVM that cannot go on is Hadoop's to end: its handler does so on all other threads. */
  @Test
  void whatAJvmCannotGoOnAfterIsToldToTheHandlerOfUncaughtErrors() throws Exception {
    BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
    try {
      app.ask(MockCluster.CLONE, 1, 2);
      FaultyScheduler.fail("ClusterView.partitions", () -> new OutOfMemoryError("of the heap"));
      Configuration often = MockCluster.configuration();
      often.set("yarn.drover.clone.round", "50ms");
      cluster.refresh(often);
      cluster.clones().start();
      assertThat(uncaught.poll(2, TimeUnit.MINUTES)).isInstanceOf(OutOfMemoryError.class);
      uncaught.clear();
      assertThat(uncaught.poll(2, TimeUnit.MINUTES)).as("in the next round").isNotNull();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}
