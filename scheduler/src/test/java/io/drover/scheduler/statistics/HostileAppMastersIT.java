// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.drover.channel.AttemptOutcome;
import io.drover.channel.JobStart;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report;
import io.drover.channel.Report.LostOutputs;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.machine.Claim;
import io.drover.core.machine.ClaimLedger;
import io.drover.core.machine.MachineSettings;
import io.drover.core.machine.MachineStatistics;
import io.drover.core.machine.SlowMachineRule;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.Reports;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.Test;

/** A real ResourceManager to which 50 AppMasters tell whatever they can. */
class HostileAppMastersIT {
  private static final int HOSTILE = 50;
  private static final int LETTERS = Integer.getInteger("drover.hostile.letters", 1_000_000);
  private static final long MOST_BYTES = 64L << 20;

  private static DroverCapacityScheduler scheduler(MockCluster cluster) {
    return (DroverCapacityScheduler) cluster.scheduler();
  }

  private static Report report(
      long sequence, List<AttemptOutcome> outcomes, List<RackBandwidth> links) {
    return report(sequence, outcomes, links, Map.of());
  }

  private static Report report(
      long sequence,
      List<AttemptOutcome> outcomes,
      List<RackBandwidth> links,
      Map<ActionKind, ActionTotals> actions) {
    return new Report(
        sequence,
        Optional.of(new JobStart(1, 0, Optional.empty(), Optional.empty(), true)),
        outcomes,
        List.of(new LostOutputs("127.0.0.1", LostOutputs.MAX_OUTPUTS)),
        links,
        List.of(),
        0,
        Duration.ZERO,
        actions);
  }

  /** A letter of extreme numbers, of machines that there are and of invented ones. */
  private static Report lies(Random random, long sequence, List<String> hosts) {
    List<AttemptOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String machine =
          i % 4 == 0
              ? hosts.get(random.nextInt(hosts.size()))
              : "invented" + random.nextInt() + "x".repeat(random.nextInt(200));
      outcomes.add(
          new AttemptOutcome(
              1 + random.nextInt(Integer.MAX_VALUE),
              machine,
              true,
              OptionalDouble.of(random.nextBoolean() ? Double.MIN_VALUE : AttemptOutcome.MAX_RATE),
              Duration.ofDays(100),
              true));
    }
    OptionalDouble most = OptionalDouble.of(RackBandwidth.MAX_BANDWIDTH);
    OptionalDouble least = OptionalDouble.of(Double.MIN_VALUE);
    return report(
        sequence,
        outcomes,
        List.of(
            new RackBandwidth("/default-rack", most, least),
            new RackBandwidth("/invented" + random.nextInt(), least, most)),
        Map.of(ActionKind.COPY, new ActionTotals(Report.MAX_ACTIONS, 1, 0, 1, random.nextInt(9))));
  }

  private static long heap() {
    System.gc();
    System.gc();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return heap.getUsed();
  }

  private static Thread learning() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("Drover statistics"))
        .findFirst()
        .orElseThrow();
  }

  /** Each has two containers on some machine, which it gives back: some before they run. */
  private static void useSomeContainers(MockCluster cluster, List<MockCluster.App> hostile) {
    for (int i = 0; i < hostile.size(); i++) {
      hostile.get(i).ask(MockCluster.ORDINARY, 1, 2);
      cluster.heartbeat(i % 10);
      hostile.get(i).pull();
      if (i % 2 == 0) {
        hostile.get(i).launch();
      }
      hostile.get(i).release(2);
    }
  }

  /**
   * An honest job has some containers on each of some nodes, and says how it went. One in twenty is
   * an outlier. The outliers of a wave are on different machines, if there are several, and each
   * wave has them on others: a machine that had two in the last wave would be half convicted, and a
   * second user would move it further than {@link #weightOfOneApplication}.
   */
  private static void honest(
      Statistics statistics, MockCluster cluster, MockCluster.App app, int wave, int... nodes) {
    for (int node : nodes) {
      app.ask(MockCluster.ORDINARY, 1, 40 / nodes.length);
      cluster.heartbeat(node);
      app.ask(MockCluster.ORDINARY, 1, 0);
    }
    app.launch();
    List<AttemptOutcome> outcomes = new ArrayList<>();
    app.live().stream()
        .filter(container -> !container.isAMContainer())
        .sorted(
            Comparator.comparing((RMContainer container) -> container.getAllocatedNode().getHost()))
        .forEach(
            container ->
                outcomes.add(
                    Reports.outcome(
                        container.getContainerId().getContainerId(),
                        container.getAllocatedNode().getHost(),
                        outcomes.size() % 20 == 4 * wave % 20)));
    app.release(40);
    statistics.onReport(app.am.getApplicationAttemptId(), report(wave, outcomes, List.of()));
  }

  /**
   * How far p_m of an honest machine moves by one application whose two containers there really
   * were outliers.
   */
  private static double weightOfOneApplication() {
    MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
    for (int m = 0; m < 10; m++) {
      said(statistics, "m" + m, Claim.ofAttempts(72, 4));
    }
    double before = statistics.probability("m3").orElseThrow();
    said(statistics, "m3", Claim.ofAttempts(2, 2));
    return statistics.probability("m3").orElseThrow() - before;
  }

  private static void said(MachineStatistics statistics, String machine, Claim claim) {
    ClaimLedger ledger = new ClaimLedger();
    IntStream.range(0, claim.judged()).forEach(i -> ledger.containerEnded(machine));
    statistics.observe(ledger, Map.of(machine, claim));
  }

  /** Three users have measured the same. */
  private static void measureLinks(Statistics statistics, MockCluster cluster) throws Exception {
    OptionalDouble usual = OptionalDouble.of(1e8);
    for (String user : List.of("alice", "bob", "carol")) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", user);
      List<RackBandwidth> links = List.of(new RackBandwidth("/default-rack", usual, usual));
      statistics.onReport(app.am.getApplicationAttemptId(), report(1, List.of(), links));
    }
  }

  @Test
  void aMillionLettersOfLiesMoveNothing() throws Exception {
    lie(app -> "mallory", true);
  }

  /** Two users who run on the same machine, and agree, can make it slow; these are ten on ten. */
  @Test
  void norDoThoseOfManyUsersEachOnAMachineOfItsOwn() throws Exception {
    lie(app -> "mallory" + app % 10, false);
  }

  /**
   * Everything at once.
   *
   * @param liars the user of each hostile application
   * @param isOne whether that is always the same; of several who agree, links are what they say
   */
  private static void lie(IntFunction<String> liars, boolean isOne) throws Exception {
    Configuration conf = MockCluster.configuration();
    Reports.configure(conf);
    conf.set("yarn.drover.statistics.trusted-users", "");
    conf.set("yarn.drover.statistics.window", "5m");
    int[] usual = IntStream.range(0, 10).toArray();
    try (MockCluster cluster = new MockCluster(conf, 11, 20)) {
      String fresh = cluster.host(10);
      Statistics statistics = scheduler(cluster).statistics();
      List<MockCluster.App> hostile = new ArrayList<>();
      for (int i = 0; i < HOSTILE; i++) {
        hostile.add(cluster.submit("MAPREDUCE", "default", liars.apply(i)));
      }
      MockCluster.App honest = cluster.submit("MAPREDUCE", "default", "alice");
      statistics.onReport(honest.am.getApplicationAttemptId(), report(1, List.of(), List.of()));
      for (int wave = 2; wave < 20; wave++) {
        honest(statistics, cluster, honest, wave, usual);
        if (wave % 4 == 0) {
          Reports.awaitLearnt(cluster, honest); // or there would be too many at once
        }
      }
      measureLinks(statistics, cluster);
      Reports.awaitLearnt(cluster, honest);
      assertThat(statistics.dropped()).isZero();
      assertThat(statistics.view().outlierProbability()).isPresent();
      await().until(() -> statistics.view().links().size() == 1);
      MachineView before = statistics.view();
      for (MockCluster.App app : hostile) {
        ApplicationAttemptId attempt = app.am.getApplicationAttemptId();
        statistics.onReport(attempt, report(1, List.of(), List.of()));
      }
      useSomeContainers(cluster, hostile);
      Thread learning = learning();
      long heapBefore = heap();

      AtomicInteger sent = new AtomicInteger();
      List<Thread> speakers = new ArrayList<>();
      List<String> hosts = before.byMachine().keySet().stream().toList();
      for (int t = 0; t < 4; t++) { // as the channel has handlers
        int first = t;
        Thread speaker =
            new Thread(
                () -> {
                  Random random = new Random(first);
                  List<Report> some = new ArrayList<>();
                  for (int i = 0; i < 200; i++) {
                    some.add(lies(random, 1, hosts));
                  }
                  for (int n = sent.incrementAndGet(); n <= LETTERS; n = sent.incrementAndGet()) {
                    // Now and then a new one: making them takes longer than hearing them.
                    int which = random.nextInt(some.size());
                    if (n % 50 == 0) {
                      some.set(which, lies(random, n, hosts));
                    }
                    statistics.onReport(
                        hostile.get(n % HOSTILE).am.getApplicationAttemptId(), some.get(which));
                    if (n % 20_000 == 0) {
                      Thread.yield();
                    }
                  }
                });
        speakers.add(speaker);
        speaker.start();
      }
      // In the midst of it an honest job says something, and is heard.
      await().until(() -> sent.get() > LETTERS / 10);
      assertThat(before.byMachine()).doesNotContainKey(fresh);
      honest(statistics, cluster, honest, 100, 10);
      int sentBefore = sent.get();
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> statistics.view().byMachine().containsKey(fresh));
      assertThat(sent.get() - sentBefore).as("of the others meanwhile").isLessThan(LETTERS / 4);
      assertThat(sent).as("the others have not ended").hasValueLessThan(LETTERS);
      for (Thread speaker : speakers) {
        speaker.join();
      }
      Reports.awaitLearnt(cluster, honest);

      assertThat(learning.isAlive()).isTrue();
      assertThat(statistics.breaker().failuresByKind()).isEmpty();
      assertThat(heap() - heapBefore).as("bytes").isLessThan(MOST_BYTES);
      MachineView after = statistics.view();
      assertThat(after.machines()).as("none was invented").hasSize(11);
      double p = after.outlierProbability().orElseThrow();
      assertThat(p).isCloseTo(before.outlierProbability().orElseThrow(), within(0.03));
      after
          .byMachine()
          .forEach(
              (machine, pm) ->
                  assertThat(SlowMachineRule.DEFAULT.isSlow(pm, p))
                      .as("%s: %s with p = %s", machine, pm, p)
                      .isFalse());
      double most = weightOfOneApplication();
      before
          .byMachine()
          .forEach(
              (machine, pm) ->
                  assertThat(after.byMachine().get(machine))
                      .as("%s, by one application at most", machine)
                      .isCloseTo(pm, within(most)));
      if (isOne) {
        assertThat(after.links()).isEqualTo(before.links());
      }
      assertThat(statistics.dropped()).isPositive();
      assertThat(statistics.actions(ActionKind.COPY)).isEqualTo(ActionTotals.NONE);
      assertThat(statistics.actionsRefused()).isGreaterThan(LETTERS / 2);
      assertThat(statistics.counting().failures()).isZero();
    }
  }
}
