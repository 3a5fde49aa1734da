// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * The sizes of the tasks of a phase, as far as they are known. A small file or an empty partition
 * takes the time of a start, however few bytes it has, so no seconds per byte are learnt from it.
 */
final class TaskSizes {
  /**
   * A task with less than this share of the mean is small. The mean is that of all but the largest:
   * where one has nearly all the bytes, the others are not small, but like each other.
   */
  private static final double SMALL = 0.25;

  private int known;
  private double bytes;
  private long largest;
  private long changes;

  /** Notes that the bytes of a task are now others; 0 or less if they are not known. */
  void changed(long before, long after) {
    changes++;
    if (before > 0) {
      known--;
      bytes -= before;
    }
    if (before == largest) { // a reduce's size is first an estimate; the next largest comes up soon
      largest = 0;
    }
    if (after > 0) {
      known++;
      bytes += after;
      largest = Math.max(largest, after);
    }
  }

  /** Returns how often a size has changed. */
  long changes() {
    return changes;
  }

  private double smallBelow() {
    return known > 1 ? SMALL * (bytes - largest) / (known - 1) : 0;
  }

  /** Returns whether a task is small, or has no bytes while others have. */
  boolean isSmall(TaskModel task) {
    return known > 0 && task.inputBytesOrZero() < Math.max(1, smallBelow());
  }

  /** Returns the seconds per byte; NaN if the task is small. */
  double rate(TaskModel task, double seconds) {
    return isSmall(task) ? Double.NaN : seconds / of(task);
  }

  /**
   * Returns the bytes of a task, or the least of one that is not small if they are fewer; the mean
   * if they are not known; 1 if none are known.
   */
  double of(TaskModel task) {
    if (known == 0) {
      return 1;
    }
    long own = task.inputBytesOrZero();
    return own > 0 ? Math.max((double) own, smallBelow()) : bytes / known;
  }

  /** Returns the size of a task as a multiple of the mean; 1 if none are known. */
  double relative(TaskModel task) {
    return known == 0 ? 1 : of(task) * known / bytes;
  }
}
