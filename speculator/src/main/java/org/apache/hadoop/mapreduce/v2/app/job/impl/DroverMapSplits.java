// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import org.apache.hadoop.mapreduce.v2.app.job.Task;

/** Reads what {@link MapTaskImpl} shows to its own package only. Decides nothing. */
public final class DroverMapSplits {
  private DroverMapSplits() {}

  /**
   * The length of the split that a map reads.
   *
   * @return bytes; 0 if it is not known, or the task is no map
   */
  public static long length(Task task) {
    return task instanceof MapTaskImpl map ? map.getTaskSplitMetaInfo().getInputDataLength() : 0;
  }
}
