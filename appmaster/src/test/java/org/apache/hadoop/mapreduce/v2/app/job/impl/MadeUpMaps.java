// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.app.job.Task;

/** Maps without a job. */
public final class MadeUpMaps {
  private MadeUpMaps() {}

  /** A map that reads a split, and has no attempts. */
  public static Task of(TaskSplitMetaInfo split) {
    MapTaskImpl map = mock();
    when(map.getTaskSplitMetaInfo()).thenReturn(split);
    return map;
  }
}
