// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongestRecomputationTest {
  /** Returns the probability that exactly the inputs whose bits are set are lost. */
  static double probability(int lost, double[] loss) {
    double p = 1;
    for (int i = 0; i < loss.length; i++) {
      p *= (lost >> i & 1) == 1 ? loss[i] : 1 - loss[i];
    }
    return p;
  }

  /** Returns the longest time of the inputs whose bits are set. */
  static double longest(int lost, double[] seconds) {
    double longest = 0;
    for (int i = 0; i < seconds.length; i++) {
      longest = (lost >> i & 1) == 1 ? Math.max(longest, seconds[i]) : longest;
    }
    return longest;
  }

  @Test
  void twoInputsByHand() {
    assertThat(LongestRecomputation.expectedSeconds(new double[] {0.5, 0.5}, new double[] {10, 10}))
        .isEqualTo(7.5);
    assertThat(LongestRecomputation.expectedSeconds(new double[] {0.1, 0.5}, new double[] {10, 40}))
        .isCloseTo(0.5 * 40 + 0.5 * 0.1 * 10, within(1e-12));
  }

  @Test
  void expectationIsThatOfAllSetsOfLosses() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      int n = random.nextInt(11);
      double[] loss = random.doubles(n).map(p -> p < 0.1 ? 0 : p > 0.9 ? 1 : p).toArray();
      double[] seconds = random.doubles(n, 0, 10).map(Math::floor).toArray(); // with ties
      double mean = 0;
      for (int lost = 0; lost < 1 << n; lost++) {
        mean += probability(lost, loss) * longest(lost, seconds);
      }
      assertThat(LongestRecomputation.expectedSeconds(loss, seconds)).isCloseTo(mean, within(1e-9));
    }
  }

  /** Compares with 20,000 runs of 300 inputs. The error must be within five standard errors. */
  @Test
  void expectationIsThatOfRandomLosses() {
    Random random = new Random(2);
    double[] loss = random.doubles(300, 0, 0.02).toArray();
    double[] seconds = random.doubles(300).map(u -> 10 * Math.pow(1 - u, -1 / 2.5)).toArray();
    int runs = 20_000;
    double sum = 0;
    double squares = 0;
    for (int run = 0; run < runs; run++) {
      double longest = 0;
      for (int i = 0; i < loss.length; i++) {
        longest = random.nextDouble() < loss[i] ? Math.max(longest, seconds[i]) : longest;
      }
      sum += longest;
      squares += longest * longest;
    }
    double mean = sum / runs;
    double standardError = Math.sqrt((squares / runs - mean * mean) / runs);
    assertThat(LongestRecomputation.expectedSeconds(loss, seconds))
        .isCloseTo(mean, within(5 * standardError));
  }

  /** With equal r, the longest of 1..n has a closed form: n - (1-r)/r (1 - (1-r)^n). */
  @Test
  void hundredThousandInputsAreExact() {
    int n = 100_000;
    double r = 0.001;
    double[] loss = new double[n];
    Arrays.fill(loss, r);
    double[] seconds = new double[n];
    Arrays.setAll(seconds, i -> (i * 7919L) % n + 1); // a permutation of 1..n
    double closed = n - (1 - r) / r * (1 - Math.pow(1 - r, n));
    assertThat(LongestRecomputation.expectedSeconds(loss, seconds)).isCloseTo(closed, within(1e-6));
  }

  @Test
  void machinesThatLoseAllOrNothingStallForNoLonger() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      int machines = 1 + random.nextInt(6);
      double[] loss = random.doubles(machines).toArray();
      int[] machine = random.ints(12, 0, machines).toArray();
      double[] seconds = random.doubles(12, 0, 100).toArray();
      double mean = 0;
      for (int lost = 0; lost < 1 << machines; lost++) {
        double longest = 0;
        for (int i = 0; i < machine.length; i++) {
          longest = (lost >> machine[i] & 1) == 1 ? Math.max(longest, seconds[i]) : longest;
        }
        mean += probability(lost, loss) * longest;
      }
      double together = LongestRecomputation.expectedSecondsByMachine(loss, machine, seconds);
      assertThat(together).isCloseTo(mean, within(1e-9));
      double[] alone = Arrays.stream(machine).mapToDouble(m -> loss[m]).toArray();
      assertThat(together)
          .isLessThanOrEqualTo(LongestRecomputation.expectedSeconds(alone, seconds) + 1e-9);
    }
  }

  @Test
  void nothingIsWaitedForWhereNothingCanBeLost() {
    assertThat(LongestRecomputation.expectedSeconds(new double[0], new double[0])).isZero();
    assertThat(LongestRecomputation.expectedSeconds(new double[] {0, 0}, new double[] {5, 9}))
        .isZero();
    assertThat(LongestRecomputation.expectedSeconds(new double[] {1, 1}, new double[] {5, 9}))
        .isEqualTo(9);
    assertThat(
            LongestRecomputation.expectedSecondsByMachine(
                new double[] {1}, new int[0], new double[0]))
        .isZero();
  }

  @Test
  void argumentsAreLeftAsTheyWere() {
    double[] loss = {0.1, 0.2, 0.3};
    double[] seconds = {1, 3, 2};
    assertThat(LongestRecomputation.expectedSeconds(loss, seconds)).isPositive();
    assertThat(loss).containsExactly(0.1, 0.2, 0.3);
    assertThat(seconds).containsExactly(1, 3, 2);
  }

  @Test
  void nonsenseIsRefused() {
    double[] one = {0.5};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LongestRecomputation.expectedSeconds(one, new double[2]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LongestRecomputation.expectedSeconds(new double[] {1.1}, one));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LongestRecomputation.expectedSeconds(one, new double[] {-1}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LongestRecomputation.expectedSeconds(one, new double[] {Double.NaN}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LongestRecomputation.expectedSecondsByMachine(one, new int[2], one));
  }
}
