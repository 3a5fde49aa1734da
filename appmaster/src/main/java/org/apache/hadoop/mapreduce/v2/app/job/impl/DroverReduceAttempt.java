// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ReduceTaskAttemptImpl;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.v2.api.records.Avataar;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;

/**
 * A reduce attempt that may stand in for one that was killed; see {@link Siblings}. If its failure
 * is excused, it ends as killed; see {@link ExcusedFailures}.
 */
@SuppressWarnings("rawtypes") // EventHandler, as Hadoop has it
class DroverReduceAttempt extends ReduceTaskAttemptImpl {
  private final ExcusedFailures.OfTask failures;
  private boolean named;

  /**
   * Creates the attempt. Parameters that are not listed are those of ReduceTaskAttemptImpl.
   *
   * @param failures excuses some of its failures
   */
  DroverReduceAttempt(
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
      AppContext appContext,
      ExcusedFailures.OfTask failures) {
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
        appContext);
    this.failures = failures;
  }

  @Override
  public void handle(TaskAttemptEvent event) {
    if (!Siblings.isAskedForAgain(this, event)) {
      super.handle(failures.instead(this, event));
    }
  }

  @Override
  public void setAvataar(Avataar avataar) {
    if (!named) {
      super.setAvataar(avataar);
      named = true;
    }
  }
}
