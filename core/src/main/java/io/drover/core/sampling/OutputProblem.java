// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * M outputs, of which K are needed, and the links that they cross.
 *
 * <p>Rack r sends the data that others read from the chosen outputs in r. It receives the data that
 * its own tasks read from chosen outputs elsewhere. Both come on top of the other load of its
 * links:
 *
 * <pre>
 *   up_r   = busyUp_r   + B_r (1 - a_r) / u_r
 *   down_r = busyDown_r + (B - B_r) a_r / v_r
 * </pre>
 *
 * <p>where B_r are the chosen bytes in r, B all chosen bytes, and a_r the share of every output
 * that tasks in r read. Source: KMN section 4.2, which leaves the cost function open; this is the
 * one of Mantri section 5.2. It assumes that all outputs are partitioned alike: their parts are
 * known only when they exist.
 */
public final class OutputProblem {
  private final int needed;
  private final int[] rack;
  private final double[] bytes;
  private final double[] share;
  private final double[] secondsPerByteUp;
  private final double[] secondsPerByteDown;
  private final double[] busyUp;
  private final double[] busyDown;

  /**
   * Creates a problem on links that carry nothing else. The arrays are copied.
   *
   * @param needed K, at least 1 and at most the number of outputs
   * @param rack the rack of each output, from 0, in the order in which they finish
   * @param bytes the size of each output, finite and at least 0
   * @param share a_r, in [0,1], 1 in total
   * @param up u_r, bandwidth out of each rack, bytes per second, above 0; infinite for no limit
   * @param down v_r, bandwidth into each rack, with the same range
   */
  public OutputProblem(
      int needed, int[] rack, double[] bytes, double[] share, double[] up, double[] down) {
    check(needed >= 1 && needed <= rack.length, "K is %d, with %d outputs", needed, rack.length);
    check(bytes.length == rack.length, "%d racks and %d sizes", rack.length, bytes.length);
    int racks = share.length;
    check(up.length == racks && down.length == racks, "up and down must have length %d", racks);
    for (int i = 0; i < rack.length; i++) {
      check(rack[i] >= 0 && rack[i] < racks, "output %d is in rack %d of %d", i, rack[i], racks);
      check(
          bytes[i] >= 0 && bytes[i] < Double.POSITIVE_INFINITY,
          "output %d has %f bytes",
          i,
          bytes[i]);
    }
    check(Arrays.stream(share).allMatch(a -> a >= 0 && a <= 1), "a share is not in [0,1]");
    check(Math.abs(Arrays.stream(share).sum() - 1) < 1e-6, "the shares do not add up to 1");
    this.needed = needed;
    this.rack = rack.clone();
    this.bytes = bytes.clone();
    this.share = share.clone();
    this.secondsPerByteUp = inverse(up);
    this.secondsPerByteDown = inverse(down);
    this.busyUp = new double[racks];
    this.busyDown = new double[racks];
  }

  private OutputProblem(
      OutputProblem like, int outputs, double[] bytes, double[] busyUp, double[] busyDown) {
    this.needed = like.needed;
    this.rack = Arrays.copyOf(like.rack, outputs);
    this.bytes = Arrays.copyOf(bytes, outputs);
    this.share = like.share;
    this.secondsPerByteUp = like.secondsPerByteUp;
    this.secondsPerByteDown = like.secondsPerByteDown;
    this.busyUp = busyUp;
    this.busyDown = busyDown;
  }

  private static double[] inverse(double[] bandwidths) {
    double[] inverse = new double[bandwidths.length];
    for (int r = 0; r < bandwidths.length; r++) {
      check(bandwidths[r] > 0, "the bandwidth of rack %d is %f, must be above 0", r, bandwidths[r]);
      inverse[r] = 1 / bandwidths[r];
    }
    return inverse;
  }

  private static void check(boolean good, String problem, Object... values) {
    if (!good) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, problem, values));
    }
  }

  /**
   * Returns the same problem on links that already have something to carry.
   *
   * @param up how long each uplink is busy, seconds, finite and at least 0
   * @param down how long each downlink is busy, with the same range
   */
  public OutputProblem withLoad(double[] up, double[] down) {
    check(up.length == racks() && down.length == racks(), "expected loads of %d racks", racks());
    for (int r = 0; r < up.length; r++) {
      double sum = up[r] + down[r];
      check(up[r] >= 0 && down[r] >= 0 && Double.isFinite(sum), "rack %d has an invalid load", r);
    }
    return new OutputProblem(this, outputs(), bytes, up.clone(), down.clone());
  }

  /** Returns the same problem with only the first {@code outputs} to finish, at least K. */
  public OutputProblem ofFirst(int outputs) {
    check(outputs >= needed && outputs <= outputs(), "%d of %d outputs", outputs, outputs());
    return new OutputProblem(this, outputs, bytes, busyUp, busyDown);
  }

  /**
   * Returns the same problem with the mean size for all outputs. Outputs chosen by size are not a
   * random K: if a block's output grows with something in the block, small outputs are a sample
   * with less of it. With equal sizes only the racks count.
   */
  public OutputProblem withEqualSizes() {
    double[] mean = new double[outputs()];
    Arrays.fill(mean, Arrays.stream(bytes).average().orElse(0));
    return new OutputProblem(this, outputs(), mean, busyUp, busyDown);
  }

  /** Returns the time of the busiest link if exactly the given outputs are passed on, seconds. */
  public double seconds(Collection<Integer> outputs) {
    double[] inRack = new double[racks()];
    double all = 0;
    for (int i : outputs) {
      inRack[rack[i]] += bytes[i];
      all += bytes[i];
    }
    return seconds(inRack, all);
  }

  /** Returns the time of the busiest link, by the chosen bytes of each rack. */
  double seconds(double[] inRack, double all) {
    double most = 0;
    for (int r = 0; r < inRack.length; r++) {
      most = Math.max(most, Math.max(upSeconds(r, inRack[r]), downSeconds(r, all - inRack[r])));
    }
    return most;
  }

  double upSeconds(int r, double chosen) {
    return busyUp[r] + chosen * (1 - share[r]) * secondsPerByteUp[r];
  }

  double downSeconds(int r, double elsewhere) {
    return busyDown[r] + elsewhere * share[r] * secondsPerByteDown[r];
  }

  /** Returns the bytes that cross between racks if the given outputs are passed on. */
  double crossRackBytes(List<Integer> outputs) {
    return outputs.stream().mapToDouble(i -> bytes[i] * (1 - share[rack[i]])).sum();
  }

  /** Returns K. */
  public int needed() {
    return needed;
  }

  /** Returns M. */
  public int outputs() {
    return rack.length;
  }

  /** Returns the number of racks. */
  public int racks() {
    return share.length;
  }

  /** Returns the rack of an output. */
  public int rack(int output) {
    return rack[output];
  }

  /** Returns the size of an output. */
  public double bytes(int output) {
    return bytes[output];
  }

  /** Returns the share of each output that is read in a rack. */
  public double share(int r) {
    return share[r];
  }
}
