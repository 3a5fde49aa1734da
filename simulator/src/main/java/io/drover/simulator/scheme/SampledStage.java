// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Output;
import java.util.List;

/**
 * How a stage went of which K outputs were needed.
 *
 * @param needed K
 * @param most M
 * @param begunAt when its tasks might begin, seconds
 * @param outputs that were there when K of them were chosen, in the order in which they came
 * @param chosenAt when that was, seconds
 * @param transfers what the next stage reads
 */
public record SampledStage(
    int needed,
    int most,
    double begunAt,
    List<Output> outputs,
    double chosenAt,
    Transfers transfers) {
  /** Copies. */
  public SampledStage {
    outputs = List.copyOf(outputs);
  }

  /**
   * An output.
   *
   * @param task that made it, by index
   * @param rack in which it lies
   * @param at when it was there, seconds
   */
  public record Output(int task, int rack, double at) {}

  /** From its beginning until so many outputs were there, seconds. */
  public double secondsUntil(int count) {
    return outputs.get(count - 1).at() - begunAt;
  }
}
