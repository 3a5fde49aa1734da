// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class RanksTest {
  private final Random random = new Random(7);

  @Test
  void valuesThatAreSpreadEvenlyAreCounted() {
    agreeWithCounting(random(1_000, random::nextDouble));
  }

  @Test
  void valuesInOneHeapWithOneFarAwayAreCounted() {
    double[] values = random(1_000, () -> 1 + 1e-9 * random.nextDouble());
    values[500] = 1e12;
    agreeWithCounting(values);
  }

  @Test
  void oneOfSeveralEqualValuesIsNotBelowTheOthers() {
    agreeWithCounting(random(1_000, () -> random.nextInt(10)));
    agreeWithCounting(new double[] {3, 3, 3});
  }

  @Test
  void valuesOnBothSidesOfZeroAreCounted() {
    agreeWithCounting(random(1_000, random::nextGaussian));
  }

  @Test
  void valuesThatHardlyDifferOrDifferAsMuchAsCanBeAreCounted() {
    agreeWithCounting(new double[] {0, Double.MIN_VALUE, 2 * Double.MIN_VALUE});
    agreeWithCounting(new double[] {-Double.MAX_VALUE, 0, 1, Double.MAX_VALUE});
  }

  @Test
  void oneValueOrNoneIsCounted() {
    agreeWithCounting(new double[] {5});
    assertEquals(0, new Ranks(new double[0]).countBelow(1));
  }

  private static double[] random(int count, DoubleSupplier source) {
    double[] values = new double[count];
    Arrays.setAll(values, i -> source.getAsDouble());
    return values;
  }

  /** Compares at each value, just beside it, and beyond both ends. */
  private static void agreeWithCounting(double[] values) {
    Ranks ranks = new Ranks(values);
    for (double value : values) {
      agreesWithCounting(ranks, values, value);
      agreesWithCounting(ranks, values, Math.nextUp(value));
      agreesWithCounting(ranks, values, Math.nextDown(value));
    }
    agreesWithCounting(ranks, values, Double.NEGATIVE_INFINITY);
    agreesWithCounting(ranks, values, Double.POSITIVE_INFINITY);
  }

  private static void agreesWithCounting(Ranks ranks, double[] values, double limit) {
    long below = Arrays.stream(values).filter(value -> value < limit).count();
    assertEquals(below, ranks.countBelow(limit), () -> "below " + limit);
  }
}
