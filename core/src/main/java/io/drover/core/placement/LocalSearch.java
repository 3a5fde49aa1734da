// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.SplittableRandom;

/**
 * Improves a placement until its budget is spent. It relieves the busiest link by the move or the
 * swap after which the links of both racks are least busy. If there is none, it disturbs the best
 * placement so far at random and tries again (iterated local search).
 */
final class LocalSearch {
  /** The relative difference below which two values count as equal. */
  static final double SAME = 1e-9;

  private final PlacementProblem problem;
  private final LinkLoads loads;
  private final SplittableRandom random;
  private long budget;
  private double goal;

  /**
   * Creates a search.
   *
   * @param start a placement of all reduces
   * @param budget the number of moves and swaps to evaluate
   */
  LocalSearch(PlacementProblem problem, LinkLoads start, long budget, SplittableRandom random) {
    this.problem = problem;
    this.loads = start;
    this.budget = budget;
    this.random = random;
  }

  /**
   * Searches, and leaves the best placement found in the given loads.
   *
   * @param goodEnough a value, seconds, that needs no improvement
   */
  void run(double goodEnough) {
    goal = goodEnough;
    descend();
    int[] best = loads.racks();
    double bestSeconds = loads.seconds();
    while (budget > 0 && bestSeconds > goal && problem.racks() > 1) {
      disturb();
      descend();
      double seconds = loads.seconds();
      if (seconds <= bestSeconds) {
        best = loads.racks();
        bestSeconds = seconds;
      } else {
        loads.goBackTo(best);
      }
    }
    loads.become(best);
  }

  /** Continues until no move or swap relieves the busiest link, or its time is good enough. */
  private void descend() {
    boolean improved = true;
    while (improved && budget > 0 && loads.seconds() > goal) {
      improved = relieve(loads.busiest());
    }
  }

  /** Takes the best move that relieves a rack's busier link or, if there is none, the best swap. */
  private boolean relieve(int rack) {
    double limit = loads.seconds(rack) * (1 - SAME);
    boolean sendsTooMuch = loads.upSeconds(rack) >= loads.downSeconds(rack);
    Step step = new Step(limit);
    if (sendsTooMuch) {
      movesIn(step, rack);
    } else {
      movesOut(step, rack);
    }
    if (!step.isFound() && sendsTooMuch) {
      swapsIn(step, rack);
    } else if (!step.isFound()) {
      swapsOut(step, rack);
    }
    return step.take();
  }

  /** A reduce that moves here reads its input from here locally, so this rack sends less. */
  private void movesIn(Step step, int rack) {
    for (int j = 0; j < problem.reduces() && loads.hasRoom(rack); j++) {
      if (loads.rackOf(j) != rack && problem.input(j, rack) > 0) {
        step.move(j, rack);
      }
    }
  }

  private void swapsIn(Step step, int rack) {
    for (int j = 0; j < problem.reduces(); j++) {
      for (int i = 0; i < loads.count(rack) && loads.rackOf(j) != rack; i++) {
        int k = loads.member(rack, i);
        if (problem.input(j, rack) > problem.input(k, rack)) {
          step.swap(j, k);
        }
      }
    }
  }

  /** A reduce that moves away no longer receives its remote input here. */
  private void movesOut(Step step, int rack) {
    for (int i = 0; i < loads.count(rack); i++) {
      int j = loads.member(rack, i);
      for (int r = 0; r < problem.racks() && problem.remote(j, rack) > 0; r++) {
        if (r != rack && loads.hasRoom(r)) {
          step.move(j, r);
        }
      }
    }
  }

  private void swapsOut(Step step, int rack) {
    for (int k = 0; k < problem.reduces(); k++) {
      for (int i = 0; i < loads.count(rack) && loads.rackOf(k) != rack; i++) {
        int j = loads.member(rack, i);
        if (problem.remote(k, rack) < problem.remote(j, rack)) {
          step.swap(j, k);
        }
      }
    }
  }

  /** The best step considered so far. */
  private final class Step {
    private double limit;
    private int one = -1;
    private int rack = -1;
    private int other = -1;

    Step(double limit) {
      this.limit = limit;
    }

    void move(int reduce, int to) {
      consider(loads.secondsAfterMove(reduce, to, limit), reduce, to, -1);
    }

    void swap(int reduce, int with) {
      consider(loads.secondsAfterSwap(reduce, with, limit), reduce, -1, with);
    }

    private void consider(double seconds, int reduce, int to, int with) {
      budget--;
      if (seconds < limit) {
        limit = seconds;
        one = reduce;
        rack = to;
        other = with;
      }
    }

    boolean isFound() {
      return one >= 0;
    }

    boolean take() {
      if (rack >= 0) {
        loads.move(one, rack);
      } else if (other >= 0) {
        loads.swap(one, other);
      }
      return isFound();
    }
  }

  /**
   * Makes a few random moves and swaps, the first one at the busiest rack. Now and then it makes
   * more, to escape a state that a few would lead back to. Large reduces are more likely to be
   * chosen, because their racks decide how much the small ones can improve.
   */
  private void disturb() {
    int kicks = 2 + random.nextInt(random.nextInt(8) == 0 ? 12 : 3);
    int busiest = loads.busiest();
    for (int i = 0; i < kicks; i++) {
      budget--;
      int one = largerOfTwo();
      int rack = i == 0 ? busiest : random.nextInt(problem.racks());
      int other = largerOfTwo();
      if (loads.rackOf(one) != rack && loads.hasRoom(rack)) {
        loads.move(one, rack);
      } else if (loads.rackOf(one) != loads.rackOf(other)) {
        loads.swap(one, other);
      }
    }
  }

  private int largerOfTwo() {
    int one = random.nextInt(problem.reduces());
    int other = random.nextInt(problem.reduces());
    return problem.size(one) > problem.size(other) ? one : other;
  }

  /** Finds a placement with the same value and fewer bytes between racks. */
  void fewerBytes() {
    double limit = loads.seconds() * (1 + SAME);
    boolean improved = true;
    while (improved) {
      improved = false;
      for (int j = 0; j < problem.reduces(); j++) {
        improved |= bringNearer(j, limit);
      }
    }
  }

  /** Moves a reduce to the rack with most of its input, of the racks that stay in the limit. */
  private boolean bringNearer(int reduce, double limit) {
    double[] input = problem.row(reduce);
    int from = loads.rackOf(reduce);
    int nearest = from;
    for (int r = 0; r < input.length; r++) {
      if (input[r] > input[nearest] * (1 + SAME)
          && loads.hasRoom(r)
          && loads.secondsAfterMove(reduce, r, limit) <= limit) {
        nearest = r;
      }
    }
    if (nearest != from) {
      loads.move(reduce, nearest);
    }
    return nearest != from;
  }
}
