// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Places the reduces of a job so that the busiest link between racks is done as early as possible:
 *
 * <pre>
 *   minimise  max over racks r of  max( sent_r / up_r, received_r / down_r )
 * </pre>
 *
 * where a rack sends what reduces elsewhere read from it, and receives what reduces in it read from
 * elsewhere. Of equally good placements one with fewer bytes from rack to rack is preferred.
 *
 * <p>Source: Mantri section 5.2. Departures: the paper enumerates all permutations, which ends at a
 * handful of reduces; here that is done for few reduces only, and else a greedy placement is
 * improved by local search. The text's "1..2n" is a slip for the two links of each rack. Beside the
 * value there is a lower bound, so that everybody can see what is left to win.
 *
 * <p>It is deterministic: the same problem and seed give the same placement.
 */
public final class ReducePlacement {
  /** Work for one problem: input sizes looked at by the bound … */
  private static final long BOUND_WORK = 3_000_000;

  private static final int MOST_BOUND_STEPS = 2000;

  /** … and moves and swaps looked at by the search. */
  private static final long SEARCH_WORK = 600_000;

  /** A placement this near to the lower bound is not worth more work. */
  private static final double GOOD_ENOUGH = 1.001;

  private final long seed;

  /** A solver whose random choices follow from {@code seed}. */
  public ReducePlacement(long seed) {
    this.seed = seed;
  }

  /** A good placement; within the limits above, the best one where few are possible. */
  public Placement place(PlacementProblem problem) {
    if (Exhaustive.suits(problem)) {
      LinkLoads best = new LinkLoads(problem);
      best.become(Exhaustive.solve(problem));
      return placement(best, bound(problem, best));
    }
    LinkLoads loads = lightestFirst(problem);
    LocalSearch search = new LocalSearch(problem, loads, SEARCH_WORK, new SplittableRandom(seed));
    search.descend();
    double bound = bound(problem, loads);
    search.run(bound * GOOD_ENOUGH);
    return placement(loads, bound);
  }

  private static double bound(PlacementProblem problem, LinkLoads start) {
    long size = (long) problem.reduces() * problem.racks();
    int steps = (int) Math.max(10, Math.min(MOST_BOUND_STEPS, BOUND_WORK / size));
    return Math.max(DualBound.of(problem, start, steps), FluidBound.of(problem));
  }

  private static Placement placement(LinkLoads loads, double bound) {
    return new Placement(loads.racks(), loads.seconds(), bound, loads.crossRackBytes());
  }

  /** The largest reduces first, each where the links of its rack will be least busy. */
  private static LinkLoads lightestFirst(PlacementProblem problem) {
    LinkLoads loads = new LinkLoads(problem);
    Integer[] order = new Integer[problem.reduces()];
    Arrays.setAll(order, j -> j);
    Arrays.sort(order, (a, b) -> Double.compare(problem.size(b), problem.size(a)));
    for (int j : order) {
      int best = -1;
      double least = Double.POSITIVE_INFINITY;
      for (int r = 0; r < problem.racks(); r++) {
        double seconds = loads.hasRoom(r) ? loads.receivingSeconds(j, r) : Double.NaN;
        if (seconds < least) {
          least = seconds;
          best = r;
        }
      }
      loads.put(j, best);
    }
    return loads;
  }
}
