// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import java.util.List;

/**
 * Which K outputs go on, or when to ask again.
 *
 * @param outputs the tasks that made them, by index; none if a better choice is waited for
 * @param askAgainAt seconds, if no output comes before; only if there are none, and then later than
 *     now, or infinite
 */
public record SampleChoice(List<Integer> outputs, double askAgainAt) {
  /** Copies. */
  public SampleChoice {
    outputs = List.copyOf(outputs);
  }

  static SampleChoice of(List<Integer> outputs) {
    return new SampleChoice(outputs, 0);
  }

  static SampleChoice waitUntil(double at) {
    return new SampleChoice(List.of(), at);
  }
}
