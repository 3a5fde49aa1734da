// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import com.google.ortools.Loader;
import com.google.ortools.modelbuilder.LinearExpr;
import com.google.ortools.modelbuilder.LinearExprBuilder;
import com.google.ortools.modelbuilder.ModelBuilder;
import com.google.ortools.modelbuilder.ModelSolver;
import com.google.ortools.modelbuilder.SolveStatus;
import com.google.ortools.modelbuilder.Variable;
import java.util.Arrays;

/**
 * Solves the placement problem for reduces that may be split between racks, with an independent
 * solver of linear programs (GLOP). The result is the best lower bound of its kind.
 */
final class FractionalPlacement {
  static {
    Loader.loadNativeLibraries();
  }

  private FractionalPlacement() {}

  /**
   * Returns the least value in seconds.
   *
   * @param unit the approximate value in seconds, above 0; it scales all numbers to about 1
   */
  static double seconds(PlacementProblem problem, double unit) {
    ModelBuilder model = new ModelBuilder();
    Variable value = model.newNumVar(0, Double.POSITIVE_INFINITY, "value");
    int racks = problem.racks();
    LinearExprBuilder[] up = sums(racks);
    LinearExprBuilder[] down = sums(racks);
    LinearExprBuilder[] slots = sums(racks);
    for (int j = 0; j < problem.reduces(); j++) {
      LinearExprBuilder all = LinearExpr.newBuilder();
      for (int r = 0; r < racks; r++) {
        Variable here = model.newNumVar(0, 1, "");
        all.add(here);
        slots[r].add(here);
        up[r].addTerm(here, problem.input(j, r) * problem.secondsPerByteUp(r) / unit);
        down[r].addTerm(here, problem.remote(j, r) * problem.secondsPerByteDown(r) / unit);
      }
      model.addEquality(all, 1);
    }
    for (int r = 0; r < racks; r++) {
      double output = problem.output(r) * problem.secondsPerByteUp(r) / unit;
      model.addGreaterOrEqual(up[r].add(value), output);
      model.addLessOrEqual(down[r].addTerm(value, -1), 0);
      model.addLessOrEqual(slots[r], problem.slots(r));
    }
    model.minimize(value);
    ModelSolver solver = new ModelSolver("glop");
    SolveStatus status = solver.solve(model);
    if (status != SolveStatus.OPTIMAL) {
      throw new IllegalStateException("The solver ended " + status);
    }
    return solver.getObjectiveValue() * unit;
  }

  private static LinearExprBuilder[] sums(int racks) {
    LinearExprBuilder[] sums = new LinearExprBuilder[racks];
    Arrays.setAll(sums, r -> LinearExpr.newBuilder());
    return sums;
  }
}
