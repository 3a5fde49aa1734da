// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.CopiesUnderTest;
import io.drover.speculator.Breakers;
import io.drover.speculator.SecondAttempts;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.metrics.MRAppMetrics;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;

/** Drover's map task, made as MapTaskImpl is. */
@SuppressWarnings("rawtypes") // EventHandler, as MapTaskImpl has it
public class DroverMapTaskUnderTest extends DroverMapTask {
  public DroverMapTaskUnderTest(
      JobId job,
      int partition,
      EventHandler eventHandler,
      Path jobFile,
      JobConf conf,
      TaskSplitMetaInfo split,
      TaskAttemptListener listener,
      Token<JobTokenIdentifier> jobToken,
      Credentials credentials,
      Clock clock,
      int appAttempt,
      MRAppMetrics metrics,
      AppContext appContext) {
    super(
        new MapTaskImpl(
            job,
            partition,
            eventHandler,
            jobFile,
            conf,
            split,
            listener,
            jobToken,
            credentials,
            clock,
            appAttempt,
            metrics,
            appContext),
        job,
        appAttempt,
        metrics,
        CopiesUnderTest.parts(),
        new ExcusedFailures(new SecondAttempts((why, seenHere) -> {}), Breakers.uncounted()));
  }
}
