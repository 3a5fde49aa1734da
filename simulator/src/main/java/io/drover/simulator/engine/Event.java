// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

/** Something that happens at a time. */
interface Event {
  /**
   * It happens.
   *
   * @param now seconds; who has put off or given up what was to happen sees by it that this is not
   *     the time
   */
  void happen(double now);
}
