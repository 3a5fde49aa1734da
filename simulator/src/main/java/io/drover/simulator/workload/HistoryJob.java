// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.util.List;
import java.util.OptionalLong;

/**
 * A job as its history recorded it.
 *
 * @param submitSeconds on the history's own clock
 * @param maps those that succeeded, in their order
 * @param reduces those that succeeded, in their order
 */
record HistoryJob(String id, double submitSeconds, List<Task> maps, List<Task> reduces) {
  /**
   * The first successful attempt of a task.
   *
   * @param bytes that it read, where they were recorded; above 0
   * @param start seconds, on the history's own clock
   * @param end seconds, not before the start
   */
  record Task(OptionalLong bytes, double start, double end) {}

  /** A recorded number of bytes; -1, 0 and nothing all mean that it was not recorded. */
  static OptionalLong bytes(long recorded) {
    return recorded > 0 ? OptionalLong.of(recorded) : OptionalLong.empty();
  }

  /** When the last map had ended, on the history's own clock. */
  double mapsEnd() {
    return maps.stream().mapToDouble(Task::end).max().orElse(0);
  }
}
