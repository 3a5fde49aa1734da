// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** Creates the map of an attempt as {@link MapTaskAttemptImpl} does, but with a given split. */
public final class DroverBoundMap {
  private DroverBoundMap() {}

  /**
   * Creates a map.
   *
   * @param partition the number of its task
   * @param split where its split is in the job's file of splits
   */
  public static Task create(
      TaskAttemptId attempt, int partition, TaskSplitIndex split, JobConf conf) {
    MapTask map = new MapTask("", TypeConverter.fromYarn(attempt), partition, split, 1);
    map.setUser(conf.get(MRJobConfig.USER_NAME));
    map.setConf(conf);
    return map;
  }
}
