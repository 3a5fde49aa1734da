// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Clones stay under the ceiling and out of everybody's way. */
class CloneCeilingIT {
  private static final double TAU = 0.7;

  @Test
  void clonesAreAdmittedBelowTheCeiling() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.heartbeat();
      assertThat(app.clones()).as("before a round").isZero();
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(app.clones()).as("11 of 16, the AppMaster's included").isEqualTo(10);
      assertThat(cluster.clones().running()).isEqualTo(10);
    }
  }

  @Test
  void lowPrioritiesOfOtherApplicationsAreNoClones() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("SPARK", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.heartbeat();
      assertThat(app.clones()).isEqualTo(15);
      assertThat(cluster.clones().running()).isZero();
    }
  }

  @Test
  void whoMayNotCloneGetsNoClone() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.drover.clone.acl", "somebody");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(app.clones()).isZero();
    }
  }

  @Test
  void clonesGiveWayInOneRound() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App small = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App big = cluster.submit("MAPREDUCE", "default", "v");
      small.ask(MockCluster.CLONE, 1, 20);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(small.clones()).isEqualTo(9);
      big.ask(MockCluster.ORDINARY, 2, 7);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(big.running()).as("all there is").isEqualTo(7);
      assertThat(small.clones()).isZero();
    }
  }

  /** Beyond a queue's capacity Hadoop raises its users' limit a little with each container. */
  @Test
  void clonesGiveWayInOneRoundToDemandBeyondItsQueuesCapacityToo() throws Exception {
    try (MockCluster cluster =
        new MockCluster(MockCluster.configuration(Map.of("a", 25, "b", 75)), 4, 4)) {
      MockCluster.App small = cluster.submit("MAPREDUCE", "b", "u");
      MockCluster.App big = cluster.submit("MAPREDUCE", "a", "v");
      small.ask(MockCluster.CLONE, 1, 20);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(small.clones()).isEqualTo(9);
      big.ask(MockCluster.ORDINARY, 1, 12);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(big.running()).isEqualTo(12);
    }
  }

  @Test
  void clonesAboveTheCeilingDieTheNewestFirst() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 10)) {
      MockCluster.App first = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App second = cluster.submit("MAPREDUCE", "default", "u");
      first.ask(MockCluster.CLONE, 1, 4);
      cluster.clones().round();
      cluster.heartbeat();
      second.ask(MockCluster.CLONE, 1, 30);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(second.clones()).as("27 of 40").isEqualTo(21);
      first.ask(MockCluster.ORDINARY, 1, 8);
      cluster.heartbeat();
      first.pull();
      cluster.clones().round();
      assertThat(List.of(first.clones(), second.clones())).containsExactly(4L, 14L);
      assertThat(cluster.utilisation()).isEqualTo(TAU);

      first.release(1);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(second.clones()).as("27 of 40 is above 0.65").isEqualTo(14);
      first.release(2);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(second.clones()).as("admitted again").isEqualTo(16);
    }
  }

  @Test
  void clonesMakeRoomWhereATaskWantsToBe() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App small = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App big = cluster.submit("MAPREDUCE", "default", "u");
      small.ask(MockCluster.CLONE, 1, 9);
      cluster.clones().round();
      cluster.heartbeat();
      List<RMContainer> on = cluster.clonesOn(3);
      assertThat(cluster.clonesOn(1)).as("nodes 1 and 2 are full of clones").hasSize(4);
      assertThat(on).isEmpty();

      big.askOn(cluster.host(1), 1, 1);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(big.running()).isEqualTo(1);
      assertThat(cluster.clonesOn(1)).as("one made room").hasSize(3);
      assertThat(cluster.clones().running()).isEqualTo(8);
    }
  }

  /**
   * All but one of the 16 containers are given, to the first application. Hadoop's asynchronous
   * scheduling may reserve full nodes and count the queue as full, with or without clones. Then it
   * looks at no application behind the first one that has no reservation.
   */
  @Test
  void asynchronousSchedulingKeepsTheCeilingToo() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set(MockCluster.ASYNCHRONOUS, "true");
    conf.set("yarn.scheduler.capacity.schedule-asynchronously.maximum-threads", "4");
    conf.setInt(YarnConfiguration.SCHEDULER_SKIP_NODE_MULTIPLIER, 1_000); // silent nodes count
    conf.set("yarn.drover.clone.round", "50ms");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      cluster.clones().start();
      MockCluster.App big = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App small = cluster.submit("MAPREDUCE", "default", "u");
      small.ask(MockCluster.CLONE, 1, 20);
      await().untilAsserted(() -> assertThat(small.clones()).isEqualTo(9));
      for (int i = 0; i < 20; i++) {
        cluster.heartbeat();
        assertThat(small.clones()).isEqualTo(9);
      }
      big.ask(MockCluster.ORDINARY, 1, 13);
      await().untilAsserted(() -> assertThat(big.running()).isEqualTo(13));
      await().untilAsserted(() -> assertThat(cluster.reservedNodes()).isZero());
      await().untilAsserted(() -> assertThat(small.clones()).isZero()); // the last one by a round
    }
  }

  @Test
  void whatAUserMayNotHaveDoesNotMoveClones() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.scheduler.capacity.root.default.user-limit-factor", "0.25");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App small = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App greedy = cluster.submit("MAPREDUCE", "default", "v");
      greedy.ask(MockCluster.ORDINARY, 1, 100);
      cluster.heartbeat();
      assertThat(greedy.running()).as("a quarter of 16 and one, its AppMaster too").isEqualTo(4);
      small.ask(MockCluster.CLONE, 1, 3);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(small.clones()).isEqualTo(3);
      cluster.clones().round();
      assertThat(small.clones()).isEqualTo(3);
    }
  }

  /** Each change is a line of Hadoop's log, and may make a user inactive and active again. */
  @Test
  void aRoundInWhichNothingChangesHandsOnNothingAnew() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.scheduler.capacity.root.default.user-limit-factor", "0.25");
    LogManager.getLoggerRepository().setThreshold(Level.INFO);
    LogManager.getLogger(AppSchedulingInfo.class).setLevel(Level.INFO);
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(AppSchedulingInfo.class));
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App small = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App greedy = cluster.submit("MAPREDUCE", "default", "v");
      greedy.ask(MockCluster.ORDINARY, 1, 100);
      cluster.heartbeat();
      small.ask(MockCluster.CLONE, 1, 3);
      cluster.clones().round();
      assertThat(small.pending(MockCluster.CLONE)).isEqualTo(3);
      log.clearOutput();
      for (int round = 0; round < 10; round++) {
        cluster.clones().round();
      }
      assertThat(small.pending(MockCluster.CLONE)).isEqualTo(3);
      assertThat(log.getOutput()).doesNotContain("checking for deactivate");
    } finally {
      log.stopCapturing();
      LogManager.getLogger(AppSchedulingInfo.class).setLevel(null);
      LogManager.getLoggerRepository().setThreshold(Level.WARN);
    }
  }

  @Test
  void clonesDoNotUseUpTheirUsersLimit() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.scheduler.capacity.root.default.user-limit-factor", "0.25");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App small = cluster.submit("MAPREDUCE", "default", "u");
      small.ask(MockCluster.CLONE, 1, 3);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(small.clones()).isEqualTo(3);
      small.ask(MockCluster.ORDINARY, 1, 2);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(small.running()).isEqualTo(2);
      assertThat(small.clones()).as("of 4 GB").isEqualTo(1);
    }
  }

  @Test
  void noOrdinaryContainerIsPreemptedForAClone() throws Exception {
    assertThat(preemptedForLowPriorities("on")).isEmpty();
    assertThat(preemptedForLowPriorities("off")).as("and with stock scheduling?").isNotEmpty();
  }

  /** What the preemption policy takes from a queue above its share when another wants clones. */
  private static Set<ContainerId> preemptedForLowPriorities(String mode) throws Exception {
    Configuration conf = MockCluster.configuration(Map.of("a", 50, "b", 50));
    conf.set("yarn.drover.clone.mode", mode);
    conf.set(CapacitySchedulerConfiguration.PREEMPTION_WAIT_TIME_BEFORE_KILL, "0");
    conf.set(CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND, "1");
    conf.set(CapacitySchedulerConfiguration.PREEMPTION_NATURAL_TERMINATION_FACTOR, "1");
    conf.setClass(
        YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES,
        ProportionalCapacityPreemptionPolicy.class,
        SchedulingEditPolicy.class);
    conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
    // It looks when the test says so. Two threads at once would disturb each other.
    conf.setLong(CapacitySchedulerConfiguration.PREEMPTION_MONITORING_INTERVAL, 3_600_000);
    try (MockCluster cluster = new MockCluster(conf, 4, 5)) {
      MockCluster.App cloning = cluster.submit("MAPREDUCE", "a", "u");
      MockCluster.App running = cluster.submit("MAPREDUCE", "b", "v");
      running.ask(MockCluster.ORDINARY, 1, 11);
      cluster.heartbeat();
      running.pull();
      assertThat(running.running()).isEqualTo(11);
      cloning.ask(MockCluster.CLONE, 1, 20);
      Set<ContainerId> gone = new HashSet<>();
      Set<ContainerId> before = running.containers();
      for (int i = 0; i < 10; i++) {
        cluster.clones().round();
        cluster.preempt();
        cluster.heartbeat();
      }
      gone.addAll(before);
      gone.removeAll(running.containers());
      return gone;
    }
  }

  /**
   * The same ordinary load, by chance, on two clusters, of which one has clones as well. It is of
   * one queue and size: with several the order in which they are served depends on what each has in
   * use.
   */
  @Test
  void ordinaryDemandIsServedAsIfThereWereNoClones() throws Exception {
    Random random = new Random(20261121);
    try (MockCluster with = new MockCluster(MockCluster.configuration(), 8, 8);
        MockCluster without = new MockCluster(MockCluster.configuration(), 8, 8)) {
      List<MockCluster.App> cloned = apps(with);
      List<MockCluster.App> alone = apps(without);
      long admitted = 0;
      for (int step = 0; step < Integer.getInteger("drover.ceiling.steps", 10_000); step++) {
        int load = (int) (64 * (0.6 + 0.6 * Math.sin(step / 40.0)));
        change(random, cloned, alone, load);
        without.heartbeat();
        admitted += heartbeat(with, step);
        with.clones().round();
        admitted += heartbeat(with, step);
        assertThat(running(cloned))
            .as(
                "step %s, pending %s, utilisation %s, %s clones",
                step, with.pending(), with.utilisation(), with.clones().running())
            .isEqualTo(running(alone));
      }
      assertThat(admitted).isGreaterThan(1_000);
      assertThat(with.clones().aboveCeiling()).isGreaterThan(100);
      assertThat(with.clones().gaveWay()).isGreaterThan(100);
    }
  }

  /**
   * Load by chance, of several sizes, users and queues. What still waits after a round waits for
   * something else than clones: no node would have room for it if its clones were gone.
   */
  @Test
  void noCloneStandsInTheWayOfDemandOfAnySizeAndQueue() throws Exception {
    Random random = new Random(20261122);
    try (MockCluster cluster =
        new MockCluster(MockCluster.configuration(Map.of("a", 60, "b", 40)), 8, 8)) {
      List<MockCluster.App> apps = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        apps.add(cluster.submit("MAPREDUCE", i % 2 == 0 ? "a" : "b", "u" + i % 3));
      }
      long admitted = 0;
      long waited = 0;
      for (int step = 0; step < Integer.getInteger("drover.ceiling.steps", 10_000); step++) {
        changeMixed(random, apps, 0.6 + 0.6 * Math.sin(step / 40.0));
        admitted += heartbeat(cluster, step);
        cluster.clones().round();
        admitted += heartbeat(cluster, step);
        for (int gigabytes = 1; gigabytes <= 3; gigabytes++) {
          long pending = pending(apps, gigabytes);
          waited += pending;
          if (pending > 0) {
            assertThat(cluster.nodesWhereClonesHoldTheRoomFor(gigabytes))
                .as("step %s, %s of %s GB wait", step, pending, gigabytes)
                .isEmpty();
          }
        }
      }
      assertThat(admitted).isGreaterThan(1_000);
      assertThat(waited).isGreaterThan(1_000);
      assertThat(cluster.clones().aboveCeiling()).isGreaterThan(100);
      assertThat(cluster.clones().gaveWay()).isGreaterThan(100);
    }
  }

  private static long pending(List<MockCluster.App> apps, int gigabytes) {
    return apps.stream().mapToLong(app -> app.pending(ofSize(gigabytes))).sum();
  }

  /** Hadoop has one size at a priority. */
  private static int ofSize(int gigabytes) {
    return MockCluster.ORDINARY + gigabytes;
  }

  private static void changeMixed(Random random, List<MockCluster.App> apps, double load) {
    apps.forEach(MockCluster.App::pull);
    apps.get(random.nextInt(6)).release(random.nextInt(12));
    int gigabytes = 1 + random.nextInt(3);
    int most = random.nextInt(10) == 0 ? 60 : (int) Math.max(1, 64 * load / 4);
    apps.get(random.nextInt(6)).ask(ofSize(gigabytes), gigabytes, random.nextInt(most) / gigabytes);
    apps.get(random.nextInt(6)).releaseClones(random.nextInt(3), random);
    int cloning = random.nextInt(6);
    apps.get(cloning).ask(MockCluster.CLONE, 1 + cloning / 2, random.nextInt(8));
  }

  private static List<MockCluster.App> apps(MockCluster cluster) throws Exception {
    List<MockCluster.App> apps = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      apps.add(cluster.submit("MAPREDUCE", "default", "u"));
    }
    return apps;
  }

  /** How many clones have got a container, none of them one above the ceiling. */
  private static int heartbeat(MockCluster cluster, int step) {
    int before = cluster.clones().running();
    for (int node = 0; node < cluster.size(); node++) {
      int running = cluster.clones().running();
      cluster.heartbeat(node);
      if (cluster.clones().running() > running) {
        assertThat(cluster.utilisation()).as("step %s", step).isLessThan(TAU);
      }
    }
    return cluster.clones().running() - before;
  }

  private static List<Long> running(List<MockCluster.App> apps) {
    return apps.stream().map(MockCluster.App::running).toList();
  }

  /** Some containers end; one application wants more, or less; another wants clones. */
  private static void change(
      Random random, List<MockCluster.App> cloned, List<MockCluster.App> alone, int load) {
    int ending = random.nextInt(4);
    int ended = random.nextInt(8);
    int asking = random.nextInt(4);
    // Now and then more than the room above the ceiling.
    int most = random.nextInt(10) == 0 ? 60 : Math.max(1, load / 4);
    int wanted = random.nextInt(most);
    for (List<MockCluster.App> apps : List.of(cloned, alone)) {
      for (MockCluster.App app : apps) {
        app.pull();
      }
      apps.get(ending).release(ended);
      apps.get(asking).ask(MockCluster.ORDINARY, 1, wanted);
    }
    cloned.get(random.nextInt(4)).releaseClones(random.nextInt(3), random);
    cloned.get(random.nextInt(4)).ask(MockCluster.CLONE, 1, random.nextInt(8));
  }
}
