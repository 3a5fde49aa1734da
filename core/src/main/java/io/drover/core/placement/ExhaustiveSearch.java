// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

/** Tries every placement: for problems with few of them. */
final class ExhaustiveSearch {
  /** Placements that are tried at most; 6 reduces in 4 racks have 4,096. */
  private static final double MOST = 5000;

  private final PlacementProblem problem;
  private final LinkLoads loads;
  private int[] best;
  private double bestSeconds = Double.POSITIVE_INFINITY;
  private double bestBytes = Double.POSITIVE_INFINITY;

  private ExhaustiveSearch(PlacementProblem problem) {
    this.problem = problem;
    this.loads = new LinkLoads(problem);
  }

  /** Whether a problem is small enough. */
  static boolean suits(PlacementProblem problem) {
    return problem.reduces() * Math.log(problem.racks()) <= Math.log(MOST);
  }

  /** The best placement: the rack of each reduce. */
  static int[] solve(PlacementProblem problem) {
    ExhaustiveSearch all = new ExhaustiveSearch(problem);
    all.place(0);
    return all.best;
  }

  private void place(int reduce) {
    if (reduce == problem.reduces()) {
      compare();
      return;
    }
    for (int r = 0; r < problem.racks(); r++) {
      if (loads.hasRoom(r)) {
        loads.put(reduce, r);
        place(reduce + 1);
        loads.take(reduce);
      }
    }
  }

  private void compare() {
    double seconds = loads.seconds();
    double bytes = loads.crossRackBytes();
    boolean shorter = seconds < bestSeconds * (1 - LocalSearch.SAME);
    boolean asShort = seconds <= bestSeconds * (1 + LocalSearch.SAME);
    if (best == null || shorter || (asShort && bytes < bestBytes * (1 - LocalSearch.SAME))) {
      best = loads.racks();
      bestSeconds = seconds;
      bestBytes = bytes;
    }
  }
}
