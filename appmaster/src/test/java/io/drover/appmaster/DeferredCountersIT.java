// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.speculator.DroverCounter;
import io.drover.speculator.JobCounters;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.junit.jupiter.api.Test;

/** Drover's counters beside those of a job, in Hadoop's AppMaster. */
class DeferredCountersIT {
  private static final int HADOOPS_LIMIT = 120;

  /** An attempt of the app's only map that has told of so many counters of its program. */
  private static TaskAttempt counting(TestApp app, int counters) throws Exception {
    Task map = app.task(TaskType.MAP, 0);
    await().until(() -> map.getAttempts().size() == 1);
    TaskAttempt attempt = map.getAttempts().values().iterator().next();
    await().until(() -> attempt.getState() == TaskAttemptState.RUNNING);
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = attempt.getID();
    status.phase = Phase.MAP;
    status.stateString = "";
    status.counters = new Counters();
    for (int i = 0; i < counters; i++) {
      status.counters.findCounter("program", "counter " + i).increment(1);
    }
    app.send(new TaskAttemptStatusUpdateEvent(attempt.getID(), new AtomicReference<>(status)));
    app.settle();
    return attempt;
  }

  private static long drovers(TestApp app, DroverCounter counter) {
    return app.job().getAllCounters().findCounter(counter).getValue();
  }

  private static void countClones(TestApp app) {
    JobCounters.add(app.job(), DroverCounter.CLONES_LAUNCHED, 2);
    JobCounters.add(app.job(), DroverCounter.CLONES_LAUNCHED, 1);
    JobCounters.add(app.job(), DroverCounter.CLONES_LOST, 3);
  }

  @Test
  void areThereWhileTheJobRunsAndWhenItHasEnded() throws Exception {
    try (TestApp app = TestApp.start(1, 0)) {
      TaskAttempt attempt = counting(app, 1);
      countClones(app);
      assertThat(drovers(app, DroverCounter.CLONES_LAUNCHED)).isEqualTo(3);
      app.send(attempt, TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(drovers(app, DroverCounter.CLONES_LAUNCHED)).isEqualTo(3);
      assertThat(drovers(app, DroverCounter.CLONES_LOST)).isEqualTo(3);
    }
  }

  @Test
  void areThereWhenTheJobWasKilled() throws Exception {
    try (TestApp app = TestApp.start(1, 0)) {
      counting(app, 1);
      countClones(app);
      app.send(new JobEvent(app.job().getID(), JobEventType.JOB_KILL));
      app.waitForState(app.job(), JobState.KILLED);
      assertThat(drovers(app, DroverCounter.CLONES_LOST)).isEqualTo(3);
    }
  }

  /** The speculator counts them in its passes, of which there may be none, and none after them. */
  @Test
  void stepsThatFailedAreCountedWhoeverElseCountsThem() throws Exception {
    try (TestApp app = TestApp.start(1, 0)) {
      TaskAttempt attempt = counting(app, 1);
      app.ofTheJob.of("Something").failed(new IllegalStateException("on purpose"));
      JobCounters.add(app.job(), DroverCounter.STEPS_FAILED, 1); // by a pass
      app.ofTheJob.contain(
          "Another thing",
          () -> {
            throw new IllegalStateException("on purpose");
          });
      app.send(attempt, TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
      assertThat(drovers(app, DroverCounter.STEPS_FAILED)).isEqualTo(2);
    }
  }

  /** Hadoop's own sum would throw, on the thread that all of the AppMaster hangs on. */
  @Test
  void areLeftOutOfAJobThatHasAsManyAsItMayHave() throws Exception {
    try (TestApp app = TestApp.start(1, 0)) {
      TaskAttempt attempt = counting(app, HADOOPS_LIMIT);
      countClones(app);
      assertThat(app.job().getAllCounters().getGroup("program").size()).isEqualTo(HADOOPS_LIMIT);
      app.send(attempt, TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
      Counters last = app.job().getAllCounters();
      assertThat(last.getGroup("program").size()).isEqualTo(HADOOPS_LIMIT);
      assertThat(last.getGroup(DroverCounter.class.getName()).size()).isZero();
    }
  }
}
