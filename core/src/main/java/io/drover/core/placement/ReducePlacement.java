// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.SplittableRandom;

/**
 * Places the reduces of a job so that the busiest link between racks finishes as early as possible:
 *
 * <pre>
 *   minimise  max over racks r of  max( sent_r / up_r, received_r / down_r )
 * </pre>
 *
 * where a rack sends the data that reduces elsewhere read from it, and receives the data that its
 * reduces read from elsewhere. Among equally good placements, one with fewer bytes between racks is
 * preferred.
 *
 * <p>Source: Mantri section 5.2. Departures: the paper enumerates all permutations, which works
 * only for a handful of reduces. Here that is done for few reduces only; otherwise a descent in a
 * smooth measure of all links ({@link NormDescent}) comes before a local search for the busiest one
 * ({@link LocalSearch}). The "1..2n" in the text is a slip for the two links of each rack. The
 * result also has a lower bound, which shows how much could still be gained.
 *
 * <p>It is deterministic: the same problem and seed give the same placement. The work is limited,
 * not the time: the smaller a problem, the more thoroughly it is searched.
 */
public final class ReducePlacement {
  /** Limits of the dual bound: on steps times reduces times racks, and on steps alone. */
  private static final long BOUND_WORK = 2_000_000;

  private static final long MOST_BOUND_STEPS = 600;

  /** With fewer steps the dual bound is below the fluid bound. */
  private static final long LEAST_BOUND_STEPS = 100;

  /** Limits of the search: on moves and swaps times reduces times racks, and on these alone. */
  private static final long SEARCH_WORK = 2_000_000_000L;

  private static final long MOST_SEARCHED = 300_000;

  /** A placement this close to the lower bound is not worth more work. */
  private static final double GOOD_ENOUGH = 1.001;

  private final long seed;

  /** Creates a solver whose random choices follow from {@code seed}. */
  public ReducePlacement(long seed) {
    this.seed = seed;
  }

  /** Returns a good placement within the limits above; the best one if only few are possible. */
  public Placement place(PlacementProblem problem) {
    if (ExhaustiveSearch.suits(problem)) {
      LinkLoads best = new LinkLoads(problem);
      best.become(ExhaustiveSearch.solve(problem));
      double bound = FluidBound.of(problem, best.seconds());
      return placement(best, Math.max(bound, dualBound(problem, best)));
    }
    LinkLoads loads = new LinkLoads(problem);
    NormDescent descent = new NormDescent(problem, loads);
    descent.start();
    double bound = FluidBound.of(problem, loads.seconds());
    descent.run(bound * GOOD_ENOUGH);
    long budget = Math.min(MOST_SEARCHED, SEARCH_WORK / cells(problem));
    LocalSearch search = new LocalSearch(problem, loads, budget, new SplittableRandom(seed));
    if (loads.seconds() > bound * GOOD_ENOUGH) {
      bound = Math.max(bound, dualBound(problem, loads));
      search.run(bound * GOOD_ENOUGH);
    }
    search.fewerBytes();
    return placement(loads, bound);
  }

  private static long cells(PlacementProblem problem) {
    return (long) problem.reduces() * problem.racks();
  }

  private static double dualBound(PlacementProblem problem, LinkLoads start) {
    long steps = Math.min(MOST_BOUND_STEPS, BOUND_WORK / cells(problem));
    return steps < LEAST_BOUND_STEPS ? 0 : DualBound.of(problem, start, steps);
  }

  private static Placement placement(LinkLoads loads, double bound) {
    return new Placement(loads.racks(), loads.seconds(), bound, loads.crossRackBytes());
  }

  /** Tries every placement, for problems with few of them. */
  static final class ExhaustiveSearch {
    /** The maximum number of placements to try; 6 reduces in 4 racks have 4,096. */
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

    /** Returns whether a problem is small enough. */
    static boolean suits(PlacementProblem problem) {
      return problem.reduces() * Math.log(problem.racks()) <= Math.log(MOST);
    }

    /** Returns the best placement, as the rack of each reduce. */
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
}
