// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import org.apache.hadoop.mapreduce.v2.app.job.Task;

/** Gives access to what {@link MapTaskImpl} shows only to its package. Decides nothing. */
public final class DroverMapSplits {
  private DroverMapSplits() {}

  /**
   * Returns the length of the split that a map reads.
   *
   * @return bytes; 0 if it is not known, or if the task is not a map
   */
  public static long length(Task task) {
    return task instanceof MapTaskImpl map ? map.getTaskSplitMetaInfo().getInputDataLength() : 0;
  }
}
