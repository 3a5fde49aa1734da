// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;

/**
 * The data that the reduces of a job read, and the links that it crosses.
 *
 * <p>Source: Mantri section 5.2. There, and in the slides, all reduces have one size, and only
 * their number in each rack counts. Here each reduce has its own input in each rack, because
 * individual reduces are placed.
 */
public final class PlacementProblem {
  private final double[][] input;
  private final double[] size;
  private final double[] output;
  private final double[] secondsPerByteUp;
  private final double[] secondsPerByteDown;
  private final int[] slots;

  /**
   * Creates a problem. The arrays are copied.
   *
   * @param input {@code I[j][r]}, the bytes that reduce {@code j} reads from rack {@code r}, finite
   *     and at least 0; at least one reduce, and the same racks for each
   * @param up bandwidth out of each rack, bytes per second, above 0; infinite for no limit
   * @param down bandwidth into each rack, with the same range
   * @param slots how many of the reduces may run in each rack; in total at least as many as reduces
   * @throws IllegalArgumentException if a value is out of range; the message names it
   */
  public PlacementProblem(double[][] input, double[] up, double[] down, int[] slots) {
    int racks = up.length;
    check(input.length > 0, "there must be at least one reduce");
    check(racks > 0, "there must be at least one rack");
    check(down.length == racks, "down has %d racks and up has %d", down.length, racks);
    check(slots.length == racks, "slots has %d racks and up has %d", slots.length, racks);
    this.input = new double[input.length][];
    this.size = new double[input.length];
    this.output = new double[racks];
    for (int j = 0; j < input.length; j++) {
      check(input[j].length == racks, "reduce %d has %d racks, not %d", j, input[j].length, racks);
      this.input[j] = input[j].clone();
      for (int r = 0; r < racks; r++) {
        double bytes = input[j][r];
        check(bytes >= 0 && bytes < Double.POSITIVE_INFINITY, "reduce %d reads %f", j, bytes);
        size[j] += bytes;
        output[r] += bytes;
      }
    }
    this.secondsPerByteUp = inverse("up", up);
    this.secondsPerByteDown = inverse("down", down);
    this.slots = slots.clone();
    long free = 0;
    for (int r = 0; r < racks; r++) {
      check(slots[r] >= 0, "rack %d has %d slots", r, slots[r]);
      free += slots[r];
    }
    check(free >= input.length, "%d slots for %d reduces", free, input.length);
  }

  private static double[] inverse(String what, double[] bandwidths) {
    double[] inverse = new double[bandwidths.length];
    for (int r = 0; r < bandwidths.length; r++) {
      check(bandwidths[r] > 0, "%s of rack %d is %f, must be above 0", what, r, bandwidths[r]);
      inverse[r] = 1 / bandwidths[r];
    }
    return inverse;
  }

  private static void check(boolean good, String problem, Object... values) {
    if (!good) {
      throw new IllegalArgumentException(String.format(java.util.Locale.ROOT, problem, values));
    }
  }

  /** Returns whether everything is the same, to the last bit. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PlacementProblem that
        && Arrays.equals(slots, that.slots)
        && Arrays.equals(secondsPerByteUp, that.secondsPerByteUp)
        && Arrays.equals(secondsPerByteDown, that.secondsPerByteDown)
        && Arrays.deepEquals(input, that.input);
  }

  @Override
  public int hashCode() {
    int links = 31 * Arrays.hashCode(secondsPerByteUp) + Arrays.hashCode(secondsPerByteDown);
    return 31 * (31 * links + Arrays.hashCode(slots)) + Arrays.deepHashCode(input);
  }

  /** Returns the number of reduces. */
  public int reduces() {
    return input.length;
  }

  /** Returns the number of racks. */
  public int racks() {
    return slots.length;
  }

  /** Returns {@code I[j][r]}, bytes. */
  public double input(int reduce, int rack) {
    return input[reduce][rack];
  }

  /** Returns {@code I[j]} for loops over all racks. It must not be changed. */
  double[] row(int reduce) {
    return input[reduce];
  }

  /** Returns the bytes that a reduce reads in total. */
  public double size(int reduce) {
    return size[reduce];
  }

  /** Returns the bytes that a reduce reads from other racks if it runs in this one. */
  public double remote(int reduce, int rack) {
    return Math.max(0, size[reduce] - input[reduce][rack]);
  }

  /** Returns the bytes that all reduces together read from a rack. */
  public double output(int rack) {
    return output[rack];
  }

  /** Returns a time in which all data could cross any link, seconds. No placement needs more. */
  double longest() {
    double slowest = 0;
    for (int r = 0; r < slots.length; r++) {
      slowest = Math.max(slowest, Math.max(secondsPerByteUp[r], secondsPerByteDown[r]));
    }
    return slowest * Arrays.stream(size).sum();
  }

  /** Returns how many of the reduces may run in a rack. */
  public int slots(int rack) {
    return slots[rack];
  }

  /** Returns the seconds per byte out of a rack; 0 if its uplink has no limit. */
  public double secondsPerByteUp(int rack) {
    return secondsPerByteUp[rack];
  }

  /** Returns the seconds per byte into a rack; 0 if its downlink has no limit. */
  public double secondsPerByteDown(int rack) {
    return secondsPerByteDown[rack];
  }
}
