// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.placement.ReducePlacement.ExhaustiveSearch;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReducePlacementTest {
  private static final ReducePlacement SOLVER = new ReducePlacement(1);

  private static double[] times(int n, double value) {
    return IntStream.range(0, n).mapToDouble(i -> value).toArray();
  }

  private static int[] room(int n, int each) {
    return IntStream.range(0, n).map(i -> each).toArray();
  }

  @Test
  void reducesGoWhereTheirBytesAre() {
    double[][] input = {{90, 5, 5}, {5, 90, 5}, {5, 5, 90}};
    Placement placement =
        SOLVER.place(new PlacementProblem(input, times(3, 1), times(3, 1), room(3, 1)));
    assertThat(IntStream.range(0, 3).map(placement::rackOf).toArray()).containsExactly(0, 1, 2);
    assertThat(placement.seconds()).isEqualTo(10);
    assertThat(placement.crossRackBytes()).isEqualTo(30);
  }

  @Test
  void aNarrowUplinkDrawsTheReducesIn() {
    double[][] input = {{50, 50}, {50, 50}, {50, 50}, {50, 50}};
    double[] up = {1, 100};
    Placement placement = SOLVER.place(new PlacementProblem(input, up, times(2, 100), room(2, 4)));
    assertThat(IntStream.range(0, 4).map(placement::rackOf).toArray()).containsOnly(0);
    assertThat(placement.seconds()).isEqualTo(2);
  }

  /** T_u = d_i (1 - a_i) / u_i, T_d = (D - d_i) a_i / v_i: Mantri section 5.2. */
  @Test
  void equalReducesAreSpreadInTheFractionsOfThePaper() {
    double[][] input = new double[100][];
    for (int j = 0; j < 100; j++) {
      input[j] = new double[] {7, 2, 1};
    }
    PlacementProblem problem =
        new PlacementProblem(input, times(3, 10), times(3, 10), room(3, 100));
    Placement placement = SOLVER.place(problem);
    double[] d = {700, 200, 100};
    double bound = placement.lowerBound();
    assertThat(placement.seconds()).isCloseTo(bound, Percentage.withPercentage(1.5));
    for (int i = 0; i < 3; i++) {
      int rack = i;
      double a = IntStream.range(0, 100).filter(j -> placement.rackOf(j) == rack).count() / 100.0;
      assertThat(d[i] * (1 - a) / 10).isLessThanOrEqualTo(placement.seconds() + 1e-9);
      assertThat((1000 - d[i]) * a / 10).isLessThanOrEqualTo(placement.seconds() + 1e-9);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,4", "2,3", "4,2", "5,3", "6,4"})
  void fewReducesArePlacedAsWellAsCanBe(int reduces, int racks) {
    for (int seed = 0; seed < 100; seed++) {
      PlacementProblem problem = RandomProblems.of(seed, reduces, racks);
      double best = best(problem, new int[reduces], 0);
      Placement placement = SOLVER.place(problem);
      assertThat(placement.seconds()).as("seed %d", seed).isCloseTo(best, within(1e-9 * best));
    }
  }

  /** Finds the best value by recursion over all assignments, adding up the loads for each one. */
  private static double best(PlacementProblem problem, int[] racks, int from) {
    if (from == racks.length) {
      return PlacementVerifier.seconds(problem, racks);
    }
    double best = Double.POSITIVE_INFINITY;
    for (int r = 0; r < problem.racks(); r++) {
      racks[from] = r;
      best = Math.min(best, best(problem, racks, from + 1));
    }
    return best;
  }

  @ParameterizedTest
  @CsvSource({
    "10,2,100",
    "12,5,100",
    "20,4,100",
    "30,8,100",
    "60,10,100",
    "200,20,100",
    "40,40,100",
    "100,10,100",
    "1000,10,100",
    "300,30,50",
    "500,50,30",
    "200,100,30",
    "1000,100,30"
  })
  void neverFartherFromTheBoundThanOneReduceOnItsLink(int reduces, int racks, int problems) {
    for (int seed = 0; seed < problems; seed++) {
      PlacementProblem problem = RandomProblems.of(1000 + seed, reduces, racks);
      PlacementVerifier.verify(problem, SOLVER.place(problem), "seed " + seed);
    }
  }

  /** A placement's bound is capped at its value, so this test computes the bounds directly. */
  @Test
  void boundsAreNeverAboveTheBest() {
    for (int seed = 0; seed < 300; seed++) {
      PlacementProblem problem = RandomProblems.of(seed, 6, 4);
      LinkLoads best = new LinkLoads(problem);
      best.become(ExhaustiveSearch.solve(problem));
      double most = best.seconds() * (1 + 1e-9);
      assertThat(DualBound.of(problem, best, 300)).as("seed %d", seed).isLessThanOrEqualTo(most);
      for (double known = 1; known < 3; known += 0.7) {
        assertThat(FluidBound.of(problem, known * best.seconds()))
            .as("seed %d", seed)
            .isLessThanOrEqualTo(most);
      }
    }
  }

  @Test
  void oneRackTakesAll() {
    double[][] input = new double[20][1];
    Arrays.setAll(input, j -> new double[] {j});
    PlacementProblem problem = new PlacementProblem(input, times(1, 1), times(1, 1), room(1, 20));
    assertThat(SOLVER.place(problem).seconds()).isZero();
  }

  /** Reduces do not cross links without need, even if the busiest link takes equally long. */
  @Test
  void bytesStayWhereTheyAreIfTheValueIsTheSame() {
    double[][] input = new double[30][];
    for (int j = 0; j < 30; j++) {
      input[j] = j < 10 ? new double[] {0, 0, 5, 5} : new double[] {j % 2, 1 - j % 2, 0, 0};
    }
    PlacementProblem problem = new PlacementProblem(input, times(4, 1), times(4, 1), room(4, 30));
    Placement placement = SOLVER.place(problem);
    assertThat(placement.seconds()).isEqualTo(25);
    assertThat(placement.crossRackBytes()).isEqualTo(50);
  }

  @Test
  void theSameSeedGivesTheSamePlacement() {
    PlacementProblem problem = RandomProblems.of(5, 40, 6);
    Placement first = SOLVER.place(problem);
    Placement second = new ReducePlacement(1).place(problem);
    for (int j = 0; j < 40; j++) {
      assertThat(first.rackOf(j)).isEqualTo(second.rackOf(j));
    }
  }

  @Test
  void linksWithoutALimitCostNothing() {
    double[] infinite = times(2, Double.POSITIVE_INFINITY);
    double[][] input = {{1, 2}, {3, 4}};
    PlacementProblem problem = new PlacementProblem(input, infinite, infinite, room(2, 2));
    assertThat(SOLVER.place(problem).seconds()).isZero();
  }

  @Test
  void manyReducesOverLinksWithoutALimit() {
    double[] infinite = times(3, Double.POSITIVE_INFINITY);
    double[][] input = new double[50][3];
    Arrays.setAll(input, j -> new double[] {j, 1, 2});
    PlacementProblem problem = new PlacementProblem(input, infinite, infinite, room(3, 17));
    Placement placement = SOLVER.place(problem);
    PlacementVerifier.verify(problem, placement, "no limits");
    double[] narrow = {1e-3, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    problem = new PlacementProblem(input, infinite, narrow, room(3, 50));
    assertThat(SOLVER.place(problem).seconds()).isZero();
  }

  @Test
  void badProblemsAreNamed() {
    double[] one = {1};
    assertThatThrownBy(() -> new PlacementProblem(new double[][] {{1}}, one, one, new int[] {0}))
        .hasMessage("0 slots for 1 reduces");
    assertThatThrownBy(
            () -> new PlacementProblem(new double[][] {{1}}, new double[] {0}, one, new int[] {1}))
        .hasMessageContaining("up of rack 0 is 0.0");
    assertThatThrownBy(
            () -> new PlacementProblem(new double[][] {{Double.NaN}}, one, one, new int[] {1}))
        .hasMessageContaining("reduce 0 reads NaN");
    assertThatThrownBy(() -> new PlacementProblem(new double[][] {{1, 2}}, one, one, new int[] {1}))
        .hasMessageContaining("reduce 0 has 2 racks, not 1");
    assertThatThrownBy(() -> new PlacementProblem(new double[0][], one, one, new int[] {1}))
        .hasMessageContaining("at least one reduce");
  }
}
