// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** The sizes of the tasks of a phase, as far as they are known. */
final class TaskSizes {
  private int known;
  private double bytes;
  private long changes;

  /** Notes that the bytes of a task are now others; 0 or less if they are not known. */
  void changed(long before, long after) {
    changes++;
    if (before > 0) {
      known--;
      bytes -= before;
    }
    if (after > 0) {
      known++;
      bytes += after;
    }
  }

  /** Returns how often a size has changed. */
  long changes() {
    return changes;
  }

  /** Returns the bytes of a task, or the mean if they are not known; 1 if none are known. */
  double of(TaskModel task) {
    if (known == 0) {
      return 1;
    }
    long own = task.inputBytesOrZero();
    return own > 0 ? own : bytes / known;
  }

  /** Returns the size of a task as a multiple of the mean; 1 if none are known. */
  double relative(TaskModel task) {
    return known == 0 ? 1 : of(task) * known / bytes;
  }
}
