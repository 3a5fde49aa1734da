// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.CopiesUnderTest;
import io.drover.appmaster.sampling.SampledJob;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;

/**
 * Drover's map attempt, made as MapTaskAttemptImpl is: of no task, so none excuses its failures.
 */
@SuppressWarnings("rawtypes") // EventHandler, as MapTaskAttemptImpl has it
public class DroverMapAttemptUnderTest extends DroverMapAttempt {
  public DroverMapAttemptUnderTest(
      TaskId task,
      int number,
      EventHandler eventHandler,
      Path jobFile,
      int partition,
      TaskSplitMetaInfo split,
      JobConf conf,
      TaskAttemptListener listener,
      Token<JobTokenIdentifier> jobToken,
      Credentials credentials,
      Clock clock,
      AppContext appContext) {
    super(
        task,
        number,
        eventHandler,
        jobFile,
        partition,
        split,
        conf,
        listener,
        jobToken,
        credentials,
        clock,
        appContext,
        SampledJob.wholeInput(),
        CopiesUnderTest.noProtection(),
        (attempt, event) -> event);
  }
}
