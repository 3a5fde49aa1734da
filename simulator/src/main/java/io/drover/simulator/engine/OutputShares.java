// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.workload.PhaseSpec;
import java.util.Arrays;
import java.util.stream.IntStream;

/** How what a phase has put out lies in the racks, as shares of all that its tasks put out. */
final class OutputShares {
  private final double[] inRack;
  private final double whole;

  /** Nothing is there yet. */
  OutputShares(PhaseSpec spec, int racks) {
    inRack = new double[racks];
    whole = IntStream.range(0, spec.tasks()).mapToLong(i -> weight(spec.bytes(i))).sum();
  }

  /** A task that reads nothing puts something out, too. */
  static long weight(long bytes) {
    return Math.max(1, bytes);
  }

  /** What a task that reads so many bytes puts out. */
  double of(long bytes) {
    return weight(bytes) / whole;
  }

  void add(int rack, double share) {
    inRack[rack] += share;
  }

  /** What lay in one rack was lost, and is there again in another. */
  void move(int from, int to, double share) {
    inRack[from] = Math.max(0, inRack[from] - share);
    inRack[to] += share;
  }

  double in(int rack) {
    return inRack[rack];
  }

  int racks() {
    return inRack.length;
  }

  /** The share of what is there that lies in each rack. */
  double[] ofWhatIsThere() {
    double there = Arrays.stream(inRack).sum();
    return Arrays.stream(inRack).map(share -> share / there).toArray();
  }
}
