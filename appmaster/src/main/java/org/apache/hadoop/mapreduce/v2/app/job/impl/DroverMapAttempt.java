// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import org.apache.hadoop.mapred.MapTaskAttemptImpl;
import org.apache.hadoop.mapreduce.v2.api.records.Avataar;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;

/** A map attempt that may stand in for one that was killed; see {@link Siblings}. */
final class DroverMapAttempt extends MapTaskAttemptImpl {
  private boolean named;

  DroverMapAttempt(DroverMapTask task, int number) {
    super(
        task.getID(),
        number,
        task.eventHandler,
        task.jobFile,
        task.partition,
        task.getTaskSplitMetaInfo(),
        task.conf,
        task.taskAttemptListener,
        task.jobToken,
        task.credentials,
        task.clock,
        task.appContext);
  }

  @Override
  public void handle(TaskAttemptEvent event) {
    if (!Siblings.isAskedForAgain(this, event)) {
      super.handle(event);
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
