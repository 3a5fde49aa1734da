// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.placement.ReducePlacement.ExhaustiveSearch;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares placements of 8 to 40 reduces in 3 to 8 racks with an exact solver. The solver searches
 * for a placement that is more than 1 % better, and must prove that there is none.
 */
class MiddleSizedPlacementTest {
  private static final int CASES = Integer.getInteger("drover.placement.cases", 200);

  static IntStream cases() {
    return IntStream.range(0, CASES);
  }

  private static PlacementProblem problem(int number) {
    SplittableRandom random = new SplittableRandom(7000 + number);
    return RandomProblems.of(2000 + number, 8 + random.nextInt(33), 3 + random.nextInt(6));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void noPlacementIsMoreThanOnePerCentBetter(int number) {
    PlacementProblem problem = problem(number);
    Placement placement = new ReducePlacement(1).place(problem);
    PlacementVerifier.verify(problem, placement, "case " + number);
    assertThat(ExactPlacement.exists(problem, placement.seconds() / 1.01)).isFalse();
  }

  /** Checks the exact solver itself. Otherwise, the proof above would mean nothing. */
  @Test
  void theExactSolverSaysWhatTryingAllSays() {
    for (int seed = 0; seed < 100; seed++) {
      PlacementProblem problem = RandomProblems.of(seed, 6, 4);
      LinkLoads best = new LinkLoads(problem);
      best.become(ExhaustiveSearch.solve(problem));
      double seconds = best.seconds();
      assertThat(ExactPlacement.exists(problem, seconds * 2)).as("seed %d", seed).isTrue();
      assertThat(ExactPlacement.exists(problem, seconds * 1.0001)).as("seed %d", seed).isTrue();
      assertThat(ExactPlacement.exists(problem, seconds * 0.9999)).as("seed %d", seed).isFalse();
    }
  }
}
