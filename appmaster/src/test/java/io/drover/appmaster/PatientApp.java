// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.awaitility.Awaitility;

/**
 * Hadoop's own AppMaster for tests on a machine that may be busy. What is waited for may take as
 * long as it likes, and no time passes in the job unless a test says so: what a job gives up after
 * seconds is not given up because a thread had to wait for a processor.
 */
public abstract class PatientApp extends MRApp {
  /** Much longer than anything takes, also if twenty others want the processors. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  static {
    // what is waited for here is mostly there in a few milliseconds, and there is much of it
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
    Awaitility.setDefaultTimeout(PATIENCE);
  }

  private final AtomicLong time;

  /**
   * Creates an app that is not started.
   *
   * @param number of this app among those of its job; the first is 1
   * @param time what its clock shows, milliseconds
   */
  protected PatientApp(int maps, int reduces, String name, int number, AtomicLong time) {
    super(maps, reduces, false, name, number == 1, number, time::get, true);
    this.time = time;
  }

  /** Nobody: Hadoop's makes copies when it likes. */
  @Override
  protected Speculator createSpeculator(Configuration conf, AppContext context) {
    return new Speculator() {
      @Override
      public void handle(SpeculatorEvent event) {}

      @Override
      public void handleAttempt(TaskAttemptStatus status) {}
    };
  }

  /** Lets time pass in the job. */
  void passes(Duration time) {
    this.time.addAndGet(time.toMillis());
  }

  @Override
  public void waitForState(Job job, JobState state) {
    await(job.getID() + " is " + state).until(() -> job.getState() == state);
  }

  @Override
  public void waitForState(Task task, TaskState state) {
    await(task.getID() + " is " + state).until(() -> task.getState() == state);
  }

  @Override
  public void waitForInternalState(JobImpl job, JobStateInternal state) {
    await(job.getID() + " is " + state).until(() -> job.getInternalState() == state);
  }
}
