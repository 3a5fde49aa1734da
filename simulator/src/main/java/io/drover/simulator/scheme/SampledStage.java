// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Output;
import java.util.List;

/**
 * Records the course of a stage of which K outputs were needed.
 *
 * @param needed K
 * @param most M
 * @param begunAt the time from which its tasks could start, seconds
 * @param outputs the finished outputs when K of them were chosen, in the order in which they
 *     finished
 * @param chosenAt the time of the choice, seconds
 * @param transfers the estimate of the transfer to the next stage
 */
public record SampledStage(
    int needed,
    int most,
    double begunAt,
    List<Output> outputs,
    double chosenAt,
    Transfers transfers) {
  /** Copies the list. */
  public SampledStage {
    outputs = List.copyOf(outputs);
  }

  /**
   * A finished output.
   *
   * @param task the index of the task that made it
   * @param rack the rack that holds it
   * @param at the time when it was finished, seconds
   */
  public record Output(int task, int rack, double at) {}

  /** Returns the seconds from the stage's beginning until {@code count} outputs were finished. */
  public double secondsUntil(int count) {
    return outputs.get(count - 1).at() - begunAt;
  }
}
