// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.sampling.OutputChoice;
import io.drover.core.sampling.OutputChoice.ChosenOutputs;
import io.drover.core.sampling.OutputProblem;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.workload.PhaseSpec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Estimates, using core, how long the transfer of K outputs to the next stage takes. All outputs
 * count as equally large, as in KMN section 4.1, because a choice that prefers small outputs would
 * not be a fair sample. The next stage's tasks are not placed yet, so each rack is assumed to read
 * in proportion to its slots. Each of these tasks is assumed to add one flow to every link.
 */
public final class Transfers {
  private final int needed;
  private final double bytesOfOutput;
  private final double[] share;
  private final double[] up;
  private final double[] down;

  private Transfers(int needed, double bytesOfOutput, double[] share, double[] up, double[] down) {
    this.needed = needed;
    this.bytesOfOutput = bytesOfOutput;
    this.share = share;
    this.up = up;
    this.down = down;
  }

  /** Creates an estimate for a phase on the current network; some phase must read its outputs. */
  static Transfers of(PhaseRun phase, NetworkEstimate network) {
    PhaseSpec next = phase.job().spec().phases().get(phase.index() + 1);
    int needed = phase.spec().tasks();
    int racks = network.racks();
    double slots = IntStream.range(0, racks).mapToDouble(network::slots).sum();
    double[] share = new double[racks];
    double[] up = new double[racks];
    double[] down = new double[racks];
    for (int rack = 0; rack < racks; rack++) {
      share[rack] = network.slots(rack) / slots;
      up[rack] = network.up(rack) * CorePlacement.share(next.tasks(), network.flowsUp(rack));
      down[rack] = network.down(rack) * CorePlacement.share(next.tasks(), network.flowsDown(rack));
    }
    return new Transfers(needed, (double) next.totalBytes() / needed, share, up, down);
  }

  /** Describes at least K outputs by their racks, in the order in which they finished. */
  OutputProblem problem(List<Integer> racks) {
    double[] bytes = new double[racks.size()];
    Arrays.fill(bytes, bytesOfOutput);
    int[] places = racks.stream().mapToInt(Integer::intValue).toArray();
    return new OutputProblem(needed, places, bytes, share, up, down);
  }

  /** Returns the seconds that the busiest link needs for exactly these K outputs. */
  public double seconds(List<Integer> racks) {
    return problem(racks).seconds(IntStream.range(0, needed).boxed().toList());
  }

  /** Returns the best K of all outputs in these racks. */
  public ChosenOutputs best(List<Integer> racks) {
    return OutputChoice.leastLoaded(problem(racks));
  }
}
