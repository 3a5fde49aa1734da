// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

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

  /** These outputs go on. */
  public static SampleChoice of(List<Integer> outputs) {
    return new SampleChoice(outputs, 0);
  }

  /** None yet; the scheme is asked again at that time, or when an output comes. */
  public static SampleChoice waitUntil(double at) {
    return new SampleChoice(List.of(), at);
  }
}
