// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.protect.Protection.Figure;
import io.drover.core.protect.ProtectionRule.Action;
import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicationPolicyTest {
  private static final OptionalDouble RATE = OptionalDouble.of(100e6);
  private static final long MB = 1_000_000;

  private final Map<String, Double> loss = Map.of("sound", 0.001, "flaky", 0.1, "safe", 0.0);
  private final ReplicationPolicy policy =
      new ReplicationPolicy(
          machine ->
              loss.containsKey(machine)
                  ? OptionalDouble.of(loss.get(machine))
                  : OptionalDouble.empty());
  private final ReplicationBudget budget = new ReplicationBudget(ProtectSettings.DEFAULT);

  private static KeptOutput output(long bytes, double seconds, String... machines) {
    return new KeptOutput(
        "m_7", List.of(machines), bytes, true, RecomputationTime.ofSource(seconds));
  }

  private Protection decide(KeptOutput output) {
    return policy.decide(output, RATE, budget, 5);
  }

  @Test
  void replicatesWhereTheExpectedRedoTakesLongerThanTheCopy() {
    budget.grant(10_000 * MB);
    Protection flaky = decide(output(100 * MB, 20, "flaky"));
    assertThat(flaky.rule()).isEqualTo(ProtectionRule.REPLICATION_PAYS);
    assertThat(flaky.action()).isEqualTo(Action.REPLICATE);
    assertThat(flaky.expectedRedoSeconds()).hasValue(2);
    assertThat(flaky.figure(Figure.REPLICATE_SECONDS)).hasValue(1);
    assertThat(flaky.budgetLeft()).isEqualTo(900e6);
    assertThat(flaky.at()).isEqualTo(5);
    assertThat(budget.leftBytes()).isEqualTo(900 * MB);
  }

  @Test
  void theTimeToRepeatAloneIsNotWhatIsCompared() {
    budget.grant(10_000 * MB);
    Protection sound = decide(output(100 * MB, 20, "sound")); // 20 s > 1 s, but 0.02 s < 1 s
    assertThat(sound.rule()).isEqualTo(ProtectionRule.REDO_IS_CHEAPER);
    assertThat(budget.leftBytes()).isEqualTo(1000 * MB);
  }

  private double gain(long bytes, double seconds, String machine, OptionalDouble rate) {
    return policy.gainSeconds(List.of(machine), bytes, RecomputationTime.ofSource(seconds), rate);
  }

  @Test
  void gainIsWhatTheDecisionComparesAndSpendsNothing() {
    budget.grant(10_000 * MB);
    assertThat(gain(100 * MB, 20, "flaky", RATE)).isEqualTo(1);
    assertThat(gain(100 * MB, 10, "flaky", RATE)).isZero();
    assertThat(gain(100 * MB, 20, "sound", RATE)).isNegative();
    assertThat(gain(MB, 20, "new", RATE)).isNegative();
    assertThat(gain(MB, 20, "flaky", OptionalDouble.empty())).isNegative();
    assertThat(budget.leftBytes()).isEqualTo(1000 * MB);
  }

  @Test
  void equalTimesAreNoReasonToCopy() {
    budget.grant(10_000 * MB);
    assertThat(decide(output(100 * MB, 10, "flaky")).rule())
        .isEqualTo(ProtectionRule.REDO_IS_CHEAPER);
  }

  @Test
  void replicatesOnSoundMachinesWhatIsSmallOrHasMuchUnprotectedBehindIt() {
    budget.grant(10_000 * MB);
    assertThat(decide(output(MB, 20, "sound")).action()).isEqualTo(Action.REPLICATE);
    RecomputationTime deep = new RecomputationTime(20, 0.2 * 9000);
    KeptOutput last = new KeptOutput("r_1", List.of("sound"), 100 * MB, true, deep);
    assertThat(decide(last).action()).isEqualTo(Action.REPLICATE);
    assertThat(decide(output(0, 20, "sound")).action()).isEqualTo(Action.REPLICATE);
  }

  @Test
  void whatIsNotKnownIsLeftAlone() {
    budget.grant(10_000 * MB);
    Protection unheard = decide(output(MB, 1000, "unheard of"));
    assertThat(unheard.rule()).isEqualTo(ProtectionRule.LOSS_UNKNOWN);
    assertThat(unheard.action()).isEqualTo(Action.LEAVE);
    assertThat(unheard.expectedRedoSeconds()).isEmpty();
    assertThat(decide(output(MB, 1000, "flaky", "unheard of")).rule())
        .isEqualTo(ProtectionRule.LOSS_UNKNOWN);
    Protection narrow = policy.decide(output(MB, 1000, "flaky"), OptionalDouble.empty(), budget, 0);
    assertThat(narrow.rule()).isEqualTo(ProtectionRule.BANDWIDTH_UNKNOWN);
    assertThat(budget.leftBytes()).isEqualTo(1000 * MB);
  }

  @Test
  void whatAllHaveReadOrNobodyCanLoseIsLeftAlone() {
    budget.grant(10_000 * MB);
    KeptOutput read =
        new KeptOutput("m", List.of("flaky"), MB, false, RecomputationTime.ofSource(1000));
    assertThat(decide(read).rule()).isEqualTo(ProtectionRule.READ_BY_ALL);
    assertThat(decide(output(0, 1000, "safe")).rule()).isEqualTo(ProtectionRule.REDO_IS_CHEAPER);
  }

  @Test
  void replicasMultiplyTheLossSoThatAnotherHardlyEverPays() {
    budget.grant(10_000 * MB);
    Protection first = decide(output(100 * MB, 50, "flaky"));
    Protection again = decide(output(100 * MB, 50, "flaky", "sound"));
    assertThat(first.action()).isEqualTo(Action.REPLICATE);
    assertThat(again.figure(Figure.LOSS).getAsDouble()).isCloseTo(1e-4, within(1e-15));
    assertThat(again.rule()).isEqualTo(ProtectionRule.REDO_IS_CHEAPER);
  }

  @Test
  void pathToAnotherRackMustPayByItsOwnBandwidth() {
    budget.grant(10_000 * MB);
    KeptOutput output = output(100 * MB, 20, "flaky");
    assertThat(policy.decide(output, OptionalDouble.of(40e6), budget, 0).rule())
        .isEqualTo(ProtectionRule.REDO_IS_CHEAPER);
  }

  @Test
  void withoutAsManyTokensNothingIsCopiedAndSmallerOutputsMayStill() {
    budget.grant(1000 * MB);
    assertThat(decide(output(60 * MB, 100, "flaky")).action()).isEqualTo(Action.REPLICATE);
    Protection second = decide(output(60 * MB, 100, "flaky"));
    assertThat(second.rule()).isEqualTo(ProtectionRule.NO_TOKENS);
    assertThat(second.budgetLeft()).isEqualTo(40 * MB);
    assertThat(decide(output(40 * MB, 100, "flaky")).action()).isEqualTo(Action.REPLICATE);
    assertThat(budget.leftBytes()).isZero();
  }

  @Test
  void decisionExplainsItselfInOneSentence() {
    budget.grant(10_000 * MB);
    assertThat(decide(output(100 * MB, 20, "flaky")).explain())
        .isEqualTo(
            "REPLICATE m_7 on flaky: recomputing it is expected to take longer than copying it:"
                + " r t_redo > t_rep; t_redo 20.0 s, r t_redo 2.00 s, r 0.1000, t_rep 1.00 s,"
                + " 100000000 bytes; 900000000 bytes left");
    assertThat(decide(output(MB, 20, "unheard of")).explain())
        .isEqualTo(
            "LEAVE m_7 on unheard of: it is not known yet how often its machine loses outputs;"
                + " t_redo 20.0 s, t_rep 0.01 s, 1000000 bytes; 900000000 bytes left");
  }

  /** Runs random jobs and checks all invariants after each decision. */
  @Test
  void randomSequencesKeepAllInvariants() {
    Random random = new Random(4);
    List<String> names = List.of("sound", "flaky", "safe", "unheard of");
    for (int job = 0; job < 100; job++) {
      ReplicationBudget tokens = new ReplicationBudget(ProtectSettings.DEFAULT);
      long processed = 0;
      long copied = 0;
      for (int step = 0; step < 200; step++) {
        long bytes = (long) Math.exp(random.nextDouble() * 22);
        tokens.grant(bytes);
        processed += bytes;
        List<String> machines = new ArrayList<>(List.of(names.get(random.nextInt(4))));
        if (random.nextInt(5) == 0) {
          machines.add(names.get(random.nextInt(4)));
        }
        KeptOutput output =
            new KeptOutput(
                "m_" + step,
                machines,
                (long) (bytes * random.nextDouble()),
                random.nextInt(10) > 0,
                new RecomputationTime(random.nextDouble() * 500, random.nextDouble() * 50));
        OptionalDouble rate = random.nextInt(10) == 0 ? OptionalDouble.empty() : RATE;
        long before = tokens.leftBytes();
        Protection decision = policy.decide(output, rate, tokens, step);
        copied += decision.action() == Action.REPLICATE ? output.bytes() : 0;
        verify(decision, before);
        if (decision.action() == Action.REPLICATE && random.nextInt(10) == 0) {
          tokens.giveBack(output.bytes());
          copied -= output.bytes();
        }
        assertThat(tokens.leftBytes()).isEqualTo((long) (0.1 * processed - copied));
        assertThat(copied).isLessThanOrEqualTo((long) (0.1 * processed));
        assertThat(tokens.leftBytes()).isGreaterThanOrEqualTo(0);
      }
    }
  }

  private static void verify(Protection decision, long tokensBefore) {
    KeptOutput output = decision.output();
    boolean known =
        decision.figure(Figure.LOSS).isPresent()
            && decision.figure(Figure.REPLICATE_SECONDS).isPresent();
    boolean pays =
        known
            && output.redo().seconds() * decision.figure(Figure.LOSS).getAsDouble()
                > decision.figure(Figure.REPLICATE_SECONDS).getAsDouble();
    boolean affordable = output.bytes() <= tokensBefore;
    assertThat(decision.action() == Action.REPLICATE)
        .as(decision.explain())
        .isEqualTo(output.unread() && pays && affordable);
    assertThat(decision.action()).isNotEqualTo(Action.RECOMPUTE);
    assertThat(decision.rule() == ProtectionRule.NO_TOKENS)
        .isEqualTo(output.unread() && pays && !affordable);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.decide(output(1, 1, "flaky"), OptionalDouble.of(0), budget, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ReplicationPolicy(machine -> OptionalDouble.of(2))
                    .decide(output(1, 1, "flaky"), RATE, budget, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> output(-1, 1, "flaky"));
    assertThatIllegalArgumentException().isThrownBy(() -> output(1, 1));
  }
}
