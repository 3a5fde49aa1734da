// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;

/**
 * Drover's reduce attempt, made as ReduceTaskAttemptImpl is: of no task, so none excuses its
 * failures.
 */
@SuppressWarnings("rawtypes") // EventHandler, as ReduceTaskAttemptImpl has it
public class DroverReduceAttemptUnderTest extends DroverReduceAttempt {
  public DroverReduceAttemptUnderTest(
      TaskId task,
      int number,
      EventHandler eventHandler,
      Path jobFile,
      int partition,
      int maps,
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
        maps,
        conf,
        listener,
        jobToken,
        credentials,
        clock,
        appContext,
        (attempt, event) -> event);
  }
}
