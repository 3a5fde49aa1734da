// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.sampling.OutputChoice.ChosenOutputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutputChoiceTest {
  private static final double[] WIDE = {
    Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY
  };

  @Test
  void roundRobinTakesOneOfEachRackInTurnLargerRacksFirst() {
    List<String> racks = List.of("a", "b", "b", "b", "c", "c");
    assertThat(OutputChoice.roundRobin(racks, 1)).containsExactly(1);
    assertThat(OutputChoice.roundRobin(racks, 2)).containsExactly(1, 4);
    assertThat(OutputChoice.roundRobin(racks, 3)).containsExactly(0, 1, 4);
    assertThat(OutputChoice.roundRobin(racks, 4)).containsExactly(0, 1, 2, 4);
    assertThat(OutputChoice.roundRobin(racks, 6)).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(OutputChoice.roundRobin(racks, 0)).isEmpty();
  }

  /** KMN section 4.1: 100 racks, and the skew is the most used rack over the least used one. */
  @Test
  void twentyPercentMoreTasksHalveTheSkewAtLeast() {
    SplittableRandom random = new SplittableRandom(1);
    double without = 0;
    double with = 0;
    for (int run = 0; run < 20; run++) {
      List<Integer> racks = random.ints(1200, 0, 100).boxed().toList();
      without += skew(racks, IntStream.range(0, 1000).boxed().toList());
      with += skew(racks, OutputChoice.roundRobin(racks, 1000));
    }
    assertThat(with).isLessThan(without / 2);
  }

  private static double skew(List<Integer> racks, List<Integer> chosen) {
    int[] count = new int[100];
    chosen.forEach(i -> count[racks.get(i)]++);
    return (double) Arrays.stream(count).max().orElseThrow()
        / Math.max(1, Arrays.stream(count).min().orElseThrow());
  }

  @Test
  void outputsOfEqualSizeAreSpreadAsInFigureTwo() {
    // KMN figure 2: a skew of 6/2 or 4/3 in the sent data
    int[] racks = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2};
    double[] ones = filled(12, 1);
    double third = 1.0 / 3;
    OutputProblem problem =
        new OutputProblem(9, racks, ones, new double[] {third, third, third}, filled(3, 1), WIDE);
    ChosenOutputs chosen = OutputChoice.leastLoaded(problem);
    assertThat(chosen.seconds()).isCloseTo(2, within(1e-6)); // 3 of each rack, 2/3 of it sent
    assertThat(chosen.outputs()).hasSize(9);
    assertThat(problem.seconds(IntStream.range(0, 9).boxed().toList())).isCloseTo(4, within(1e-6));
  }

  @Test
  void noOtherChoiceIsBetter() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 400; i++) {
      OutputProblem problem = problem(random, 1 + random.nextInt(14), i % 3 == 0);
      double best = bruteForce(problem);
      ChosenOutputs chosen = OutputChoice.leastLoaded(problem);
      check(problem, chosen);
      assertThat(chosen.seconds()).isCloseTo(best, within(1e-8 * best + 1e-12));
      assertThat(chosen.lowerBound()).isLessThanOrEqualTo(best * (1 + 1e-9));
    }
  }

  @Test
  void boundShowsThatLargeChoicesAreTheBestToo() {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 30; i++) {
      OutputProblem problem = problem(random, 200 + random.nextInt(800), i % 3 == 0);
      ChosenOutputs chosen = OutputChoice.leastLoaded(problem);
      check(problem, chosen);
      assertThat(chosen.lowerBound()).isGreaterThan(chosen.seconds() * (1 - 1e-8) - 1e-12);
      List<Integer> racks = IntStream.range(0, problem.outputs()).mapToObj(problem::rack).toList();
      double spread = problem.seconds(OutputChoice.roundRobin(racks, problem.needed()));
      assertThat(chosen.seconds()).isLessThanOrEqualTo(spread * (1 + 1e-8));
    }
  }

  @Test
  void moreOutputsAreNeverWorse() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50; i++) {
      OutputProblem problem = problem(random, 40, false);
      double last = Double.POSITIVE_INFINITY;
      for (int m = problem.needed(); m <= 40; m++) {
        double seconds = OutputChoice.leastLoaded(problem.ofFirst(m)).seconds();
        assertThat(seconds).isLessThanOrEqualTo(last * (1 + 1e-8));
        last = seconds;
      }
    }
  }

  @Test
  void busyUplinkIsSpared() {
    double half = 0.5;
    OutputProblem idle =
        new OutputProblem(
            2,
            new int[] {0, 0, 1, 1},
            filled(4, 10),
            new double[] {half, half},
            filled(2, 1),
            filled(2, Double.POSITIVE_INFINITY));
    assertThat(OutputChoice.leastLoaded(idle).seconds()).isCloseTo(5, within(1e-6));
    OutputProblem busy = idle.withLoad(new double[] {6, 0}, new double[] {0, 0});
    ChosenOutputs chosen = OutputChoice.leastLoaded(busy);
    assertThat(chosen.outputs()).containsExactly(2, 3);
    assertThat(chosen.seconds()).isCloseTo(10, within(1e-6));
  }

  @Test
  void equalSizesChooseByRackAndFinishAndNotBySize() {
    OutputProblem problem =
        new OutputProblem(
            2,
            new int[] {0, 0, 1, 1},
            new double[] {9, 1, 9, 1},
            new double[] {0.5, 0.5},
            filled(2, 1),
            filled(2, 1));
    assertThat(OutputChoice.leastLoaded(problem).outputs()).containsExactly(1, 3);
    assertThat(OutputChoice.leastLoaded(problem.withEqualSizes()).outputs()).containsExactly(0, 2);
  }

  @Test
  void ofEquallyFastChoicesTheOneWithFewestBytesAcrossRacksIsTaken() {
    OutputProblem problem =
        new OutputProblem(
            1, new int[] {0, 1, 2}, filled(3, 5), new double[] {0.1, 0.8, 0.1}, WIDE, WIDE);
    ChosenOutputs chosen = OutputChoice.leastLoaded(problem);
    assertThat(chosen.outputs()).containsExactly(1);
    assertThat(chosen.seconds()).isZero();
    assertThat(chosen.crossRackBytes()).isCloseTo(1, within(1e-12));
  }

  @Test
  void badArgumentsAreRefused() {
    double[] one = {1};
    int[] first = {0};
    assertThatIllegalArgumentException().isThrownBy(() -> OutputChoice.roundRobin(List.of("a"), 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutputProblem(2, first, one, one, one, one));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutputProblem(1, new int[] {1}, one, one, one, one));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutputProblem(1, first, new double[] {-1}, one, one, one));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutputProblem(1, first, one, new double[] {0.5}, one, one));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutputProblem(1, first, one, one, new double[] {0}, one));
    OutputProblem good = new OutputProblem(1, first, one, one, one, one);
    assertThatIllegalArgumentException().isThrownBy(() -> good.ofFirst(0));
    assertThatIllegalArgumentException().isThrownBy(() -> good.withLoad(new double[] {-1}, one));
  }

  private static void check(OutputProblem problem, ChosenOutputs chosen) {
    assertThat(chosen.outputs()).doesNotHaveDuplicates().hasSize(problem.needed()).isSorted();
    assertThat(chosen.seconds()).isEqualTo(problem.seconds(chosen.outputs()));
    assertThat(chosen.lowerBound()).isLessThanOrEqualTo(chosen.seconds());
  }

  private static double bruteForce(OutputProblem problem) {
    double best = Double.POSITIVE_INFINITY;
    for (int set = 0; set < 1 << problem.outputs(); set++) {
      if (Integer.bitCount(set) == problem.needed()) {
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < problem.outputs(); i++) {
          if ((set >> i & 1) == 1) {
            chosen.add(i);
          }
        }
        best = Math.min(best, problem.seconds(chosen));
      }
    }
    return best;
  }

  private static OutputProblem problem(SplittableRandom random, int outputs, boolean equal) {
    int racks = 1 + random.nextInt(outputs > 50 ? 40 : 5);
    double[] share = random.doubles(racks).map(a -> a < 0.2 ? 0 : a * a + 0.01).toArray();
    share[0] += 0.1;
    double sum = Arrays.stream(share).sum();
    int[] rack = random.ints(outputs, 0, racks).map(r -> r * r / racks).toArray();
    double[] bytes =
        random.doubles(outputs).map(b -> equal ? 7 : b < 0.1 ? 0 : Math.exp(3 * b)).toArray();
    OutputProblem problem =
        new OutputProblem(
            1 + random.nextInt(outputs),
            rack,
            bytes,
            Arrays.stream(share).map(a -> a / sum).toArray(),
            random.doubles(racks, 0.5, 2).toArray(),
            random.doubles(racks, 0.5, 2).map(d -> d < 0.7 ? 1 / 0.0 : d).toArray());
    return random.nextBoolean()
        ? problem
        : problem.withLoad(
            random.doubles(racks, 0, 10).toArray(), random.doubles(racks, 0, 10).toArray());
  }

  private static double[] filled(int n, double value) {
    return Collections.nCopies(n, value).stream().mapToDouble(d -> d).toArray();
  }
}
