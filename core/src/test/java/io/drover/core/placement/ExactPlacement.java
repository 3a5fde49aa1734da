// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import com.google.ortools.Loader;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Formulates the placement problem as an integer program for an independent solver (CP-SAT): is
 * there a placement with at most a given value?
 *
 * <p>Times are integer fractions of the limit, which is {@link #PARTS}. They are rounded in favour
 * of a placement, so that a placement that does not exist in the model does not exist. For
 * identical reduces, the model has only their number in each rack. Otherwise, swapping two of them
 * would give another solution.
 */
final class ExactPlacement {
  private static final long PARTS = 1_000_000_000;

  /** Each worker searches in a way of its own, so it pays to have more of them than cores. */
  private static final int WORKERS = 8;

  static {
    Loader.loadNativeLibraries();
  }

  private final PlacementProblem problem;
  private final double limit;
  private final CpModel model = new CpModel();
  private final LinearExprBuilder[] notSent;
  private final LinearExprBuilder[] received;
  private final LinearExprBuilder[] taken;

  private ExactPlacement(PlacementProblem problem, double limit) {
    this.problem = problem;
    this.limit = limit;
    notSent = sums();
    received = sums();
    taken = sums();
    alike().forEach(this::add);
    for (int r = 0; r < problem.racks(); r++) {
      double all = PARTS * (problem.output(r) * problem.secondsPerByteUp(r) / limit);
      model.addGreaterOrEqual(notSent[r], (long) Math.floor(all) - PARTS);
      model.addLessOrEqual(received[r], PARTS);
      model.addLessOrEqual(taken[r], problem.slots(r));
    }
  }

  /**
   * Returns whether there is a placement whose value is at most the limit.
   *
   * @param limit seconds, above 0
   * @throws IllegalStateException if the solver gives up
   */
  static boolean exists(PlacementProblem problem, double limit) {
    CpSolver solver = new CpSolver();
    solver.getParameters().setNumWorkers(WORKERS);
    CpSolverStatus status = solver.solve(new ExactPlacement(problem, limit).model);
    return switch (status) {
      case OPTIMAL, FEASIBLE -> true;
      case INFEASIBLE -> false;
      default -> throw new IllegalStateException("The solver ended " + status);
    };
  }

  private LinearExprBuilder[] sums() {
    LinearExprBuilder[] sums = new LinearExprBuilder[problem.racks()];
    Arrays.setAll(sums, r -> LinearExpr.newBuilder());
    return sums;
  }

  private Map<List<Double>, Integer> alike() {
    Map<List<Double>, Integer> alike = new LinkedHashMap<>();
    for (int j = 0; j < problem.reduces(); j++) {
      List<Double> input = Arrays.stream(problem.row(j)).boxed().collect(Collectors.toList());
      alike.merge(input, 1, Integer::sum);
    }
    return alike;
  }

  private void add(List<Double> input, int count) {
    double size = input.stream().mapToDouble(bytes -> bytes).sum();
    LinearExprBuilder all = LinearExpr.newBuilder();
    for (int r = 0; r < input.size(); r++) {
      double local = input.get(r) * problem.secondsPerByteUp(r) / limit;
      double remote = (size - input.get(r)) * problem.secondsPerByteDown(r) / limit;
      int most = remote > 1 ? 0 : Math.min(count, problem.slots(r));
      IntVar here = model.newIntVar(0, most, input + " in " + r);
      all.add(here);
      taken[r].add(here);
      notSent[r].addTerm(here, (long) Math.ceil(PARTS * local));
      received[r].addTerm(here, (long) Math.floor(PARTS * Math.min(remote, 1)));
    }
    model.addEquality(all, count);
  }
}
