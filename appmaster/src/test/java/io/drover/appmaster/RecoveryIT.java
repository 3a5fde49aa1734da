// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.awaitState;
import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.jobhistory.EarlierHistory;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptFailEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A map whose failures were excused, whose AppMaster dies when it has succeeded at last, before the
 * reduce has read its output. What reduces are told of a map is what they fetch: one that is
 * TIPFAILED they do without, whatever is told of it later.
 */
class RecoveryIT {
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
  private static final int MAX_ATTEMPTS = 4;
  private static final String LEASE = "Error: java.io.IOException: the lease was taken";

  private final AtomicLong time = new AtomicLong(1_000_000);
  private TestApp first;
  private Task map;

  private static FakeCluster cluster(int seed) {
    FakeScheduler scheduler = FakeCluster.scheduler(seed).nodes(8, "/r", 10);
    return new FakeCluster(scheduler, FakeCluster.PATIENT, CLONES, Mode.OFF);
  }

  @BeforeEach
  void start() throws Exception {
    String most = Integer.toString(MAX_ATTEMPTS);
    first = TestApp.on(cluster(51), 1, 1, Map.of(MRJobConfig.MAP_MAX_ATTEMPTS, most));
    map = first.task(TaskType.MAP, 0);
    TestApp.awaitRunning(map, 0);
    TestApp.awaitRunning(map, 1);
    first.settle();
  }

  @AfterEach
  void stop() throws Exception {
    first.close();
  }

  /** Two are excused for the clone, the next two count, and the fifth attempt succeeds. */
  private Map<TaskId, TaskInfo> succeededAfterFailures() throws Exception {
    for (int failures = 0; failures < MAX_ATTEMPTS; failures++) {
      await().until(() -> !inState(map, TaskAttemptState.RUNNING).isEmpty());
      TaskAttempt running = inState(map, TaskAttemptState.RUNNING).get(0);
      first.send(new TaskAttemptDiagnosticsUpdateEvent(running.getID(), LEASE));
      first.send(new TaskAttemptFailEvent(running.getID()));
      await().until(running::isFinished); // so its end is in the history
      first.settle();
      assertThat(inState(map, TaskAttemptState.RUNNING)).doesNotContain(running);
    }
    await().until(() -> !inState(map, TaskAttemptState.RUNNING).isEmpty());
    first.send(inState(map, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
    first.waitForState(map, TaskState.SUCCEEDED);
    first.settle();
    first.close();
    return EarlierHistory.completedTasks(new ArrayList<>(first.history));
  }

  private static List<Status> toldOfMaps(Job job) {
    return Arrays.stream(job.getMapAttemptCompletionEvents(0, 100))
        .map(TaskCompletionEvent::getTaskStatus)
        .toList();
  }

  @Test
  void excusedFailureIsAKillToAllThatHearOfIt() throws Exception {
    TaskAttempt clone = attempt(map, 1);
    first.send(new TaskAttemptDiagnosticsUpdateEvent(clone.getID(), LEASE));
    first.send(new TaskAttemptFailEvent(clone.getID()));
    awaitState(clone, TaskAttemptState.KILLED);
    await().until(clone::isFinished);
    first.settle();
    assertThat(clone.getDiagnostics())
        .contains(LEASE)
        .last()
        .asString()
        .startsWith("Drover: this failure is excused and counts as a kill");
    assertThat(toldOfMaps(first.job())).containsExactly(Status.KILLED);
    assertThat(counter(JobCounter.NUM_FAILED_MAPS)).isZero();
    assertThat(counter(JobCounter.NUM_KILLED_MAPS)).isEqualTo(1);
  }

  private long counter(JobCounter counter) {
    return first.job().getAllCounters().findCounter(counter).getValue();
  }

  @Test
  void hadoopsNextAppMasterTellsReducesOfTheOutput() throws Exception {
    Map<TaskId, TaskInfo> before = succeededAfterFailures();
    try (MRApp second = hadoops(before)) {
      Job job = second.submit(TestApp.conf());
      second.waitForState(job.getTask(map.getID()), TaskState.SUCCEEDED);
      await().until(() -> toldOfMaps(job).contains(Status.SUCCEEDED));
      assertThat(toldOfMaps(job)).doesNotContain(Status.TIPFAILED);
    }
  }

  private static MRApp hadoops(Map<TaskId, TaskInfo> before) {
    AtomicLong time = new AtomicLong(System.currentTimeMillis());
    return new PatientApp(1, 1, "RecoveryIT", 1, time) {
      @Override
      public Map<TaskId, TaskInfo> getCompletedTaskFromPreviousRun() {
        return before;
      }
    };
  }

  @Test
  void droversNextAppMasterTellsReducesOfTheOutput() throws Exception {
    recoversWithDrover(succeededAfterFailures());
  }

  /** As versions before did it, and Hadoop does of an attempt that fails after the success. */
  @Test
  void historyWithMoreFailuresThanTheTaskCanHaveHadIsCorrected() throws Exception {
    Map<TaskId, TaskInfo> before = succeededAfterFailures();
    TaskInfo task = before.get(map.getID());
    for (TaskAttemptInfo attempt : task.getAllTaskAttempts().values()) {
      if (attempt.getTaskStatus().equals("KILLED")) {
        EarlierHistory.failed(attempt);
      }
    }
    recoversWithDrover(before);
  }

  private void recoversWithDrover(Map<TaskId, TaskInfo> before) throws Exception {
    List<TaskInfo> tasks = List.copyOf(before.values());
    try (TestApp second = TestApp.feeding(cluster(52), 1, 1, 0.1, time, tasks)) {
      Job job = second.job();
      second.waitForState(second.task(TaskType.MAP, 0), TaskState.SUCCEEDED);
      await().until(() -> toldOfMaps(job).contains(Status.SUCCEEDED));
      assertThat(toldOfMaps(job)).doesNotContain(Status.TIPFAILED);
      assertThat(second.task(TaskType.MAP, 0).getAttempts()).hasSize(MAX_ATTEMPTS + 1);
    }
  }
}
