// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * The placement problem as a mixed-integer program, for a solver that knows nothing of ours: is
 * there a placement of a value at most so large?
 *
 * <p>It minimises the seconds received in all, which guides the solver better than the value does.
 * Of reduces that are alike it is only said how many run in each rack: else every exchange of two
 * of them would be another solution. Times are shares of the limit, so that numbers are near 1.
 */
final class ExactPlacement {
  private final PlacementProblem problem;
  private final double limit;
  private final ExpressionsBasedModel model = new ExpressionsBasedModel();
  private final Expression[] up;
  private final Expression[] down;
  private final Expression[] slots;

  private ExactPlacement(PlacementProblem problem, double limit) {
    this.problem = problem;
    this.limit = limit;
    int racks = problem.racks();
    up = new Expression[racks];
    down = new Expression[racks];
    slots = new Expression[racks];
    for (int r = 0; r < racks; r++) {
      double sent = problem.output(r) * problem.secondsPerByteUp(r) / limit;
      up[r] = model.newExpression("not sent from " + r).lower(sent - 1);
      down[r] = model.newExpression("received in " + r).upper(1);
      slots[r] = model.newExpression("slots of " + r).upper(problem.slots(r));
    }
  }

  /**
   * Whether there is a placement whose value is at most the limit.
   *
   * @param limit seconds, above 0
   * @throws IllegalStateException if the solver gives up
   */
  static boolean exists(PlacementProblem problem, double limit) {
    ExactPlacement exact = new ExactPlacement(problem, limit);
    exact.addReduces();
    Optimisation.State state = exact.model.minimise().getState();
    if (!state.isOptimal() && state != Optimisation.State.INFEASIBLE) {
      throw new IllegalStateException("The solver ended " + state);
    }
    return state.isOptimal();
  }

  private void addReduces() {
    Map<List<Double>, Integer> alike = new LinkedHashMap<>();
    for (int j = 0; j < problem.reduces(); j++) {
      List<Double> input = Arrays.stream(problem.row(j)).boxed().collect(Collectors.toList());
      alike.merge(input, 1, Integer::sum);
    }
    alike.forEach(this::add);
  }

  private void add(List<Double> input, int count) {
    double size = input.stream().mapToDouble(bytes -> bytes).sum();
    Expression all = model.newExpression("all like " + input).level(count);
    for (int r = 0; r < input.size(); r++) {
      double notSent = input.get(r) * problem.secondsPerByteUp(r) / limit;
      double received = (size - input.get(r)) * problem.secondsPerByteDown(r) / limit;
      int most = received > 1 ? 0 : Math.min(count, problem.slots(r));
      Variable here = model.newVariable(input + " in " + r).integer().lower(0).upper(most);
      all.set(here, 1);
      slots[r].set(here, 1);
      up[r].set(here, notSent);
      down[r].set(here, received);
      here.weight(received);
    }
  }
}
