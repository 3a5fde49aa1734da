// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.machine.MachineStatistics.MachineFigures;
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
        machine, attempts, outliers, OptionalDouble.of(pm), OptionalDouble.empty());
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

  /** Looks once a minute, as long as asked, at the same figures. */
  private List<Term> watch(
      double from, double seconds, List<MachineFigures> figures, Map<String, Place> cluster) {
    List<Term> begun = new ArrayList<>();
    for (double now = from; now <= from + seconds; now += MINUTE) {
      begun.addAll(quarantine.advance(now, P, figures, cluster));
    }
    return begun;
  }

  private Set<String> names(List<Term> terms) {
    return terms.stream().map(Term::machine).collect(Collectors.toSet());
  }

  @Test
  void machineIsQuarantinedOnceItHasBeenBadForTenMinutes() {
    assertThat(watch(0, 9 * MINUTE, bad(1), machines(20))).isEmpty();
    List<Term> begun = quarantine.advance(10 * MINUTE, P, bad(1), machines(20));
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
      assertThat(quarantine.advance(now, p, bad(1), machines(20))).isEmpty();
    }
    assertThat(quarantine.advance(now, OptionalDouble.empty(), bad(1), machines(20))).isEmpty();
  }

  @Test
  void onlyNewOutliersCount() {
    List<MachineFigures> silent = List.of(figures("m0", 0.48, 0, 0));
    assertThat(watch(0, 10 * HOUR, silent, machines(20))).isEmpty();
    watch(10 * HOUR, 5 * MINUTE, bad(1), machines(20));
    assertThat(watch(10 * HOUR + 6 * MINUTE, HOUR, silent, machines(20))).isEmpty();
    assertThat(quarantine.advance(12 * HOUR, P, bad(1), machines(20)))
        .as("a window without attempts does not clear a machine")
        .hasSize(1);
  }

  @Test
  void goodWindowStartsTheTimeAgain() {
    watch(0, 9 * MINUTE, bad(1), machines(20));
    quarantine.advance(9 * MINUTE + 30, P, List.of(figures("m0", 0.45, 3, 10)), machines(20));
    assertThat(watch(10 * MINUTE, 9 * MINUTE, bad(1), machines(20))).isEmpty();
    assertThat(quarantine.advance(20 * MINUTE, P, bad(1), machines(20))).hasSize(1);
  }

  @Test
  void nextQuarantinesLastTwiceAsLongUpToEightHours() {
    List<Double> minutes = new ArrayList<>();
    double now = 0;
    while (minutes.size() < 7) {
      for (Term term : quarantine.advance(now, P, bad(1), machines(20))) {
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
    quarantine.advance(forgotten, P, List.of(), machines(20));
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
    next.restore(quarantine.terms());
    assertThat(next.running(39 * MINUTE)).isEqualTo(quarantine.running(39 * MINUTE));
    assertThat(next.running(39 * MINUTE)).hasSize(1);
    double now = 41 * MINUTE;
    List<Term> begun = List.of();
    while (begun.isEmpty()) {
      begun = next.advance(now, P, bad(1), machines(20));
      now += MINUTE;
    }
    assertThat(begun.get(0).times()).isEqualTo(2);
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
        any.advance(now, P, figures, all);
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
