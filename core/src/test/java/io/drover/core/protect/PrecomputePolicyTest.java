// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drover.core.protect.PrecomputePolicy.Doubts;
import io.drover.core.protect.Protection.Figure;
import io.drover.core.protect.ProtectionRule.Action;
import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PrecomputePolicyTest {
  private static final double WINDOW = 300;

  private final PrecomputePolicy precompute = new PrecomputePolicy(ProtectSettings.DEFAULT);
  private final PrecomputeBudget budget = new PrecomputeBudget(ProtectSettings.DEFAULT);

  private static KeptOutput unread(String task, double own, double wait, String... machines) {
    return new KeptOutput(task, List.of(machines), 1000, true, new RecomputationTime(own, wait));
  }

  private static Doubts silent(double seconds) {
    return new Doubts(Map.of("gone", seconds), Map.of());
  }

  private void makeSuspect(String machine, double at) {
    precompute.recomputed(machine, at);
    precompute.recomputed(machine, at);
  }

  private static List<String> recomputed(List<Protection> decisions) {
    return decisions.stream()
        .filter(d -> d.action() == Action.RECOMPUTE)
        .map(d -> d.output().task())
        .toList();
  }

  @Test
  void twoRecomputationsWithinTheWindowMakeAMachineSuspect() {
    precompute.recomputed("a", 100);
    assertThat(precompute.isSuspect("a", 100)).isFalse();
    precompute.recomputed("a", 399);
    assertThat(precompute.isSuspect("a", 399)).isTrue();
    assertThat(precompute.recomputations("a", 399)).isEqualTo(2);
    assertThat(precompute.suspects(399)).containsExactly("a");
  }

  @Test
  void suspicionEndsWithTheWindow() {
    precompute.recomputed("a", 100);
    precompute.recomputed("a", 399);
    assertThat(precompute.isSuspect("a", 399.9)).isTrue();
    assertThat(precompute.isSuspect("a", 400)).isFalse();
    precompute.recomputed("a", 450);
    assertThat(precompute.isSuspect("a", 450)).isTrue();
    assertThat(precompute.suspects(700)).isEmpty();
  }

  @Test
  void recomputationsOnDifferentMachinesDoNotAddUp() {
    precompute.recomputed("a", 1);
    precompute.recomputed("b", 1);
    assertThat(precompute.suspects(1)).isEmpty();
    assertThat(precompute.isSuspect("never heard of", 1)).isFalse();
  }

  @Test
  void eventsMayComeLateAndDoNotCountBeforeTheyHappen() {
    precompute.recomputed("a", 200);
    precompute.recomputed("a", 100);
    assertThat(precompute.isSuspect("a", 200)).isTrue();
    assertThat(precompute.isSuspect("a", 150)).isFalse();
  }

  @Test
  void thresholdOfOneSuspectsAtOnce() {
    PrecomputePolicy hasty = new PrecomputePolicy(ProtectSettings.DEFAULT.suspectAfter(1));
    hasty.recomputed("a", 1);
    assertThat(hasty.suspects(1)).containsExactly("a");
  }

  @Test
  void unreadOutputsOfASuspectMachineAreMadeAgainLongestFirst() {
    makeSuspect("bad", 10);
    budget.grant(10_000);
    List<Protection> decisions =
        precompute.decide(
            List.of(
                unread("short", 20, 0, "bad"),
                unread("elsewhere", 90, 0, "good"),
                unread("long", 30, 50, "bad"),
                unread("middle", 40, 0, "bad")),
            budget,
            10);
    assertThat(recomputed(decisions)).containsExactly("long", "middle", "short");
    assertThat(decisions).hasSize(3);
    assertThat(budget.leftSeconds()).isEqualTo(500 - (30 + 40 + 20));
    assertThat(decisions.get(0).budgetLeft()).isEqualTo(500 - 30);
  }

  @Test
  void outputWithACopyOnAnotherMachineIsNotMadeAgain() {
    makeSuspect("bad", 10);
    budget.grant(10_000);
    assertThat(precompute.decide(List.of(unread("m", 20, 0, "bad", "good")), budget, 10)).isEmpty();
    makeSuspect("good", 11);
    assertThat(
            recomputed(precompute.decide(List.of(unread("m", 20, 0, "bad", "good")), budget, 11)))
        .containsExactly("m");
  }

  @Test
  void whatAllHaveReadIsNotMadeAgain() {
    makeSuspect("bad", 10);
    budget.grant(10_000);
    KeptOutput read =
        new KeptOutput("m", List.of("bad"), 1000, false, RecomputationTime.ofSource(20));
    assertThat(precompute.decide(List.of(read), budget, 10))
        .singleElement()
        .satisfies(d -> assertThat(d.rule()).isEqualTo(ProtectionRule.READ_BY_ALL));
    assertThat(budget.leftSeconds()).isEqualTo(500);
  }

  @Test
  void whatDoesNotFitTheBudgetIsPassedOverForWhatDoes() {
    makeSuspect("bad", 10);
    budget.grant(1000); // 50 s
    List<Protection> decisions =
        precompute.decide(
            List.of(
                unread("20 s", 20, 0, "bad"),
                unread("60 s", 60, 0, "bad"),
                unread("40 s", 40, 0, "bad"),
                unread("10 s", 10, 0, "bad")),
            budget,
            10);
    assertThat(recomputed(decisions)).containsExactly("40 s", "10 s");
    assertThat(decisions.get(0).rule()).isEqualTo(ProtectionRule.NO_EXTRA_TIME);
    assertThat(budget.leftSeconds()).isZero();
  }

  @Test
  void outputsOfASilentMachineAreMadeAgainWithinTheBudget() {
    budget.grant(1000); // 50 s
    List<Protection> decisions =
        precompute.decide(
            List.of(unread("30 s", 30, 0, "gone"), unread("40 s", 40, 0, "gone")),
            budget,
            silent(8.0),
            0,
            10);
    assertThat(recomputed(decisions)).containsExactly("40 s");
    assertThat(decisions.get(0).rule()).isEqualTo(ProtectionRule.MACHINE_SILENT);
    assertThat(decisions.get(0).figure(Figure.SILENT_SECONDS)).hasValue(8);
    assertThat(decisions.get(1).rule()).isEqualTo(ProtectionRule.NO_EXTRA_TIME);
  }

  @Test
  void beyondTheBudgetTheyAreWhenTheSilenceHasLastedAsLongAsTheTask() {
    List<KeptOutput> outputs =
        List.of(unread("30 s", 30, 0, "gone"), unread("40 s", 40, 0, "gone"));
    assertThat(recomputed(precompute.decide(outputs, budget, silent(29.0), 0, 10))).isEmpty();
    assertThat(recomputed(precompute.decide(outputs, budget, silent(31.0), 0, 12)))
        .containsExactly("30 s");
    assertThat(budget.leftSeconds()).as("nothing was granted or spent").isZero();
  }

  @Test
  void freeSlotsAreUsedBeforeTheBudget() {
    budget.grant(1000); // 50 s
    List<KeptOutput> outputs =
        List.of(
            unread("10 s", 10, 0, "gone"),
            unread("30 s", 30, 0, "gone"),
            unread("35 s", 35, 0, "gone"),
            unread("40 s", 40, 0, "gone"));
    List<Protection> decisions = precompute.decide(outputs, budget, silent(8.0), 2, 10);
    assertThat(recomputed(decisions)).containsExactly("40 s", "35 s", "30 s", "10 s");
    assertThat(budget.leftSeconds()).isEqualTo(50 - 40);
    makeSuspect("gone", 10);
    Doubts none = Doubts.NONE;
    assertThat(recomputed(precompute.decide(outputs.subList(0, 1), budget, none, 0, 10)))
        .as("a suspect machine is no reason to take a slot from others")
        .isEmpty();
    assertThat(recomputed(precompute.decide(outputs.subList(0, 1), budget, none, 1, 10)))
        .containsExactly("10 s");
    KeptOutput read = new KeptOutput("m", List.of("gone"), 1, false, RecomputationTime.ofSource(1));
    assertThat(precompute.decide(List.of(read), budget, silent(8.0), 5, 10))
        .singleElement()
        .satisfies(d -> assertThat(d.rule()).isEqualTo(ProtectionRule.READ_BY_ALL));
  }

  @Test
  void outputWithACopyOnAMachineThatAnswersIsNotMadeAgain() {
    KeptOutput output = unread("m", 1, 0, "gone", "other");
    assertThat(precompute.decide(List.of(output), budget, silent(60.0), 0, 10)).isEmpty();
    Doubts both = new Doubts(Map.of("gone", 60.0, "other", 20.0), Map.of());
    assertThat(precompute.decide(List.of(output), budget, both, 0, 10))
        .singleElement()
        .satisfies(
            decision -> {
              assertThat(decision.rule()).isEqualTo(ProtectionRule.MACHINE_SILENT);
              assertThat(decision.figure(Figure.SILENT_SECONDS)).hasValue(20);
              assertThat(decision.explain())
                  .isEqualTo(
                      "RECOMPUTE m on gone, other: its machine does not answer those who want to"
                          + " read it, and a task still has to; t_redo 1.0 s, silent for 20.0 s,"
                          + " 1000 bytes; 0.0 s of re-runs left");
            });
  }

  @Test
  void outputOnASilentAndASuspectMachineIsSuspect() {
    makeSuspect("bad", 10);
    budget.grant(1000);
    List<Protection> decisions =
        precompute.decide(List.of(unread("m", 20, 0, "bad", "gone")), budget, silent(60.0), 1, 10);
    assertThat(decisions)
        .singleElement()
        .extracting(Protection::rule)
        .isEqualTo(ProtectionRule.MACHINE_SUSPECT);
    assertThat(decisions.get(0).figure(Figure.RECOMPUTATIONS)).hasValue(2);
  }

  @Test
  void outputsThatCrawlAreMadeAgainWhereThatIsTwiceAsFast() {
    List<KeptOutput> outputs =
        List.of(unread("a", 10, 0, "slow"), unread("b", 10, 0, "slow"), unread("c", 10, 0, "ok"));
    Doubts crawling = new Doubts(Map.of(), Map.of("slow", 41.0));
    assertThat(precompute.decide(outputs, budget, crawling, 1, 10))
        .as("two turns of 10 s on one slot")
        .extracting(Protection::rule)
        .containsExactly(ProtectionRule.MACHINE_CRAWLS, ProtectionRule.NO_EXTRA_TIME);
    assertThat(recomputed(precompute.decide(outputs, budget, crawling, 2, 10)))
        .containsExactly("a", "b");
    Doubts less = new Doubts(Map.of(), Map.of("slow", 39.0));
    List<Protection> left = precompute.decide(outputs, budget, less, 1, 10);
    assertThat(left).extracting(Protection::rule).containsOnly(ProtectionRule.FETCHING_IS_FASTER);
    assertThat(left.get(0).explain())
        .isEqualTo(
            "LEAVE a on slow: it comes slowly, but to make it again is not expected to be twice as"
                + " fast; t_redo 10.0 s, t_fetch 39.0 s, 1000 bytes; 0.0 s of re-runs left");
  }

  @Test
  void decisionExplainsItselfInOneSentence() {
    makeSuspect("bad", 10);
    budget.grant(1000);
    assertThat(precompute.decide(List.of(unread("m_3", 20, 5, "bad")), budget, 10).get(0).explain())
        .isEqualTo(
            "RECOMPUTE m_3 on bad: its machine has lost so many outputs lately that this one is"
                + " probably lost too, and a task still has to read it; t_redo 25.0 s,"
                + " recomputations 2, 1000 bytes; 30.0 s of re-runs left");
  }

  /** Compares random failures and candidates with the plain rule on the list of all events. */
  @Test
  void randomSequencesKeepAllInvariants() {
    Random random = new Random(6);
    for (int job = 0; job < 50; job++) {
      PrecomputePolicy policy = new PrecomputePolicy(ProtectSettings.DEFAULT);
      PrecomputeBudget seconds = new PrecomputeBudget(ProtectSettings.DEFAULT);
      List<Event> events = new ArrayList<>();
      double now = 0;
      for (int step = 0; step < 60; step++) {
        now += random.nextDouble() * 60;
        String machine = "m" + random.nextInt(5);
        policy.recomputed(machine, now);
        events.add(new Event(machine, now));
        seconds.grant(random.nextDouble() * 1000);
        double left = seconds.leftSeconds();
        List<KeptOutput> outputs = outputs(random);
        List<Protection> decisions = policy.decide(outputs, seconds, now);
        verify(outputs, decisions, suspects(events, now), left);
        assertThat(policy.suspects(now)).isEqualTo(suspects(events, now));
        assertThat(seconds.leftSeconds()).isGreaterThanOrEqualTo(0);
      }
    }
  }

  private record Event(String machine, double at) {}

  private static Set<String> suspects(List<Event> events, double now) {
    Set<String> suspects = new HashSet<>();
    for (Event event : events) {
      List<Event> within =
          events.stream()
              .filter(e -> e.machine().equals(event.machine()) && e.at() > now - WINDOW)
              .toList();
      if (within.size() >= 2) {
        suspects.add(event.machine());
      }
    }
    return suspects;
  }

  private static List<KeptOutput> outputs(Random random) {
    List<KeptOutput> outputs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      List<String> machines = new ArrayList<>(List.of("m" + random.nextInt(5)));
      if (random.nextInt(4) == 0) {
        machines.add("m" + random.nextInt(5));
      }
      RecomputationTime redo =
          new RecomputationTime(random.nextDouble() * 60, random.nextDouble() * 60);
      outputs.add(new KeptOutput("t" + i, machines, 10, random.nextInt(4) > 0, redo));
    }
    return outputs;
  }

  private static void verify(
      List<KeptOutput> outputs, List<Protection> decisions, Set<String> suspects, double left) {
    Set<String> expected = new HashSet<>();
    outputs.stream()
        .filter(o -> suspects.containsAll(o.machines()))
        .forEach(o -> expected.add(o.task()));
    List<String> decided = decisions.stream().map(d -> d.output().task()).toList();
    assertThat(decided).containsExactlyInAnyOrderElementsOf(expected);
    List<Double> redo = decisions.stream().map(d -> d.output().redo().seconds()).toList();
    assertThat(redo).isSortedAccordingTo(Collections.reverseOrder());
    double remaining = left;
    for (Protection decision : decisions) {
      double own = decision.output().redo().ownSeconds();
      assertThat(decision.figure(Figure.RECOMPUTATIONS).getAsDouble()).isGreaterThanOrEqualTo(2);
      if (decision.action() == Action.RECOMPUTE) {
        assertThat(decision.output().unread()).isTrue();
        remaining -= own;
      } else if (decision.rule() == ProtectionRule.NO_EXTRA_TIME) {
        assertThat(own).isGreaterThan(remaining - 1e-9);
      } else {
        assertThat(decision.output().unread()).isFalse();
      }
      assertThat(remaining).isGreaterThanOrEqualTo(-1e-9);
    }
  }

  @Test
  void nonsenseIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> precompute.recomputed("a", Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> precompute.recomputed("a", Double.POSITIVE_INFINITY));
  }
}
