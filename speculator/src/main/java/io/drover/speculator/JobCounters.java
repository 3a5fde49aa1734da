// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.EventHandler;

/** Adds to a job's counters. */
public final class JobCounters {
  private JobCounters() {}

  /** Adds an amount some time soon. Any thread may call this. */
  @SuppressWarnings("unchecked") // the event handler is raw in AppContext
  public static void post(AppContext context, DroverCounter counter, long amount) {
    ApplicationId application = context.getApplicationID();
    JobCounterUpdateEvent update =
        new JobCounterUpdateEvent(MRBuilderUtils.newJobId(application, application.getId()));
    update.addCounterUpdate(counter, amount);
    context.getEventHandler().handle(update);
  }

  /**
   * Adds an amount at once if it is positive. Only the dispatcher thread may call this. JobImpl
   * accepts counters in every state.
   */
  @SuppressWarnings("unchecked") // JobImpl is an EventHandler<JobEvent>; Job does not say so
  public static void add(Job job, DroverCounter counter, long amount) {
    if (amount > 0) {
      JobCounterUpdateEvent update = new JobCounterUpdateEvent(job.getID());
      update.addCounterUpdate(counter, amount);
      ((EventHandler<JobEvent>) job).handle(update);
    }
  }
}
