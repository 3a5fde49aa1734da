// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.drover.channel.AttemptOutcome;
import io.drover.channel.ClusterTable;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report.LostOutputs;
import io.drover.core.machine.MachineSettings;
import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.machine.SlowMachineRule;
import io.drover.scheduler.statistics.Learner.KnownCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.junit.jupiter.api.Test;

class LearnerTest {
  private final Learner learner = learner();

  private static Learner learner() {
    Learner learner = new Learner(MachineSettings.DEFAULT, user -> false, 0);
    learner.cluster(cluster(20, Set.of("/r")));
    return learner;
  }

  private static KnownCluster cluster(int hosts, Set<String> racks) {
    Map<String, String> names = new HashMap<>();
    IntStream.range(0, hosts).forEach(i -> names.put("m" + i, "m" + i));
    return new KnownCluster(names, racks);
  }

  private static void failed(ApplicationAttemptId attempt, Throwable cause) {
    throw new AssertionError(attempt + " has failed", cause);
  }

  /** A job whose containers have run on a machine, and what it says of them. */
  private void job(int number, String user, String machine, int attempts, int outliers) {
    List<AttemptOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < attempts; i++) {
      outcomes.add(Letters.outcome(machine, i < outliers, true));
    }
    learner.ended(Letters.attempt(number), user, machine, attempts);
    learner.onReport(Letters.attempt(number), user, Letters.of(outcomes), 1);
    learner.advance(1, attempt -> true, LearnerTest::failed);
  }

  private double p(String machine) {
    return learner.view(1, Map.of()).byMachine().get(machine);
  }

  private boolean isSlow(String machine) {
    double p = learner.view(1, Map.of()).outlierProbability().orElseThrow();
    return SlowMachineRule.DEFAULT.isSlow(p(machine), p);
  }

  private void usual() {
    for (int m = 0; m < 20; m++) {
      job(m, "alice", "m" + m, 50, 1);
    }
  }

  @Test
  void aJobThatCannotBeTakenInCostsItselfOnly() {
    Learner learner =
        new Learner(
            MachineSettings.DEFAULT,
            user -> {
              if (user.equals("mallory")) {
                throw new IllegalStateException("of mallory");
              }
              return false;
            },
            0);
    learner.cluster(cluster(3, Set.of()));
    List<String> users = List.of("alice", "mallory", "bob");
    for (int i = 0; i < 3; i++) {
      learner.ended(Letters.attempt(i), users.get(i), "m" + i, 1);
      List<AttemptOutcome> one = List.of(Letters.outcome("m" + i, false, true));
      learner.onReport(Letters.attempt(i), users.get(i), Letters.of(one), 1);
    }
    Map<ApplicationAttemptId, Throwable> failed = new HashMap<>();
    learner.advance(1, attempt -> !attempt.equals(Letters.attempt(2)), failed::put);
    assertThat(failed).containsOnlyKeys(Letters.attempt(1));
    assertThat(learner.view(1, Map.of()).machines())
        .extracting(MachineFigures::machine)
        .containsExactly("m0", "m2");
    assertThat(learner.claims()).as("one that is over is forgotten").isEqualTo(2);
  }

  @Test
  void aRoundLooksAtJobsWithNewsOnly() {
    AtomicInteger looks = new AtomicInteger();
    Learner learner = new Learner(MachineSettings.DEFAULT, user -> looks.incrementAndGet() < 0, 0);
    learner.cluster(cluster(1, Set.of()));
    List<AttemptOutcome> one = List.of(Letters.outcome("m0", false, true));
    for (int job = 0; job < 500; job++) {
      learner.onReport(Letters.attempt(job), "u", Letters.of(one), 1);
    }
    learner.advance(1, attempt -> true, LearnerTest::failed);
    assertThat(looks).hasValue(500);
    learner.advance(1, attempt -> true, LearnerTest::failed);
    assertThat(looks).as("without news").hasValue(500);
    learner.ended(Letters.attempt(7), "u", "m0", 1);
    learner.advance(1, attempt -> true, LearnerTest::failed);
    assertThat(looks).as("with news of one").hasValue(501);
  }

  /** Memory, since time is not the same in any two runs. */
  @Test
  void newsOfOneMachineCostsNoWalkOverAllThatAJobHasUsed() {
    int hosts = 5_000;
    learner.cluster(cluster(hosts, Set.of()));
    for (int m = 0; m < hosts; m++) {
      learner.ended(Letters.attempt(1), "u", "m" + m, 2);
      learner.onReport(
          Letters.attempt(1), "u", Letters.of(List.of(Letters.outcome("m" + m, false, true))), 1);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long begin = threads.getThreadAllocatedBytes(thread);
    learner.advance(1, attempt -> true, LearnerTest::failed);
    long all = threads.getThreadAllocatedBytes(thread) - begin;
    learner.onReport(
        Letters.attempt(1), "u", Letters.of(List.of(Letters.outcome("m7", false, true))), 1);
    begin = threads.getThreadAllocatedBytes(thread);
    learner.advance(1, attempt -> true, LearnerTest::failed);
    long one = threads.getThreadAllocatedBytes(thread) - begin;
    assertThat(one).as("bytes, of %s for all", all).isLessThan(all / 20);
  }

  @Test
  void inventedMachinesAreNotKept() {
    for (int letter = 0; letter < 1000; letter++) {
      int first = 300 * letter;
      learner.onReport(
          Letters.attempt(1),
          "mallory",
          Letters.of(
              IntStream.range(first, first + 300)
                  .mapToObj(i -> Letters.outcome("invented" + i, true, true))
                  .toList()),
          1);
    }
    assertThat(learner.claims()).isZero();
  }

  @Test
  void claimsAheadOfWhatWasSeenAreCapped() {
    learner.cluster(cluster(10_000, Set.of()));
    for (int letter = 0; letter < 30; letter++) {
      int first = 300 * letter;
      learner.onReport(
          Letters.attempt(1),
          "mallory",
          Letters.of(
              IntStream.range(first, first + 300)
                  .mapToObj(i -> Letters.outcome("m" + i, true, true))
                  .toList()),
          1);
    }
    assertThat(learner.claims()).isEqualTo(Learner.MAX_AHEAD);
  }

  @Test
  void aMachineThatHasJustGoneIsStillSpokenOf() {
    learner.ended(Letters.attempt(1), "u", "gone", 1);
    learner.onReport(
        Letters.attempt(1), "u", Letters.of(List.of(Letters.outcome("gone", true, true))), 1);
    assertThat(learner.claims()).isEqualTo(1);
  }

  @Test
  void oneUsersJobsMakeNoMachineSlowTwoUsersDo() {
    usual();
    for (int i = 0; i < 50; i++) {
      job(100 + i, "mallory", "m7", 2, 2);
    }
    assertThat(isSlow("m7")).isFalse();
    assertThat(
            learner.view(1, Map.of()).table("mallory", List.of()).outlierProbabilities().get("m7"))
        .as("for mallory's own jobs")
        .isEqualTo(
            learner
                .view(1, Map.of())
                .table("mallory", List.of("m7"))
                .outlierProbabilities()
                .get("m7"))
        .isGreaterThan(0.4);
    assertThat(learner.view(1, Map.of()).table("alice", List.of()).outlierProbabilities().get("m7"))
        .isEqualTo(p("m7"));
    job(500, "bob", "m7", 2, 2);
    assertThat(isSlow("m7")).isTrue();
  }

  @Test
  void onlyMapsThatSucceededLeaveOutputs() {
    Learner trusting = new Learner(MachineSettings.DEFAULT, user -> true, 0);
    trusting.cluster(cluster(20, Set.of("/r")));
    List<AttemptOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      outcomes.add(Letters.outcome("m1", false, i < 100));
    }
    trusting.ended(Letters.attempt(1), "u", "m1", 200);
    trusting.onReport(
        Letters.attempt(1),
        "u",
        Letters.of(outcomes, List.of(new LostOutputs("m1", 10)), List.of()),
        1);
    trusting.advance(1, attempt -> true, LearnerTest::failed);
    assertThat(trusting.state(1, 1).machines().outputs()).isEqualTo(100);
    assertThat(trusting.state(1, 1).machines().lost()).isEqualTo(10);
    assertThat(trusting.state(1, 1).machines().attempts()).isEqualTo(200);
  }

  /** A job with 100 outputs on m1, of which 10 were lost, and 200 on m2. */
  private void losing(int number, String user) {
    List<AttemptOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      outcomes.add(Letters.outcome(i < 100 ? "m1" : "m2", false, true));
    }
    learner.ended(Letters.attempt(number), user, "m1", 100);
    learner.ended(Letters.attempt(number), user, "m2", 200);
    learner.onReport(
        Letters.attempt(number),
        user,
        Letters.of(outcomes, List.of(new LostOutputs("m1", 10)), List.of()),
        1);
    learner.advance(1, attempt -> true, LearnerTest::failed);
  }

  private Map<String, Double> lossesToldTo(String user) {
    return learner.view(1, Map.of()).table(user, List.of()).lossProbabilities();
  }

  @Test
  void lossesThatTwoUsersSeeAreToldToAllAndThoseOfOneToItsOwnJobs() {
    losing(1, "alice");
    assertThat(lossesToldTo("alice")).isEqualTo(Map.of("m1", 0.1));
    assertThat(lossesToldTo("carol")).isEmpty();
    losing(2, "bob");
    for (String user : List.of("alice", "bob", "carol")) {
      assertThat(lossesToldTo(user)).as(user).isEqualTo(Map.of("m1", 0.1));
    }
  }

  @Test
  void extremeLinksEndNothing() {
    for (int i = 0; i < 5; i++) {
      learner.onReport(
          Letters.attempt(i),
          "u" + i,
          Letters.of(
              List.of(),
              List.of(),
              List.of(
                  Letters.link("/r", RackBandwidth.MAX_BANDWIDTH),
                  Letters.link("/invented", Double.MIN_VALUE))),
          1);
    }
    assertThat(learner.view(1, Map.of()).links())
        .containsExactly(Letters.link("/r", RackBandwidth.MAX_BANDWIDTH));
  }

  @Test
  void ofMoreRacksThanATableHoldsTheNarrowestAreTold() {
    Set<String> racks = IntStream.range(0, 600).mapToObj(i -> "/r" + i).collect(Collectors.toSet());
    learner.cluster(cluster(1, racks));
    for (int job = 0; job < 3; job++) {
      for (int i = 0; i < 600; i++) {
        learner.onReport(
            Letters.attempt(job),
            "u" + job,
            Letters.of(List.of(), List.of(), List.of(Letters.link("/r" + i, 1 + i))),
            1);
      }
    }
    MachineView view = learner.view(1, Map.of());
    assertThat(view.links()).hasSize(600);
    assertThat(view.worst().bandwidths())
        .hasSize(ClusterTable.MAX_RACKS)
        .contains(Letters.link("/r0", 1))
        .doesNotContain(Letters.link("/r599", 600));
    assertThat(view.table("u", List.of("m0")).bandwidths()).hasSize(ClusterTable.MAX_RACKS);
  }

  private static void link(Learner learner, int job, String user, double up) {
    learner.onReport(
        Letters.attempt(job),
        user,
        Letters.of(List.of(), List.of(), List.of(Letters.link("/r", up))),
        1);
  }

  @Test
  void whatOneUsersJobsSayOfALinkOnlyThatUsersJobsAreTold() {
    for (int job = 0; job < 20; job++) {
      link(learner, job, "hive", 1000 + job);
    }
    MachineView view = learner.view(1, Map.of());
    assertThat(view.links()).isEmpty();
    assertThat(view.table("alice", List.of())).isEqualTo(ClusterTable.EMPTY);
    assertThat(view.table("hive", List.of()).bandwidths())
        .isEqualTo(view.table("hive", List.of("m0")).bandwidths())
        .isEqualTo(view.own().get("hive").links())
        .containsExactly(Letters.link("/r", 1012));
  }

  @Test
  void oneUsersJobsMoveALinkNoFurtherThanToWhatOthersSay() {
    for (int job = 0; job < 6; job++) {
      link(learner, job, "user" + job, 1000 + job);
    }
    for (int job = 10; job < 60; job++) {
      link(learner, job, "mallory", Double.MIN_VALUE);
    }
    assertThat(learner.view(1, Map.of()).links()).containsExactly(Letters.link("/r", 1000));
    assertThat(learner.view(1, Map.of()).own()).isEmpty();
  }

  @Test
  void whatWasSaidOfLinksBeforeASnapshotCouldBeReadIsNotLost() {
    link(learner, 1, "alice", 1000);
    link(learner, 2, "bob", 1001);
    Learner late = learner();
    link(late, 2, "bob", 2000);
    link(late, 3, "carol", 1500);
    late.restore(learner.state(1, 1), 1);
    assertThat(late.view(1, Map.of()).links()).containsExactly(Letters.link("/r", 1500));
  }

  @Test
  void linksOutliveARestartInWhichNoNodeHasRegisteredYet() {
    for (int job = 0; job < 3; job++) {
      learner.onReport(
          Letters.attempt(job),
          "u" + job,
          Letters.of(List.of(), List.of(), List.of(Letters.link("/r", 1000))),
          1);
    }
    Learner next = new Learner(MachineSettings.DEFAULT, user -> false, 0);
    next.restore(learner.state(1, 1), 1);
    Learner afterThat = new Learner(MachineSettings.DEFAULT, user -> false, 0);
    afterThat.restore(next.state(1, 1), 1); // written before a node came
    afterThat.cluster(cluster(1, Set.of("/r")));
    assertThat(afterThat.view(1, Map.of()).links()).containsExactly(Letters.link("/r", 1000));
  }

  @Test
  void whatWasSaidBeforeASnapshotCouldBeReadIsNotLost() {
    usual();
    PersistedState state = learner.state(1, 1);
    Learner late = learner();
    late.ended(Letters.attempt(77), "bob", "m3", 30);
    List<AttemptOutcome> thirty =
        IntStream.range(0, 30).mapToObj(i -> Letters.outcome("m3", false, true)).toList();
    late.onReport(Letters.attempt(77), "bob", Letters.of(thirty), 1);
    late.advance(1, attempt -> true, LearnerTest::failed);
    late.restore(state, 1);
    late.advance(1, attempt -> true, LearnerTest::failed);
    assertThat(late.state(1, 1).machines().attempts()).isEqualTo(state.machines().attempts() + 30);
  }
}
