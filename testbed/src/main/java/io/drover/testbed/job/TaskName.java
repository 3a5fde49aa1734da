// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

/** How a task is called in logs, on pages and in the configuration of faults: m3, r0. */
final class TaskName {
  private TaskName() {}

  /** The name of a map, else of a reduce, by its number among its like. */
  static String of(boolean isMap, int number) {
    return (isMap ? "m" : "r") + number;
  }
}
