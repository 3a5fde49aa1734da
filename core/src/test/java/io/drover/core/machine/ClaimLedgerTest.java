// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClaimLedgerTest {
  private final ClaimLedger ledger = new ClaimLedger();

  private void ended(String machine, int containers) {
    for (int i = 0; i < containers; i++) {
      ledger.containerEnded(machine);
    }
  }

  private List<AdmittedOutcomes> admit(String machine, Claim claim) {
    return ledger.admit(Map.of(machine, claim));
  }

  @Test
  void claimWeighsNoMoreThanTheContainersSeenToEnd() {
    ended("m", 3);
    assertThat(admit("m", new Claim(1000, 900, 1000, 800)))
        .containsExactly(new AdmittedOutcomes("m", 3, 3, 0, 0, 3, 3));
    assertThat(admit("m", new Claim(2000, 1900, 2000, 1800))).isEmpty();
  }

  @Test
  void ofMachineWhereNoContainerEndedNothingIsAdmitted() {
    ended("m", 3);
    assertThat(admit("n", Claim.ofAttempts(1, 1))).isEmpty();
  }

  @Test
  void repeatedClaimAddsNothing() {
    ended("m", 9);
    assertThat(admit("m", Claim.ofAttempts(4, 1))).hasSize(1);
    assertThat(admit("m", Claim.ofAttempts(4, 1))).isEmpty();
    assertThat(admit("m", Claim.ofAttempts(3, 1))).as("an older one").isEmpty();
    assertThat(admit("m", Claim.ofAttempts(6, 2)))
        .containsExactly(new AdmittedOutcomes("m", 2, 1, 0, 0, 0, 0));
  }

  @Test
  void whatIsClaimedBeforeItsContainerIsSeenIsAdmittedWhenItIs() {
    ended("m", 1);
    assertThat(admit("m", Claim.ofAttempts(2, 0)))
        .extracting(AdmittedOutcomes::attempts)
        .containsExactly(1);
    ended("m", 1);
    assertThat(admit("m", Claim.ofAttempts(2, 0)))
        .extracting(AdmittedOutcomes::attempts)
        .containsExactly(1);
  }

  @Test
  void onlyOutputsThatWereKeptCanBeLost() {
    ended("m", 2);
    assertThat(admit("m", Claim.ofOutputs(2, 0)))
        .containsExactly(new AdmittedOutcomes("m", 0, 0, 0, 0, 2, 0));
    assertThat(admit("m", Claim.ofOutputs(5, 5)))
        .containsExactly(new AdmittedOutcomes("m", 0, 0, 0, 0, 0, 2));
  }

  @Test
  void elsewhereIsAllButTheMachine() {
    ended("m", 5);
    ended("n", 5);
    assertThat(ledger.admit(Map.of("m", Claim.ofAttempts(5, 2), "n", Claim.ofAttempts(4, 1))))
        .containsExactlyInAnyOrder(
            new AdmittedOutcomes("m", 5, 2, 4, 1, 0, 0),
            new AdmittedOutcomes("n", 4, 1, 5, 2, 0, 0));
    assertThat(admit("n", Claim.ofAttempts(5, 1)))
        .containsExactly(new AdmittedOutcomes("n", 1, 0, 5, 2, 0, 0));
  }

  @Test
  void whateverIsClaimedNoMoreIsAdmittedThanWasSeen() {
    Random random = new Random(1);
    for (int life = 0; life < 300; life++) {
      ClaimLedger any = new ClaimLedger();
      Map<String, int[]> admitted = new HashMap<>();
      Map<String, Integer> seen = new HashMap<>();
      for (int i = 0; i < 60; i++) {
        String machine = "m" + random.nextInt(5);
        if (random.nextBoolean() && !machine.equals("m0")) {
          any.containerEnded(machine);
          seen.merge(machine, 1, Integer::sum);
        }
        for (AdmittedOutcomes o : any.admit(Map.of(machine, lie(random), "m9", lie(random)))) {
          int[] sums = admitted.computeIfAbsent(o.machine(), m -> new int[4]);
          sums[0] += o.attempts();
          sums[1] += o.outliers();
          sums[2] += o.outputs();
          sums[3] += o.lost();
          assertThat(List.of(o.attempts(), o.outliers(), o.outputs(), o.lost()))
              .allMatch(n -> n >= 0);
          assertThat(o.elsewhereOutliers()).isBetween(0, o.elsewhereAttempts());
        }
      }
      admitted.forEach(
          (machine, sums) -> {
            assertThat(sums[0]).isLessThanOrEqualTo(seen.getOrDefault(machine, 0));
            assertThat(sums[1]).isLessThanOrEqualTo(sums[0]);
            assertThat(sums[2]).isLessThanOrEqualTo(seen.getOrDefault(machine, 0));
            assertThat(sums[3]).isLessThanOrEqualTo(sums[2]);
          });
      assertThat(admitted).doesNotContainKeys("m0", "m9");
    }
  }

  private static Claim lie(Random random) {
    int judged = random.nextInt(1 + random.nextInt(1_000_000));
    int outputs = random.nextInt(20);
    return new Claim(judged, random.nextInt(judged + 1), outputs, random.nextInt(outputs + 1));
  }

  @Test
  void largestClaimsDoNotOverflow() {
    Claim most = new Claim(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 0);
    ended("m", 1);
    assertThat(admit("m", most)).extracting(AdmittedOutcomes::outliers).containsExactly(1);
    assertThat(most.plus(most)).isEqualTo(most);
  }

  @Test
  void whatWasAdmittedIsAdmittedAgainWhenTheStatisticsAreOthers() {
    ended("m", 3);
    Claim claim = new Claim(3, 1, 2, 1);
    List<AdmittedOutcomes> first = ledger.admit(Map.of("m", claim));
    assertThat(ledger.admit(Map.of("m", claim))).isEmpty();
    ledger.readmit();
    assertThat(ledger.admit(Map.of("m", claim))).isEqualTo(first);
  }

  @Test
  void claimThatContradictsItselfIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Claim.ofAttempts(2, 3))
        .withMessage("outliers must lie between 0 and judged (2), was 3");
    assertThatIllegalArgumentException().isThrownBy(() -> Claim.ofAttempts(2, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> Claim.ofAttempts(-2, -2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Claim.ofOutputs(0, 1))
        .withMessageContaining("lost");
  }
}
