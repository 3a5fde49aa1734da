// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.machine.MachineStatistics.WindowEvidence;
import io.drover.core.machine.Quarantine.Cause;
import io.drover.core.machine.Quarantine.Place;
import io.drover.core.machine.Quarantine.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class QuarantineTest {
  private static final double MINUTE = 60;
  private static final double HOUR = 3600;
  private static final OptionalDouble P = OptionalDouble.of(0.05);
  private static final QuarantineSettings SETTINGS = settings(0.02, 10);

  private final Quarantine quarantine = new Quarantine(SETTINGS);

  private static QuarantineSettings settings(double share, int least) {
    return new QuarantineSettings(
        0.4, Duration.ofMinutes(10), Duration.ofMinutes(30), Duration.ofHours(8), share, least);
  }

  private static Map<String, Place> machines(int count) {
    Map<String, Place> machines = new HashMap<>();
    for (int i = 0; i < count; i++) {
      machines.put("m" + i, new Place("", "/rack"));
    }
    return machines;
  }

  private static MachineFigures figures(String machine, double pm, int outliers, int attempts) {
    return new MachineFigures(
        machine,
        attempts,
        outliers,
        OptionalDouble.of(pm),
        OptionalDouble.empty(),
        new WindowEvidence(0, attempts, outliers, Set.of("ann", "bob")));
  }

  /** Returns the same figures, of the minute before a time. */
  private static List<MachineFigures> at(double now, List<MachineFigures> figures) {
    return figures.stream()
        .map(
            f ->
                with(
                    f,
                    new WindowEvidence(
                        now - MINUTE,
                        f.evidence().attempts(),
                        f.evidence().outliers(),
                        f.evidence().accusers())))
        .toList();
  }

  private static MachineFigures with(MachineFigures f, WindowEvidence evidence) {
    return new MachineFigures(
        f.machine(), f.attempts(), f.outliers(), f.probability(), f.lossProbability(), evidence);
  }

  private static List<Term> advance(
      Quarantine quarantine,
      double now,
      OptionalDouble p,
      List<MachineFigures> figures,
      Map<String, Place> cluster) {
    return quarantine.advance(now, p, at(now, figures), cluster);
  }

  private static MachineFigures bad(String machine) {
    return figures(machine, 0.48, 6, 10);
  }

  private static List<MachineFigures> bad(int count) {
    List<MachineFigures> bad = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      bad.add(bad("m" + i));
    }
    return bad;
  }

  /** Looks once a minute, as long as asked, at the same figures of a new window. */
  private List<Term> watch(
      double from, double seconds, List<MachineFigures> figures, Map<String, Place> cluster) {
    List<Term> begun = new ArrayList<>();
    for (double now = from; now <= from + seconds; now += MINUTE) {
      begun.addAll(advance(quarantine, now, P, figures, cluster));
    }
    return begun;
  }

  private Set<String> names(List<Term> terms) {
    return terms.stream().map(Term::machine).collect(Collectors.toSet());
  }

  @Test
  void machineIsQuarantinedOnceItHasBeenBadForTenMinutes() {
    assertThat(watch(0, 9 * MINUTE, bad(1), machines(20))).isEmpty();
    List<Term> begun = advance(quarantine, 10 * MINUTE, P, bad(1), machines(20));
    assertThat(begun).hasSize(1);
    Term term = begun.get(0);
    assertThat(term.machine()).isEqualTo("m0");
    assertThat(term.cause()).isEqualTo(Cause.STATISTICS);
    assertThat(term.until()).isEqualTo(40 * MINUTE);
    assertThat(term.why())
        .isEqualTo(
            "an attempt there is an outlier with probability 0.48, 9.6 times the cluster's 0.050;"
                + " in the last window 6 of 10 were");
    assertThat(quarantine.running(39 * MINUTE)).containsExactly(term);
    assertThat(quarantine.running(40 * MINUTE)).as("it ends by itself").isEmpty();
  }

  @Test
  void slowIsNotBadEnough() {
    assertThat(watch(0, HOUR, List.of(figures("m0", 0.39, 9, 10)), machines(20))).isEmpty();
  }

  @Test
  void noMachineIsToBlameWhereOutliersAreCommon() {
    double now = 0;
    for (; now <= HOUR; now += MINUTE) {
      OptionalDouble p = OptionalDouble.of(0.13); // four times that is 0.52
      assertThat(advance(quarantine, now, p, bad(1), machines(20))).isEmpty();
    }
    assertThat(advance(quarantine, now, OptionalDouble.empty(), bad(1), machines(20))).isEmpty();
  }

  @Test
  void onlyNewOutliersCount() {
    List<MachineFigures> silent = List.of(figures("m0", 0.48, 0, 0));
    assertThat(watch(0, 10 * HOUR, silent, machines(20))).isEmpty();
    watch(10 * HOUR, 5 * MINUTE, bad(1), machines(20));
    assertThat(watch(10 * HOUR + 6 * MINUTE, HOUR, silent, machines(20))).isEmpty();
    assertThat(advance(quarantine, 12 * HOUR, P, bad(1), machines(20)))
        .as("a window without attempts does not clear a machine")
        .hasSize(1);
  }

  @Test
  void goodWindowStartsTheTimeAgain() {
    watch(0, 9 * MINUTE, bad(1), machines(20));
    advance(quarantine, 9 * MINUTE + 30, P, List.of(figures("m0", 0.45, 3, 10)), machines(20));
    assertThat(watch(10 * MINUTE, 9 * MINUTE, bad(1), machines(20))).isEmpty();
    assertThat(advance(quarantine, 20 * MINUTE, P, bad(1), machines(20))).hasSize(1);
  }

  @Test
  void nextQuarantinesLastTwiceAsLongUpToEightHours() {
    List<Double> minutes = new ArrayList<>();
    double now = 0;
    while (minutes.size() < 7) {
      for (Term term : advance(quarantine, now, P, bad(1), machines(20))) {
        minutes.add((term.until() - term.since()) / MINUTE);
      }
      now += MINUTE;
    }
    assertThat(minutes).containsExactly(30.0, 60.0, 120.0, 240.0, 480.0, 480.0, 480.0);
  }

  @Test
  void machineThatStaysGoodStartsAgainWithTheShortestTime() {
    watch(0, 10 * MINUTE, bad(1), machines(20));
    double forgotten = 40 * MINUTE + 8 * HOUR;
    advance(quarantine, forgotten, P, List.of(), machines(20));
    assertThat(quarantine.terms()).isEmpty();
    List<Term> again = watch(forgotten, 10 * MINUTE, bad(1), machines(20));
    assertThat(again).hasSize(1);
    assertThat(again.get(0).times()).isEqualTo(1);
  }

  @Test
  void liftedMachineGetsAWholeNewChance() {
    watch(0, 10 * MINUTE, bad(1), machines(20));
    assertThat(quarantine.lift("m0", 12 * MINUTE)).isTrue();
    assertThat(quarantine.running(12 * MINUTE)).isEmpty();
    assertThat(quarantine.lift("m0", 12 * MINUTE)).isFalse();
    List<Term> again = watch(13 * MINUTE, 10 * MINUTE, bad(1), machines(20));
    assertThat(again).hasSize(1);
    assertThat(again.get(0).since()).isEqualTo(23 * MINUTE);
    assertThat(again.get(0).times()).isEqualTo(1);
  }

  @Test
  void atMostTheShareIsQuarantinedTheWorstFirst() {
    List<MachineFigures> figures = new ArrayList<>(bad(20));
    figures.add(figures("m50", 0.5, 9, 10));
    figures.add(figures("m60", 0.49, 9, 10));
    List<Term> begun = watch(0, 39 * MINUTE, figures, machines(149));
    assertThat(begun).extracting(Term::machine).containsExactly("m50", "m60");
    assertThat(quarantine.running(30 * MINUTE)).as("2 % of 149").hasSize(2);
  }

  @Test
  void oneMachineMayBeQuarantinedInASmallClusterAndNoneInAVerySmallOne() {
    watch(0, 30 * MINUTE, bad(5), machines(10));
    assertThat(quarantine.running(30 * MINUTE)).hasSize(1);
    assertThat(new QuarantineTest().watch(0, 30 * MINUTE, bad(5), machines(9))).isEmpty();
  }

  @Test
  void smallPartitionKeepsItsMachines() {
    Map<String, Place> cluster = machines(200);
    for (int i = 0; i < 9; i++) {
      cluster.put("m" + i, new Place("gpu", "/rack"));
    }
    assertThat(watch(0, 30 * MINUTE, bad(9), cluster)).isEmpty();
    cluster.put("m9", new Place("gpu", "/rack"));
    assertThat(watch(HOUR, 30 * MINUTE - 1, bad(9), cluster)).hasSize(1);
  }

  @Test
  void rackOfOneMachineKeepsIt() {
    Map<String, Place> cluster = machines(50);
    cluster.put("m0", new Place("", "/rack0"));
    assertThat(watch(0, 30 * MINUTE, bad(1), cluster)).isEmpty();
    assertThat(quarantine.add("m0", 0, Duration.ofHours(1), "disk", cluster)).isPresent();
    assertThat(quarantine.terms()).isEmpty();
  }

  @Test
  void operatorMayQuarantineUpToHalfOfTheMachines() {
    Map<String, Place> cluster = machines(4);
    assertThat(quarantine.add("m0", 5, Duration.ofHours(1), "disk", cluster)).isEmpty();
    assertThat(quarantine.add("m1", 6, Duration.ofHours(1), "disk", cluster)).isEmpty();
    assertThat(quarantine.add("m2", 7, Duration.ofHours(1), "disk", cluster))
        .hasValueSatisfying(why -> assertThat(why).contains("more than half"));
    assertThat(quarantine.add("other", 8, Duration.ofHours(1), "disk", cluster))
        .contains("the cluster has no machine 'other'");
    assertThat(names(quarantine.effective(9, cluster))).containsExactlyInAnyOrder("m0", "m1");
    assertThat(quarantine.running(9).get(0).cause()).isEqualTo(Cause.OPERATOR);
    assertThat(quarantine.running(5 + HOUR)).extracting(Term::machine).containsExactly("m1");
  }

  @Test
  void quarantineDoesNotCountWhileTooFewMachinesAreLeft() {
    Map<String, Place> cluster = machines(8);
    for (int i = 0; i < 4; i++) {
      assertThat(quarantine.add("m" + i, i, Duration.ofHours(1), "disk", cluster)).isEmpty();
    }
    Map<String, Place> few = new HashMap<>(cluster);
    few.keySet().removeAll(Set.of("m6", "m7"));
    assertThat(names(quarantine.effective(9, few))).containsExactlyInAnyOrder("m0", "m1", "m2");
    assertThat(quarantine.effective(9, Map.of())).isEmpty();
    assertThat(quarantine.effective(9, cluster)).as("they are back").hasSize(4);
  }

  @Test
  void whatIsKeptOutlivesARestart() {
    watch(0, 10 * MINUTE, bad(1), machines(20));
    Quarantine next = new Quarantine(SETTINGS);
    next.restore(quarantine.terms(), 0);
    assertThat(next.running(39 * MINUTE)).isEqualTo(quarantine.running(39 * MINUTE));
    assertThat(next.running(39 * MINUTE)).hasSize(1);
    double now = 41 * MINUTE;
    List<Term> begun = List.of();
    while (begun.isEmpty()) {
      begun = advance(next, now, P, bad(1), machines(20));
      now += MINUTE;
    }
    assertThat(begun.get(0).times()).isEqualTo(2);
  }

  /** A window may be a day long. */
  @Test
  void oneWindowAloneQuarantinesNoMachine() {
    List<MachineFigures> old = at(MINUTE, bad(1));
    for (double now = MINUTE; now < HOUR; now += MINUTE) {
      assertThat(quarantine.advance(now, P, old, machines(20))).isEmpty();
    }
    assertThat(quarantine.advance(HOUR, P, at(HOUR, bad(1)), machines(20))).hasSize(1);
    List<MachineFigures> before = at(HOUR, bad(1));
    List<MachineFigures> during = at(HOUR + 20 * MINUTE, bad(1));
    for (double now = HOUR; now < 10 * HOUR; now += MINUTE) {
      List<MachineFigures> known = now < 5 * HOUR ? before : during;
      assertThat(quarantine.advance(now, P, known, machines(20))).as("at %s", now).isEmpty();
    }
  }

  /** What a user reports without weight moves nothing, and what one user reports is not enough. */
  @Test
  void oneUserAloneDoesNotProlongAQuarantine() {
    MachineFigures loud = figures("m0", 0.48, 9, 10);
    MachineFigures fine = with(loud, new WindowEvidence(0, 4, 0.1, Set.of("ann", "bob")));
    MachineFigures alone = with(loud, new WindowEvidence(0, 0.01, 0.01, Set.of("ann")));
    assertThat(watch(0, HOUR, List.of(fine), machines(20))).isEmpty();
    assertThat(watch(2 * HOUR, HOUR, List.of(alone), machines(20))).isEmpty();
    MachineFigures other = with(loud, new WindowEvidence(0, 1, 1, Set.of("bob")));
    assertThat(watch(4 * HOUR, MINUTE, List.of(other), machines(20))).hasSize(1);
    MachineFigures trusted =
        with(loud, new WindowEvidence(0, 10, 9, Set.of(WindowEvidence.TRUSTED)));
    assertThat(watch(8 * HOUR, 20 * MINUTE, List.of(trusted), machines(20))).hasSize(1);
  }

  @Test
  void quarantineKeepsWhatIsLeftWhenTheClockIsSet() {
    Map<String, Place> cluster = machines(20);
    assertThat(quarantine.add("m1", 100, Duration.ofHours(1), "disk", cluster)).isEmpty();
    quarantine.clockSet(-50);
    Term kept = new Term("m2", Cause.OPERATOR, 5000, 9000, 3, "fan");
    quarantine.restore(List.of(kept), -7000);
    assertThat(quarantine.running(60)).extracting(Term::until).containsExactly(50 + HOUR, 2000.0);
    assertThat(quarantine.running(60).get(1).times()).isEqualTo(3);
  }

  @Test
  void nothingIsForgottenOfAMachineThatIsNotQuarantined() {
    watch(0, 10 * MINUTE, bad(1), machines(20));
    assertThat(quarantine.lift("m0", HOUR)).isFalse();
    assertThat(quarantine.terms()).hasSize(1);
  }

  @Test
  void neverMoreThanIsAllowedWhateverComes() {
    Random random = new Random(7);
    for (int run = 0; run < 50; run++) {
      Quarantine any = new Quarantine(settings(0.1, 5));
      Map<String, Place> all = new HashMap<>();
      for (int i = 0; i < 5 + random.nextInt(60); i++) {
        all.put("m" + i, new Place("p" + random.nextInt(3), "/r" + random.nextInt(5)));
      }
      for (double now = 0; now < 24 * HOUR; now += 5 * MINUTE) {
        List<MachineFigures> figures = new ArrayList<>();
        all.keySet().forEach(m -> figures.add(figures(m, random.nextDouble() / 2, 5, 10)));
        advance(any, now, P, figures, all);
        if (random.nextInt(20) == 0) {
          any.add("m" + random.nextInt(all.size()), now, Duration.ofHours(1), "x", all);
        }
        List<Term> running = any.running(now);
        long ours = running.stream().filter(t -> t.cause() == Cause.STATISTICS).count();
        assertThat(ours).isLessThanOrEqualTo(Math.max(1, all.size() / 10));
        Map<String, Long> out =
            any.effective(now, all).stream()
                .collect(Collectors.groupingBy(t -> rack(all, t), Collectors.counting()));
        out.forEach(
            (rack, count) -> {
              long size = all.values().stream().filter(p -> p.rack().equals(rack)).count();
              assertThat(2 * count).isLessThanOrEqualTo(size);
            });
      }
    }
  }

  private static String rack(Map<String, Place> all, Term term) {
    return all.get(term.machine()).rack();
  }

  @Test
  void termsOfAStoreAreChecked() {
    assertThatThrownBy(() -> new Term("m", Cause.OPERATOR, 2, 1, 1, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Term("m", Cause.OPERATOR, 0, Double.NaN, 1, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Term("m", Cause.OPERATOR, 0, 1, 0, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Term(null, Cause.OPERATOR, 0, 1, 1, "x"))
        .isInstanceOf(NullPointerException.class);
  }
}
