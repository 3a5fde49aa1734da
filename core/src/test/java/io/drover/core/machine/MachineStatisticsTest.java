// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.machine.MachineStatistics.MachineFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MachineStatisticsTest {
  private static final double WINDOW = 300;

  private final MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 1000);

  /** Reports a job's attempts truthfully. The ResourceManager has seen all of its containers. */
  private static void honest(MachineStatistics s, Map<String, Claim> claims) {
    ClaimLedger ledger = new ClaimLedger();
    claims.forEach((machine, claim) -> ended(ledger, machine, claim.judged() + claim.outputs()));
    s.observe(ledger, claims);
  }

  private static void ended(ClaimLedger ledger, String machine, int containers) {
    for (int i = 0; i < containers; i++) {
      ledger.containerEnded(machine);
    }
  }

  /** Adds outcomes that give the cluster a p of about 2 %. */
  private static void usual(MachineStatistics s, int machines) {
    Map<String, Claim> claims = new HashMap<>();
    for (int m = 0; m < machines; m++) {
      claims.put("m" + m, Claim.ofAttempts(50, 1));
    }
    honest(s, claims);
  }

  private double p(String machine) {
    return statistics.probability(machine).orElseThrow();
  }

  @Test
  void clusterNeverSeenAnswersNothing() {
    assertThat(statistics.probability()).isEmpty();
    assertThat(statistics.probability("m")).isEmpty();
    assertThat(statistics.lossProbability("m")).isEmpty();
    honest(statistics, Map.of("m", Claim.ofAttempts(19, 19)));
    assertThat(statistics.probability("m")).as("one is missing").isEmpty();
    honest(statistics, Map.of("m", Claim.ofAttempts(1, 0)));
    assertThat(statistics.probability("m")).isPresent();
  }

  @Test
  void clusterOfWhichNothingWasHeardForLongAnswersNothing() {
    usual(statistics, 2);
    statistics.advance(1000 + Duration.ofDays(10).toSeconds());
    assertThat(statistics.probability()).isEmpty();
  }

  @Test
  void machineNeverSeenHasTheClustersProbability() {
    usual(statistics, 100);
    assertThat(statistics.probability("new")).isEqualTo(statistics.probability());
    assertThat(statistics.probability().orElseThrow()).isCloseTo(0.02, within(0.001));
  }

  @Test
  void slowMachineIsKnownWithinTwoWindows() {
    for (int window = 1; window <= 2; window++) {
      Map<String, Claim> claims = new HashMap<>();
      for (int m = 0; m < 6; m++) {
        claims.put("m" + m, Claim.ofAttempts(2, m == 3 ? 2 : 0));
      }
      honest(statistics, claims);
      statistics.advance(1000 + window * WINDOW);
    }
    assertThat(p("m3")).isGreaterThan(0.4);
    assertThat(p("m2")).isLessThan(0.2);
  }

  @Test
  void machineThatGoesSlowInACleanClusterIsKnownWithinTwoWindows() {
    usual(statistics, 6);
    statistics.advance(1000 + WINDOW);
    for (int window = 2; window <= 3; window++) {
      honest(statistics, Map.of("m2", Claim.ofAttempts(2, 0), "m3", Claim.ofAttempts(2, 2)));
      statistics.advance(1000 + window * WINDOW);
    }
    assertThat(p("m3")).isGreaterThan(0.4);
    assertThat(p("m2")).isLessThan(0.04);
  }

  @Test
  void liarMovesAMachineNoFurtherThanItsOwnContainersWeigh() {
    Random random = new Random(3);
    for (int life = 0; life < 100; life++) {
      int own = random.nextInt(3);
      MachineStatistics worst = new MachineStatistics(MachineSettings.DEFAULT, 0);
      MachineStatistics lied = new MachineStatistics(MachineSettings.DEFAULT, 0);
      usual(worst, 200);
      usual(lied, 200);
      honest(worst, Map.of("m7", Claim.ofAttempts(own, own), "m8", Claim.ofAttempts(50, 0)));
      ClaimLedger liar = new ClaimLedger();
      ended(liar, "m7", own);
      ended(liar, "m8", 50);
      for (int message = 0; message < 20; message++) {
        int judged = random.nextInt(1_000_000);
        lied.observe(
            liar,
            Map.of(
                "m7",
                Claim.ofAttempts(judged, judged),
                "m8",
                Claim.ofAttempts(judged, 0),
                "m9",
                Claim.ofAttempts(judged, judged),
                "m" + (1000 + message),
                Claim.ofAttempts(judged, judged)));
      }
      // Identical to the last digit: neither the cluster's p nor any other machine has changed.
      assertThat(lied.snapshot().toString()).isEqualTo(worst.snapshot().toString());
      assertThat(lied.probability("m7").orElseThrow()).isLessThan(0.02 + 0.3 * own);
    }
  }

  @Test
  void whateverALiarSaysOfOtherMachinesItsOneContainerWeighsOne() {
    MachineStatistics before = new MachineStatistics(MachineSettings.DEFAULT, 0);
    usual(before, 200);
    double p = before.probability().orElseThrow();
    Random random = new Random(4);
    for (int life = 0; life < 200; life++) {
      MachineStatistics lied = new MachineStatistics(MachineSettings.DEFAULT, 0);
      usual(lied, 200);
      ClaimLedger liar = new ClaimLedger();
      ended(liar, "m0", 1);
      ended(liar, "m1", random.nextInt(50));
      int judged = random.nextInt(1000);
      int outliers = random.nextInt(judged + 1);
      lied.observe(
          liar, Map.of("m0", Claim.ofAttempts(1, 1), "m1", Claim.ofAttempts(judged, outliers)));
      MachineSnapshot.Machine machine = lied.snapshot().machines().get(0);
      assertThat(machine.name()).isEqualTo("m0");
      double weight = machine.estimatorState().get(0); // log odds
      assertThat(weight).isLessThanOrEqualTo(Math.log(0.5 / p) + 0.01);
    }
  }

  @Test
  void outputsAreLostWhereTheyWereLostBefore() {
    Map<String, Claim> claims = new HashMap<>();
    for (int m = 0; m < 100; m++) {
      claims.put("m" + m, Claim.ofOutputs(100, m < 5 ? 2 : 0));
    }
    honest(statistics, claims);
    double cluster = 10 / 10_000.0;
    assertThat(statistics.lossProbability("new")).hasValue(cluster);
    assertThat(statistics.lossProbability("m0").orElseThrow())
        .isCloseTo(cluster * (0.235 + 2) / (0.235 + cluster * 100), within(1e-12));
    assertThat(statistics.lossProbability("m50").orElseThrow())
        .isCloseTo(cluster * 0.235 / (0.235 + 0.1), within(1e-12));
    assertThat(statistics.probability()).as("nothing was judged").isEmpty();
  }

  @Test
  void lossesAreRememberedForDaysAndOutliersForHours() {
    honest(statistics, Map.of("m", new Claim(100, 60, 200, 10), "n", new Claim(900, 9, 800, 0)));
    double losses = statistics.lossProbability("m").orElseThrow();
    double outliers = p("m");
    statistics.advance(1000 + Duration.ofDays(1).toSeconds());
    assertThat(statistics.lossProbability("m").orElseThrow())
        .isCloseTo(losses, within(0.1 * losses));
    assertThat(outliers).isGreaterThan(0.4);
    assertThat(p("m")).isLessThan(0.15);
  }

  @Test
  void whereNothingWasLostNothingIsExpectedToBe() {
    honest(statistics, Map.of("m", Claim.ofOutputs(100, 0)));
    assertThat(statistics.lossProbability("m")).hasValue(0);
  }

  @Test
  void machineNotHeardOfForLongIsForgotten() {
    usual(statistics, 3);
    double time = 1000;
    double end = time + MachineSettings.DEFAULT.forgetAfter().toSeconds() + 2 * WINDOW;
    while (time < end) {
      assertThat(statistics.figures()).hasSize(3);
      time += 86_400;
      honest(statistics, Map.of("m1", Claim.ofAttempts(1, 0)));
      statistics.advance(Math.min(time, end));
    }
    assertThat(statistics.figures()).extracting(MachineFigures::machine).containsExactly("m1");
  }

  @Test
  void figuresAreOfTheLastWholeWindow() {
    honest(statistics, Map.of("m", Claim.ofAttempts(30, 3), "n", Claim.ofAttempts(1, 1)));
    statistics.advance(1000 + 1.5 * WINDOW);
    honest(statistics, Map.of("m", Claim.ofAttempts(5, 0)));
    statistics.advance(1000 + 1.9 * WINDOW);
    assertThat(statistics.figures())
        .extracting(MachineFigures::machine, MachineFigures::attempts, MachineFigures::outliers)
        .containsExactly(tuple("m", 30, 3), tuple("n", 1, 1));
    assertThat(statistics.figures().get(0).probability()).isEqualTo(statistics.probability("m"));
    statistics.advance(1000 + 4 * WINDOW);
    assertThat(statistics.figures()).allMatch(f -> f.attempts() == 0 && f.outliers() == 0);
  }

  @Test
  void timeThatGoesBackChangesNothing() {
    usual(statistics, 3);
    MachineSnapshot before = statistics.snapshot();
    statistics.advance(0);
    statistics.advance(Double.NaN);
    assertThat(statistics.snapshot()).isEqualTo(before);
  }

  @Test
  void restartChangesNoAnswer() {
    MachineSettings settings = MachineSettings.DEFAULT;
    MachineStatistics first = new MachineStatistics(settings, 0);
    usual(first, 10);
    first.advance(WINDOW);
    honest(first, Map.of("m3", new Claim(4, 4, 100, 1)));
    MachineStatistics second = MachineStatistics.restore(settings, first.snapshot());
    assertThat(second.snapshot()).isEqualTo(first.snapshot());
    for (MachineStatistics s : List.of(first, second)) {
      s.advance(5 * WINDOW);
      honest(s, Map.of("m4", Claim.ofAttempts(3, 1)));
    }
    for (String machine : List.of("m3", "m4", "m5", "new")) {
      assertThat(second.probability(machine)).isEqualTo(first.probability(machine));
      assertThat(second.lossProbability(machine)).isEqualTo(first.lossProbability(machine));
    }
  }

  @Test
  void ofAnotherEstimatorTheClusterIsTakenOverAndNoEstimate() {
    usual(statistics, 10);
    honest(statistics, Map.of("m3", new Claim(9, 9, 100, 3)));
    MachineSnapshot own = statistics.snapshot();
    MachineStatistics other =
        MachineStatistics.restore(
            MachineSettings.DEFAULT,
            new MachineSnapshot(
                own.version(),
                "ANOTHER",
                own.at(),
                own.attempts(),
                own.outliers(),
                own.outputs(),
                own.lost(),
                own.machines()));
    assertThat(other.probability()).isEqualTo(statistics.probability());
    assertThat(other.probability("m3").orElseThrow())
        .isCloseTo(other.probability().orElseThrow(), within(1e-12));
    assertThat(other.lossProbability("m3")).isEqualTo(statistics.lossProbability("m3"));
  }

  @Test
  void damagedSnapshotIsRefusedWithOneClearError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MachineSnapshot(2, "MIXTURE", 0, 0, 0, 0, 0, List.of()))
        .withMessage("version must be 1, was 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MachineSnapshot(1, "MIXTURE", 0, 5, 6, 0, 0, List.of()))
        .withMessageContaining("outliers must lie between 0 and attempts (5.0), was 6.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MachineSnapshot(1, "MIXTURE", Double.NaN, 0, 0, 0, 0, List.of()))
        .withMessageContaining("time");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MachineSnapshot(1, null, 0, 0, 0, 0, 0, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new MachineSnapshot.Machine(
                    "m", 0, 0, 0, 1, Double.NaN, List.of(), null, null, null))
        .withMessageContaining("m: lost");
    MachineSnapshot.Machine short1 =
        new MachineSnapshot.Machine("m", 0, 0, 0, 0, 0, List.of(1.0), null, null, null);
    MachineSnapshot shortOne = new MachineSnapshot(1, "MIXTURE", 0, 0, 0, 0, 0, List.of(short1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MachineStatistics.restore(MachineSettings.DEFAULT, shortOne))
        .withMessageContaining("m: figures must be 3");
  }

  @Test
  void outcomeTouchesOneMachineOfManyAndAWindowsEndEachOnce() {
    List<String> touched = new ArrayList<>();
    MachineStatistics large =
        new MachineStatistics(
            MachineSettings.DEFAULT,
            0,
            () ->
                new OutlierEstimator() {
                  @Override
                  public void observe(AdmittedOutcomes outcomes, double p, double weight) {
                    touched.add(outcomes.machine());
                  }

                  @Override
                  public void windowsEnd(int windows, double p) {
                    touched.add("window");
                  }

                  @Override
                  public double probability(double p) {
                    touched.add("asked");
                    return p;
                  }

                  @Override
                  public double[] figures() {
                    return new double[0];
                  }

                  @Override
                  public void restore(double[] figures) {}
                });
    usual(large, 12_500);
    touched.clear();
    honest(large, Map.of("m17", Claim.ofAttempts(1, 0)));
    large.probability("m18");
    assertThat(touched).containsExactly("m17", "asked");
    touched.clear();
    large.advance(1000 * WINDOW);
    assertThat(touched).hasSize(12_500).containsOnly("window");
  }

  @Test
  void settingsOutOfRangeAreRefusedByName() {
    assertRefused("window", Duration.ofMillis(1), Duration.ofHours(1), 20, 2, 0.001);
    assertRefused("memory", Duration.ofHours(2), Duration.ofHours(1), 20, 2, 0.001);
    assertRefused("leastAttempts", Duration.ofHours(1), Duration.ofHours(1), 0, 2, 0.001);
    assertRefused("priorOutliers", Duration.ofHours(1), Duration.ofHours(1), 20, 0, 0.001);
    assertRefused("slowShare", Duration.ofHours(1), Duration.ofHours(1), 20, 2, 0.6);
  }

  private static void assertRefused(
      String name, Duration window, Duration memory, int least, double prior, double slow) {
    Duration day = Duration.ofDays(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MachineSettings(window, memory, day, day, day, least, prior, slow))
        .withMessageStartingWith(name);
  }
}
