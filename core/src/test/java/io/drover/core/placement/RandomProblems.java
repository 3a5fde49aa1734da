// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.SplittableRandom;

/** Creates all kinds of problems: skewed and equal reduces, unequal links, tight slots. */
public final class RandomProblems {
  private RandomProblems() {}

  /** Creates a problem. The same seed gives the same problem. */
  public static PlacementProblem of(long seed, int reduces, int racks) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean skewedReduces = random.nextBoolean();
    boolean alike = random.nextInt(3) == 0;
    boolean unequalLinks = random.nextBoolean();
    boolean tightSlots = random.nextBoolean();
    double[] share = new double[racks];
    for (int r = 0; r < racks; r++) {
      share[r] = Math.pow(random.nextDouble(0.05, 1), 2);
    }
    double[][] input = new double[reduces][racks];
    for (int j = 0; j < reduces; j++) {
      double size = skewedReduces ? Math.pow(random.nextDouble(0.02, 1), -1 / 1.5) : 1;
      for (int r = 0; r < racks; r++) {
        double own = alike ? 1 : -Math.log(1 - random.nextDouble());
        input[j][r] = 1e8 * size * share[r] * own;
      }
    }
    double[] up = new double[racks];
    double[] down = new double[racks];
    int[] slots = new int[racks];
    int free = 0;
    for (int r = 0; r < racks; r++) {
      up[r] = 1e8 * (unequalLinks ? random.nextDouble(0.2, 2) : 1);
      down[r] = 1e8 * (unequalLinks ? random.nextDouble(0.2, 2) : 1);
      slots[r] = tightSlots ? random.nextInt(1 + 2 * reduces / racks) : reduces;
      free += slots[r];
    }
    for (int r = 0; free < reduces; r = (r + 1) % racks) {
      slots[r]++;
      free++;
    }
    return new PlacementProblem(input, up, down, slots);
  }
}
