// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One user's jobs make a machine slow only for themselves; those of two users do for all. */
class UserWeightTest {
  private static final int MACHINES = 100;

  /** Creates a cluster with the given attempts and outliers on each machine. */
  private static MachineStatistics cluster(int attempts, int outliers) {
    MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
    Map<String, Claim> claims = new HashMap<>();
    for (int m = 0; m < MACHINES; m++) {
      claims.put("m" + m, Claim.ofAttempts(attempts, outliers));
    }
    job(statistics, "everybody", claims);
    return statistics;
  }

  /** Reports a user's job of which all containers were seen. */
  private static void job(MachineStatistics statistics, String user, Map<String, Claim> claims) {
    statistics.observe(user, seen(claims), claims);
  }

  private static ClaimLedger seen(Map<String, Claim> claims) {
    ClaimLedger ledger = new ClaimLedger();
    claims.forEach(
        (machine, claim) -> {
          for (int i = 0; i < Math.max(claim.judged(), claim.outputs()); i++) {
            ledger.containerEnded(machine);
          }
        });
    return ledger;
  }

  private static boolean isSlow(MachineStatistics statistics, String machine) {
    double p = statistics.probability().orElseThrow();
    double pm = statistics.probability(machine).orElseThrow();
    return SlowMachineRule.DEFAULT.isSlow(pm, p);
  }

  @Test
  void whateverTheJobsOfOneUserSayAnHonestMachineIsNotSlow() {
    Random random = new Random(20261125);
    int[][] clusters = {{1000, 0}, {1000, 1}, {200, 2}, {50, 1}, {20, 1}, {10, 1}, {5, 1}};
    for (int[] kind : clusters) {
      MachineStatistics statistics = cluster(kind[0], kind[1]);
      double now = 0;
      for (int job = 0; job < 300; job++) {
        int outliers = 1 + random.nextInt(20);
        int others = random.nextInt(3) == 0 ? random.nextInt(20) : 0;
        job(
            statistics,
            "mallory",
            Map.of(
                "m7",
                Claim.ofAttempts(outliers + others, outliers),
                "m8",
                Claim.ofAttempts(random.nextInt(200), 0)));
        assertThat(isSlow(statistics, "m7"))
            .as("p = %s, job %s", statistics.probability(), job)
            .isFalse();
        if (random.nextInt(10) == 0) {
          now += 300 * random.nextInt(10);
          statistics.advance(now);
        }
      }
    }
  }

  @Test
  void twoUsersMakeASlowMachineKnown() {
    MachineStatistics statistics = cluster(50, 1);
    for (String user : new String[] {"alice", "bob"}) {
      assertThat(isSlow(statistics, "m7")).as("before %s", user).isFalse();
      job(statistics, user, Map.of("m7", Claim.ofAttempts(6, 5), "m8", Claim.ofAttempts(6, 0)));
    }
    assertThat(isSlow(statistics, "m7")).isTrue();
    assertThat(isSlow(statistics, "m8")).isFalse();
  }

  @Test
  void aRestartGivesAUserNothingMoreToSay() {
    MachineStatistics statistics = cluster(50, 1);
    job(statistics, "mallory", Map.of("m7", Claim.ofAttempts(9, 9), "m8", Claim.ofAttempts(99, 0)));
    MachineStatistics restored =
        MachineStatistics.restore(MachineSettings.DEFAULT, statistics.snapshot());
    job(restored, "mallory", Map.of("m7", Claim.ofAttempts(9, 9), "m8", Claim.ofAttempts(99, 0)));
    assertThat(isSlow(restored, "m7")).isFalse();
    assertThat(restored.snapshot().machines().stream().filter(m -> m.name().equals("m7")))
        .allSatisfy(machine -> assertThat(machine.users()).containsOnlyKeys("mallory"));
  }

  @Test
  void whatSpeaksForAMachineHasItsFullWeight() {
    MachineStatistics one = cluster(50, 1);
    MachineStatistics trusted = new MachineStatistics(MachineSettings.DEFAULT, 0);
    Map<String, Claim> claims = new HashMap<>();
    for (int m = 0; m < MACHINES; m++) {
      claims.put("m" + m, Claim.ofAttempts(50, 1));
    }
    ClaimLedger ledger = new ClaimLedger();
    claims
        .keySet()
        .forEach(
            m -> java.util.stream.IntStream.range(0, 50).forEach(i -> ledger.containerEnded(m)));
    trusted.observe(ledger, claims);
    assertThat(one.probability()).isEqualTo(trusted.probability());
    assertThat(one.probability("m3")).isEqualTo(trusted.probability("m3"));
  }

  private static boolean isSlowFor(MachineStatistics statistics, String user, String machine) {
    double p = statistics.probability().orElseThrow();
    double forAll = statistics.probability(machine).orElseThrow();
    double own =
        statistics.ownProbabilities().getOrDefault(user, Map.of()).getOrDefault(machine, forAll);
    return SlowMachineRule.DEFAULT.isSlow(own, p);
  }

  private static Map<String, Claim> slowM7() {
    return Map.of("m7", Claim.ofAttempts(6, 5), "m8", Claim.ofAttempts(6, 0));
  }

  @Test
  void forTheUsersOwnJobsItIsAsIfTheUserWasTrusted() {
    MachineStatistics statistics = cluster(50, 1); // everything so far comes from one user
    job(statistics, "everybody", slowM7());
    assertThat(isSlowFor(statistics, "everybody", "m7")).isTrue();
    assertThat(isSlowFor(statistics, "everybody", "m8")).isFalse();
    assertThat(isSlow(statistics, "m7")).isFalse();
    MachineStatistics trusted = cluster(50, 1);
    trusted.observe(seen(slowM7()), slowM7());
    assertThat(statistics.ownProbabilities().get("everybody").get("m7"))
        .isCloseTo(trusted.probability("m7").orElseThrow(), within(0.01));
  }

  @Test
  void aNightOfOneHostileUserHarmsNobodyTheNextMorning() {
    MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
    Map<String, Claim> day = new HashMap<>();
    Map<String, Claim> lies = new HashMap<>();
    for (int m = 0; m < MACHINES; m++) {
      day.put("m" + m, Claim.ofAttempts(50, 1));
      lies.put("m" + m, Claim.ofAttempts(20, m < MACHINES / 4 ? 20 : 0));
    }
    job(statistics, "alice", day);
    double hour = 3600;
    for (int window = 1; window <= 60 * 12; window++) { // from Friday evening to Monday morning
      job(statistics, "mallory", lies);
      statistics.advance(window * hour / 12);
    }
    assertThat(isSlowFor(statistics, "mallory", "m7")).isTrue();
    for (int m = 0; m < MACHINES; m++) {
      assertThat(isSlowFor(statistics, "alice", "m" + m)).as("m%s, for alice", m).isFalse();
      assertThat(isSlowFor(statistics, "bob", "m" + m)).as("m%s, for bob", m).isFalse();
    }
    job(statistics, "alice", slowM7());
    job(statistics, "bob", slowM7());
    assertThat(isSlow(statistics, "m7")).as("nothing is stuck: two honest users").isTrue();
    assertThat(isSlow(statistics, "m6")).isFalse();
    statistics.advance(10 * 24 * hour);
    assertThat(statistics.ownProbabilities()).isEmpty();
  }

  @Test
  void whatOthersSayForAMachineCountsForTheUsersOwnJobsToo() {
    MachineStatistics statistics = cluster(50, 1);
    job(statistics, "alice", slowM7());
    assertThat(isSlowFor(statistics, "alice", "m7")).isTrue();
    job(statistics, "bob", Map.of("m7", Claim.ofAttempts(50, 0), "m8", Claim.ofAttempts(50, 0)));
    assertThat(isSlowFor(statistics, "alice", "m7")).isFalse();
  }

  @Test
  void whatCountsForTheUsersOwnJobsOutlivesARestart() {
    MachineStatistics statistics = cluster(50, 1);
    job(statistics, "alice", slowM7());
    MachineSnapshot snapshot = statistics.snapshot();
    assertThat(MachineStatistics.restore(MachineSettings.DEFAULT, snapshot).ownProbabilities())
        .isEqualTo(statistics.ownProbabilities());
    assertThat(accounts(statistics, "m7").get("alice"))
        .as("as an older version reads it")
        .hasSize(2);
    UserWeight older = UserWeight.of(List.of(2.0, 1.0), null);
    assertThat(older.figures()).as("of an older version").containsExactly(2.0, 1.0);
    assertThat(older.unbounded()).as("of an older version").isEqualTo(2);
    for (List<Double> bad :
        List.of(List.<Double>of(), List.of(1.0, 2.0, 3.0), List.of(-1.0, 0.0))) {
      assertThatThrownBy(() -> UserWeight.of(bad, null))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> UserWeight.of(List.of(1.0, 1.0), Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Map<String, List<Double>> accounts(MachineStatistics statistics, String machine) {
    return statistics.snapshot().machines().stream()
        .filter(m -> m.name().equals(machine))
        .findFirst()
        .orElseThrow()
        .users();
  }

  @Test
  void whoHasSaidNothingAgainstAMachineHasNoAccountOfIt() {
    MachineStatistics statistics = cluster(50, 1);
    for (int user = 0; user < 20; user++) {
      job(statistics, "user" + user, Map.of("m7", Claim.ofAttempts(9, 0)));
    }
    assertThat(accounts(statistics, "m7")).isEmpty();
  }

  @Test
  void howeverManyUsersSpeakThoseWhoSaidTheMostAreRemembered() {
    MachineStatistics statistics = cluster(50, 1);
    job(statistics, "mallory", Map.of("m7", Claim.ofAttempts(9, 9)));
    List<Double> before = accounts(statistics, "m7").get("mallory");
    for (int user = 0; user < 1000; user++) {
      job(statistics, "user" + user, Map.of("m7", Claim.ofAttempts(30, 1)));
    }
    assertThat(accounts(statistics, "m7"))
        .hasSize(KnownMachine.MAX_USERS)
        .containsKeys("mallory", "user999");
    for (int job = 0; job < 300; job++) {
      job(statistics, "mallory", Map.of("m7", Claim.ofAttempts(2, 2)));
    }
    assertThat(accounts(statistics, "m7").get("mallory").get(0))
        .as("as much as before, and no more")
        .isCloseTo(before.get(0), within(1e-9));
    assertThat(isSlow(statistics, "m7")).isFalse();
  }

  /** Creates a cluster that keeps outputs and has lost some, as a trusted user's job says. */
  private static MachineStatistics keeping(int outputs, int lostOnEach) {
    MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
    Map<String, Claim> claims = new HashMap<>();
    for (int m = 0; m < MACHINES; m++) {
      claims.put("m" + m, Claim.ofOutputs(outputs, lostOnEach));
    }
    statistics.observe(seen(claims), claims);
    return statistics;
  }

  private static double loss(MachineStatistics statistics, String machine) {
    return statistics.lossProbability(machine).orElseThrow();
  }

  private static double ownLoss(MachineStatistics statistics, String user, String machine) {
    return statistics.ownLossProbabilities().get(user).get(machine);
  }

  @Test
  void whateverTheJobsOfOneUserSayIsLostOthersHardlyHearOfIt() {
    MachineStatistics statistics = keeping(1000, 1);
    double before = loss(statistics, "m7");
    for (int job = 0; job < 100; job++) {
      Map<String, Claim> lies = new HashMap<>();
      for (int m = 0; m < MACHINES; m++) {
        lies.put("m" + m, Claim.ofOutputs(20, 20));
      }
      job(statistics, "mallory", lies);
    }
    assertThat(loss(statistics, "m7")).isLessThan(2 * before);
    assertThat(loss(statistics, "new")).isLessThan(2 * before);
    assertThat(ownLoss(statistics, "mallory", "m7")).as("his own jobs").isGreaterThan(0.5);
    assertThat(statistics.ownLossProbabilities()).containsOnlyKeys("mallory");
  }

  @Test
  void clusterOfOneUserLearnsOfLossesAsIfThatUserWereTrusted() {
    Map<String, Claim> claims =
        Map.of("m1", Claim.ofOutputs(500, 0), "m2", Claim.ofOutputs(500, 50));
    MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
    job(statistics, "hive", claims);
    MachineStatistics trusted = new MachineStatistics(MachineSettings.DEFAULT, 0);
    trusted.observe(seen(claims), claims);
    assertThat(ownLoss(statistics, "hive", "m2")).isCloseTo(loss(trusted, "m2"), within(1e-12));
    assertThat(statistics.lossProbability("m2")).as("nobody else knows").isEmpty();

    MachineStatistics restored =
        MachineStatistics.restore(MachineSettings.DEFAULT, statistics.snapshot());
    assertThat(restored.ownLossProbabilities()).isEqualTo(statistics.ownLossProbabilities());
    assertThat(restored.snapshot()).isEqualTo(statistics.snapshot());
  }

  @Test
  void lossesThatAreExpectedCountInFullWhoeverSaysSo() {
    MachineStatistics statistics = keeping(1000, 10);
    double before = loss(statistics, "m7");
    for (int job = 0; job < 20; job++) {
      job(statistics, "ann", Map.of("m7", Claim.ofOutputs(200, 2)));
    }
    assertThat(loss(statistics, "m7")).isCloseTo(before, within(0.01 * before));
    assertThat(ownLoss(statistics, "ann", "m7")).isCloseTo(before, within(0.01 * before));
  }

  @Test
  void claimsAddUpToTheLargestNumberAndNoFurther() {
    Claim huge = new Claim(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);
    assertThat(huge.plus(new Claim(1, 1, 1, 1)))
        .isEqualTo(new Claim(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 1));
  }
}
