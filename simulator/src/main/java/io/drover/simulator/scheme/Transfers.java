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
 * How long K of some outputs take on their way to the next stage, by core. All outputs count as
 * equally large, as in KMN section 4.1: who preferred small ones would not take any K. The next
 * stage's tasks are not placed yet: each rack is taken to read its share of the slots. A link is
 * taken to leave to this transfer what its present flows leave to as many tasks more.
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

  /** Of the outputs of a phase, on the network as it is; there must be a phase that reads them. */
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

  /** Outputs in these racks, in the order in which they come; at least K. */
  OutputProblem problem(List<Integer> racks) {
    double[] bytes = new double[racks.size()];
    Arrays.fill(bytes, bytesOfOutput);
    int[] places = racks.stream().mapToInt(Integer::intValue).toArray();
    return new OutputProblem(needed, places, bytes, share, up, down);
  }

  /** What the busiest link needs for exactly these K outputs, seconds. */
  public double seconds(List<Integer> racks) {
    return problem(racks).seconds(IntStream.range(0, needed).boxed().toList());
  }

  /** The best K of all outputs in these racks. */
  public ChosenOutputs best(List<Integer> racks) {
    return OutputChoice.leastLoaded(problem(racks));
  }
}
