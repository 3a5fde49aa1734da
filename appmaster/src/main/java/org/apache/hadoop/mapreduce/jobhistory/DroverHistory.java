// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.jobhistory;

import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;

/** Corrects what was read from the job history of an earlier AppMaster. Decides nothing. */
public final class DroverHistory {
  private DroverHistory() {}

  /** Marks an attempt as killed, and leaves everything else about it unchanged. */
  public static void killed(TaskAttemptInfo attempt) {
    attempt.status = TaskAttemptState.KILLED.toString();
  }
}
