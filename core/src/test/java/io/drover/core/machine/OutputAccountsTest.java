// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.machine.MachineStatistics.WindowEvidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Lost outputs that several users see are learnt; what only one of them says moves little. */
class OutputAccountsTest {
  private static final int MACHINES = 100;
  private static final int KEPT = 1000;

  /** A machine on which no output was lost. */
  private static final int GOOD = MACHINES - 1;

  /** Returns what a user's jobs see: 5 machines lose 2 %, one loses nothing, and others 0.1 %. */
  private static Claim truth(int machine) {
    return Claim.ofOutputs(KEPT, machine < 5 ? 20 : machine == GOOD ? 0 : 1);
  }

  private static Map<String, Claim> onEach(IntFunction<Claim> claim) {
    Map<String, Claim> claims = new HashMap<>();
    for (int m = 0; m < MACHINES; m++) {
      claims.put("m" + m, claim.apply(m));
    }
    return claims;
  }

  /** Reports a job of which all containers were seen; without a user, of a trusted one. */
  private static void job(
      MachineStatistics statistics, Optional<String> user, Map<String, Claim> claims) {
    ClaimLedger ledger = new ClaimLedger();
    claims.forEach(
        (machine, claim) -> {
          for (int i = 0; i < claim.outputs(); i++) {
            ledger.containerEnded(machine);
          }
        });
    observe(statistics, user, ledger, claims);
  }

  private static void observe(
      MachineStatistics statistics,
      Optional<String> user,
      ClaimLedger ledger,
      Map<String, Claim> claims) {
    user.ifPresentOrElse(
        name -> statistics.observe(name, ledger, claims), () -> statistics.observe(ledger, claims));
  }

  private static MachineStatistics seenBy(int users) {
    MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
    for (int user = 0; user < users; user++) {
      job(statistics, Optional.of("user" + user), onEach(OutputAccountsTest::truth));
    }
    return statistics;
  }

  private static double loss(MachineStatistics statistics, int machine) {
    return statistics.lossProbability("m" + machine).orElseThrow();
  }

  @Test
  void usersWhoAgreeAreBelievedAsIfTheyWereTrusted() {
    for (int users : new int[] {2, 3, 10}) {
      MachineStatistics trusting = new MachineStatistics(MachineSettings.DEFAULT, 0);
      for (int user = 0; user < users; user++) {
        job(trusting, Optional.empty(), onEach(OutputAccountsTest::truth));
      }
      MachineStatistics statistics = seenBy(users);
      for (int m = 0; m < MACHINES; m++) {
        assertThat(loss(statistics, m))
            .as("m%s, %s users", m, users)
            .isCloseTo(loss(trusting, m), within(1e-12));
      }
      assertThat(loss(statistics, 0)).as("%s users", users).isBetween(0.018, 0.02);
      assertThat(statistics.ownLossProbabilities()).isEmpty();
    }
  }

  @Test
  void oneHostileUserAtMostDoublesWhatTheOthersHaveLost() {
    for (int honest : new int[] {2, 3, 9}) {
      MachineStatistics before = seenBy(honest);
      for (int all : new int[] {10, KEPT, 20 * KEPT}) {
        MachineStatistics statistics = seenBy(honest);
        job(statistics, Optional.of("mallory"), onEach(m -> Claim.ofOutputs(all, all)));
        for (int m = 0; m < MACHINES; m++) {
          assertThat(loss(statistics, m))
              .as("m%s, %s honest users, %s lies", m, honest, all)
              .isBetween(0.49 * loss(before, m), 2 * loss(before, m));
        }
        assertThat(loss(statistics, GOOD)).as("where nobody else lost any").isLessThan(1e-3);
        assertThat(statistics.ownLossProbabilities()).containsOnlyKeys("mallory");
      }
    }
  }

  @Test
  void oneHostileUserAtMostHalvesTheirShare() {
    for (int honest : new int[] {2, 3, 9}) {
      MachineStatistics before = seenBy(honest);
      Claim none = Claim.ofOutputs(50 * KEPT, 0);
      for (Map<String, Claim> lies : List.of(onEach(m -> none), Map.of("m0", none))) {
        MachineStatistics statistics = seenBy(honest);
        job(statistics, Optional.of("mallory"), lies);
        for (int m = 0; m < MACHINES; m++) {
          assertThat(loss(statistics, m))
              .as("m%s, %s honest users", m, honest)
              .isBetween(0.49 * loss(before, m), loss(before, m));
        }
        assertThat(loss(statistics, 0)).isGreaterThan(0.009);
        assertThat(statistics.ownLossProbabilities()).isEmpty();
      }
    }
  }

  @Test
  void forTheUsersOwnJobsOnlyTheirOwnOutputsCount() {
    MachineStatistics statistics = seenBy(9);
    job(
        statistics,
        Optional.of("alice"),
        onEach(m -> m == 50 ? Claim.ofOutputs(KEPT, 20) : truth(m)));
    Map<String, Map<String, Double>> own = statistics.ownLossProbabilities();
    assertThat(own).containsOnlyKeys("alice");
    assertThat(own.get("alice")).containsOnlyKeys("m50");
    assertThat(own.get("alice").get("m50")).isBetween(0.018, 0.02);
    assertThat(loss(statistics, 50)).isLessThan(0.002);

    job(statistics, Optional.of("mallory"), Map.of("m50", Claim.ofOutputs(50 * KEPT, 0)));
    assertThat(statistics.ownLossProbabilities()).isEqualTo(own);
  }

  @Test
  void ofOneUserNoMoreCountsThanOfAllOthers() {
    OutputAccounts two = OutputAccounts.of(Map.of("a", List.of(100.0, 10.0)));
    assertThat(two.counting().all()).as("there is nobody else").isZero();
    two.add("b", 50, 2);
    assertThat(two.counting().all()).isEqualTo(50 + 50);
    assertThat(two.counting().some()).as("of the 5 of 50 outputs, 2").isEqualTo(2 + 2);
    Map<String, Double> unconfirmed = new HashMap<>();
    two.forEachUnconfirmed((user, own) -> unconfirmed.put(user, own.some()));
    assertThat(unconfirmed).isEqualTo(Map.of("a", 10.0));

    two.add(WindowEvidence.TRUSTED, 200, 20);
    assertThat(two.counting().all()).isEqualTo(200 + 100 + 50);
    assertThat(two.counting().some()).isEqualTo(20 + 10 + 2);
    two.forEachUnconfirmed(
        (user, own) -> {
          throw new AssertionError(user);
        });
  }

  @Test
  void whatAUserOfMostOutputsHasLostIsNoLimitForTheFewOfAnother() {
    OutputAccounts machine =
        OutputAccounts.of(Map.of("big", List.of(10_000.0, 5.0), "mallory", List.of(10.0, 10.0)));
    assertThat(machine.counting().all()).isEqualTo(10 + 10);
    assertThat(machine.counting().some()).isCloseTo(0.005 + 0.005, within(1e-12));

    OutputAccounts cluster =
        OutputAccounts.of(
            Map.of(
                "big", List.of(990_000.0, 990.0),
                "small", List.of(9_000.0, 9.0),
                "mallory", List.of(1_000.0, 1_000.0)));
    assertThat(cluster.counting().all()).isEqualTo(10_000 + 9_000 + 1_000);
    assertThat(cluster.counting().some()).isCloseTo(10 + 9 + 19, within(1e-9));
  }

  @Test
  void besideAUserOfMostOutputsAnotherAtMostDoublesWhatIsLost() {
    MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
    job(statistics, Optional.of("big"), onEach(m -> Claim.ofOutputs(9900, 10)));
    job(statistics, Optional.of("small"), onEach(m -> Claim.ofOutputs(90, 0)));
    job(statistics, Optional.of("mallory"), onEach(m -> Claim.ofOutputs(10, 10)));
    for (int m = 0; m < MACHINES; m++) {
      assertThat(loss(statistics, m)).as("m%s", m).isLessThan(2 * 10 / 9900.0);
    }
  }

  @Test
  void anOutputOfAnotherUserDoesNotConfirmWhatAUserOfMostHasLost() {
    OutputAccounts machine =
        OutputAccounts.of(Map.of("big", List.of(1000.0, 500.0), "mallory", List.of(1.0, 1.0)));
    Map<String, Double> unconfirmed = new HashMap<>();
    machine.forEachUnconfirmed((user, own) -> unconfirmed.put(user, own.some()));
    assertThat(unconfirmed).containsEntry("big", 500.0);
  }

  @Test
  void whatCountsIsComputedAgainOnlyWhenOutputsChange() {
    OutputAccounts accounts =
        OutputAccounts.of(Map.of("a", List.of(4.0, 1.0), "b", List.of(8.0, 1.0)));
    DecayingShare counting = accounts.counting();
    assertThat(counting.all()).isEqualTo(4 + 4);
    assertThat(accounts.counting()).isSameAs(counting);
    accounts.add("b", 0, 1);
    assertThat(accounts.counting().some()).isEqualTo(1 + 1);
    accounts.fade(0.5);
    assertThat(accounts.counting().all()).isEqualTo(2 + 2);
    OutputAccounts sum = OutputAccounts.of(accounts.figures());
    sum.add("a", 6, 0);
    assertThat(sum.counting().all()).isEqualTo(4 + 4);
    accounts.limit(1, "b", sum);
    assertThat(accounts.counting().all()).isZero();
    assertThat(sum.counting().some()).isZero();
    assertThat(sum.figures().get("a")).isEqualTo(List.of(6.0, 0.0));
    List<String> unconfirmed = new ArrayList<>();
    accounts.forEachUnconfirmed((user, own) -> unconfirmed.add(user));
    assertThat(unconfirmed).containsExactly("b");
  }

  @Test
  void lossesOfForgottenOutputsDoNotCount() {
    OutputAccounts accounts = new OutputAccounts();
    accounts.add("a", 1, 0);
    accounts.fade(0.2);
    assertThat(accounts.figures()).containsOnlyKeys("a");
    accounts.fade(0.2);
    accounts.add("a", 0, 1);
    assertThat(accounts.figures()).isEmpty();
  }

  @Test
  void machineMayLoseAllOutputsLongAfterTheyWereKept() {
    for (Optional<String> user : List.of(Optional.of("u"), Optional.<String>empty())) {
      MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
      ClaimLedger ledger = new ClaimLedger();
      for (int i = 0; i < 50; i++) {
        ledger.containerEnded("m");
      }
      observe(statistics, user, ledger, Map.of("m", Claim.ofOutputs(50, 0)));
      statistics.advance(Duration.ofDays(1).toSeconds());
      observe(statistics, user, ledger, Map.of("m", Claim.ofOutputs(50, 50)));
      String name = user.orElse(WindowEvidence.TRUSTED);
      List<Double> outputs = machine(statistics, "m").outputsByUser().get(name);
      assertThat(outputs.get(0)).isCloseTo(50 * Math.pow(0.5, 1.0 / 7), within(1e-9));
      assertThat(outputs.get(1)).isEqualTo(outputs.get(0));
    }
  }

  private static MachineSnapshot.Machine machine(MachineStatistics statistics, String name) {
    return statistics.snapshot().machines().stream()
        .filter(m -> m.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void howeverManyUsersKeepOutputsThoseWithTheMostAreRemembered() {
    MachineStatistics statistics = seenBy(2);
    job(statistics, Optional.empty(), Map.of("m0", Claim.ofOutputs(1, 0)));
    for (int user = 0; user < 1000; user++) {
      job(statistics, Optional.of("small" + user), Map.of("m0", Claim.ofOutputs(2, 0)));
    }
    assertThat(machine(statistics, "m0").outputsByUser())
        .hasSize(KnownMachine.MAX_USERS)
        .containsKeys(WindowEvidence.TRUSTED, "user0", "user1", "small999");
  }

  @Test
  void whatIsForgottenOfAMachineIsForgottenOfTheClusterAtOnce() {
    MachineStatistics statistics = seenBy(2);
    ClaimLedger ledger = new ClaimLedger();
    for (int i = 0; i < 10; i++) {
      ledger.containerEnded("m0");
      ledger.containerEnded("m1");
    }
    Claim kept = Claim.ofOutputs(1, 0);
    statistics.observe("forgotten", ledger, Map.of("m0", kept, "m1", Claim.ofOutputs(9, 0)));
    for (int user = 0; user < 200; user++) {
      job(statistics, Optional.of("small" + user), Map.of("m0", Claim.ofOutputs(2, 2)));
    }
    statistics.observe("forgotten", ledger, Map.of("m0", Claim.ofOutputs(1, 1)));
    assertThat(machine(statistics, "m0").outputsByUser()).doesNotContainKey("forgotten");
    MachineSnapshot snapshot = statistics.snapshot();
    assertThat(MachineStatistics.restore(MachineSettings.DEFAULT, snapshot).snapshot())
        .as("where the cluster is the sum of its machines")
        .isEqualTo(snapshot);
  }

  @Test
  void whoHasKeptWhatOutlivesARestart() {
    MachineStatistics statistics = seenBy(3);
    job(statistics, Optional.of("mallory"), Map.of("m9", Claim.ofOutputs(KEPT, KEPT)));
    job(statistics, Optional.empty(), Map.of("m8", Claim.ofOutputs(KEPT, 7)));
    MachineSnapshot snapshot = statistics.snapshot();
    MachineStatistics restored = MachineStatistics.restore(MachineSettings.DEFAULT, snapshot);
    assertThat(restored.snapshot()).isEqualTo(snapshot);
    assertThat(restored.figures())
        .extracting(MachineFigures::lossProbability)
        .isEqualTo(statistics.figures().stream().map(MachineFigures::lossProbability).toList());
    assertThat(restored.ownLossProbabilities()).isEqualTo(statistics.ownLossProbabilities());
  }

  private static MachineSnapshot.Machine restored(Map<String, List<Double>> outputsByUser) {
    return new MachineSnapshot.Machine(
        "m", 0, 0, 0, 1000, 20, List.of(0.0, 0.0, 0.0), Map.of(), Map.of(), outputsByUser);
  }

  @Test
  void whatAnOlderVersionHasLearntCountsInFull() {
    MachineStatistics older =
        MachineStatistics.restore(
            MachineSettings.DEFAULT,
            new MachineSnapshot(1, "MIXTURE", 0, 0, 0, 1000, 20, List.of(restored(null))));
    assertThat(older.lossProbability("m").orElseThrow()).isCloseTo(0.02, within(1e-12));
  }

  @Test
  void damagedAccountsAreRefused() {
    for (List<Double> bad :
        List.of(
            List.<Double>of(),
            List.of(1.0),
            List.of(1.0, 2.0),
            List.of(2.0, -1.0),
            List.of(Double.NaN, 0.0),
            Arrays.asList(1.0, null))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> restored(Map.of("u", bad)))
          .withMessageStartingWith("m: ");
    }
  }
}
