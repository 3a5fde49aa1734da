// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * M outputs, of which K are needed, and the links that they cross.
 *
 * <p>Rack r sends what others read of the outputs chosen there, and receives what its own tasks
 * read of the outputs chosen elsewhere; on top of what its links carry for others:
 *
 * <pre>
 *   up_r   = busyUp_r   + B_r (1 - a_r) / u_r
 *   down_r = busyDown_r + (B - B_r) a_r / v_r
 * </pre>
 *
 * <p>where B_r are the chosen bytes in r, B all chosen bytes, and a_r the share of every output
 * that tasks in r read. Source: KMN section 4.2, which leaves the cost function open; this is
 * Mantri's of section 5.2. That all outputs are partitioned alike is an assumption: which task
 * reads what of an output is known only once it is made.
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
   * A problem on links that carry nothing else; the arrays are copied.
   *
   * @param needed K, at least 1 and at most the number of outputs
   * @param rack of each output, from 0; in the order in which they finish
   * @param bytes of each output, finite and at least 0
   * @param share a_r, in [0,1], 1 in all
   * @param up u_r, bandwidth out of each rack, bytes per second, above 0; infinite for no limit
   * @param down v_r, bandwidth into each rack, likewise
   */
  public OutputProblem(
      int needed, int[] rack, double[] bytes, double[] share, double[] up, double[] down) {
    check(needed >= 1 && needed <= rack.length, "K is %d of %d outputs", needed, rack.length);
    check(bytes.length == rack.length, "%d racks and %d sizes", rack.length, bytes.length);
    int racks = share.length;
    check(up.length == racks && down.length == racks, "shares are of %d racks, not links", racks);
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
      check(bandwidths[r] > 0, "the bandwidth of rack %d is %f", r, bandwidths[r]);
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
   * The same on links that have something to carry already.
   *
   * @param up for how long each uplink is busy, seconds, finite and at least 0
   * @param down for how long each downlink is
   */
  public OutputProblem withLoad(double[] up, double[] down) {
    check(up.length == racks() && down.length == racks(), "there are %d racks", racks());
    for (int r = 0; r < up.length; r++) {
      double sum = up[r] + down[r];
      check(up[r] >= 0 && down[r] >= 0 && Double.isFinite(sum), "a load of rack %d is wrong", r);
    }
    return new OutputProblem(this, outputs(), bytes, up.clone(), down.clone());
  }

  /** The same with the outputs that finish first only: so many, at least K. */
  public OutputProblem ofFirst(int outputs) {
    check(outputs >= needed && outputs <= outputs(), "%d of %d outputs", outputs, outputs());
    return new OutputProblem(this, outputs, bytes, busyUp, busyDown);
  }

  /**
   * The same with outputs of their mean size. What is chosen by size is no longer any K: if a
   * block's output is the larger the more of something is in it, small ones are a sample with less
   * of it. With equal sizes only the racks count.
   */
  public OutputProblem withEqualSizes() {
    double[] mean = new double[outputs()];
    Arrays.fill(mean, Arrays.stream(bytes).average().orElse(0));
    return new OutputProblem(this, outputs(), mean, busyUp, busyDown);
  }

  /** What the busiest link needs if the given outputs, and no others, are passed on; seconds. */
  public double seconds(Collection<Integer> outputs) {
    double[] inRack = new double[racks()];
    double all = 0;
    for (int i : outputs) {
      inRack[rack[i]] += bytes[i];
      all += bytes[i];
    }
    return seconds(inRack, all);
  }

  /** What the busiest link needs, by the chosen bytes of each rack. */
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

  /** What crosses from rack to rack if the given outputs are passed on, bytes. */
  double crossRackBytes(List<Integer> outputs) {
    return outputs.stream().mapToDouble(i -> bytes[i] * (1 - share[rack[i]])).sum();
  }

  /** K. */
  public int needed() {
    return needed;
  }

  /** M. */
  public int outputs() {
    return rack.length;
  }

  /** How many racks. */
  public int racks() {
    return share.length;
  }

  /** The rack of an output. */
  public int rack(int output) {
    return rack[output];
  }

  /** The size of an output. */
  public double bytes(int output) {
    return bytes[output];
  }

  /** The share of each output that is read in a rack. */
  public double share(int r) {
    return share[r];
  }
}
