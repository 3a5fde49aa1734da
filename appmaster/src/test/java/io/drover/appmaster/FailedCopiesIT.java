// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.awaitState;
import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptFailEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A map with a copy that Drover has added, in a job whose tasks may fail once, or twice. */
class FailedCopiesIT {
  private static final int FAILED_MAP = 5;
  private static final CloneSettings NO_CLONES = new CloneSettings(0, 1, 0.05, 0.05, 0.1);

  private final Set<ContainerId> released = ConcurrentHashMap.newKeySet();
  private final Noting scheduler = new Noting();
  private TestApp app;
  private Task map;

  /** Notes what it is given back, and may launch nothing. */
  private final class Noting extends FakeScheduler {
    private final Set<ContainerId> unknown = ConcurrentHashMap.newKeySet();
    private volatile boolean launches = true;

    Noting() {
      super(ApplicationAttemptId.newInstance(ApplicationId.newInstance(0, 0), 1), 61);
      nodes(8, "/r", 10);
    }

    @Override
    public synchronized AllocateResponse allocate(AllocateRequest request) {
      released.addAll(request.getReleaseList());
      return super.allocate(request);
    }

    /** A node tells nothing of the end of a container that it has not launched. */
    @Override
    boolean launcherHears(ContainerLauncherEvent event) {
      if (event.getType() == ContainerLauncher.EventType.CONTAINER_REMOTE_LAUNCH && !launches) {
        unknown.add(event.getContainerID());
        return false;
      }
      return unknown.contains(event.getContainerID()) || super.launcherHears(event);
    }
  }

  private void start(int maxAttempts) throws Exception {
    startFirst(maxAttempts);
    addCopy();
    TestApp.awaitRunning(map, 1);
  }

  /** Starts a copy whose container never comes up. */
  private void startWithoutLaunch(int maxAttempts) throws Exception {
    startFirst(maxAttempts);
    scheduler.launches = false;
    addCopy();
    await().until(() -> attempt(map, 1).getAssignedContainerID() != null);
    app.settle(); // it has been launched in vain
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.STARTING);
    scheduler.launches = true;
  }

  private void startFirst(int maxAttempts) throws Exception {
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, NO_CLONES, Mode.OFF);
    Map<String, String> settings =
        Map.of(
            MRJobConfig.MAP_MAX_ATTEMPTS,
            Integer.toString(maxAttempts),
            MRJobConfig.MAX_TASK_FAILURES_PER_TRACKER,
            "1");
    app = TestApp.on(cluster, 1, 0, settings);
    map = app.task(TaskType.MAP, 0);
    TestApp.awaitRunning(map, 0);
  }

  private void addCopy() throws Exception {
    app.send(new TaskEvent(map.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
    app.settle();
    app.second().added(attempt(map, 1).getID());
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
  }

  private void fail(TaskAttempt attempt, TaskAttemptEventType failure) throws Exception {
    app.send(attempt, failure);
    await().until(attempt::isFinished);
    app.settle();
  }

  private void finish() throws Exception {
    await().until(() -> !inState(map, TaskAttemptState.RUNNING).isEmpty());
    app.send(inState(map, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
    app.waitForState(app.job(), JobState.SUCCEEDED);
  }

  @ParameterizedTest
  @CsvSource({"1,TA_FAILMSG", "1,TA_TIMED_OUT", "1,TA_CONTAINER_COMPLETED", "2,TA_TIMED_OUT"})
  void failureOfACopyIsAKillAndTheTaskGoesOn(int maxAttempts, TaskAttemptEventType failure)
      throws Exception {
    start(maxAttempts);
    fail(attempt(map, 1), failure);
    finishWithoutTheCopy();
  }

  private void finishWithoutTheCopy() throws Exception {
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.KILLED);
    assertThat(attempt(map, 0).getState()).isEqualTo(TaskAttemptState.RUNNING);
    assertThat(map.getAttempts()).as("none takes its place").hasSize(2);
    assertThat(app.second().objection()).as("tasks may have others").isEmpty();
    finish();
  }

  @Test
  void nodeOnWhichACopyFailsCountsItAsAnyFailure() throws Exception {
    start(1);
    String host = attempt(map, 1).getNodeId().getHost();
    fail(attempt(map, 1), TaskAttemptEventType.TA_CONTAINER_COMPLETED);
    await().until(() -> scheduler.isAvoided(host));
    finish();
  }

  @Test
  void copyThatCannotBeLaunchedIsAKillAndItsContainerIsGivenBack() throws Exception {
    startWithoutLaunch(1);
    ContainerId container = attempt(map, 1).getAssignedContainerID();
    fail(attempt(map, 1), TaskAttemptEventType.TA_CONTAINER_LAUNCH_FAILED);
    await().until(() -> released.contains(container));
    finishWithoutTheCopy();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void taskWhoseCopyHasFailedFailsByItselfAsUnderHadoop(int maxAttempts) throws Exception {
    start(maxAttempts);
    fail(attempt(map, 1), TaskAttemptEventType.TA_TIMED_OUT);
    fail(attempt(map, 0), TaskAttemptEventType.TA_TIMED_OUT);
    if (maxAttempts == 2) {
      assertThat(map.getState()).isEqualTo(TaskState.RUNNING);
      TestApp.awaitRunning(map, 2);
      fail(attempt(map, 2), TaskAttemptEventType.TA_TIMED_OUT);
    }
    app.waitForState(app.job(), JobState.FAILED);
    assertThat(inState(map, TaskAttemptState.FAILED)).hasSize(maxAttempts);
  }

  @Test
  void copyForWhichTheFirstAttemptWasEndedPutsNoFailureAtStake() throws Exception {
    start(1);
    app.second().endedAsSlower(attempt(map, 0).getID());
    app.send(attempt(map, 0), TaskAttemptEventType.TA_KILL);
    await().until(attempt(map, 0)::isFinished);
    fail(attempt(map, 1), TaskAttemptEventType.TA_CONTAINER_COMPLETED);
    TestApp.awaitRunning(map, 2);
    assertThat(scheduler.given(FAILED_MAP)).as("before reduces, as Hadoop's retries").isEqualTo(1);
    finish();
  }

  @Test
  void copyWhoseFirstAttemptWasKilledByOthersFailsAsUnderHadoop() throws Exception {
    start(1);
    app.send(attempt(map, 0), TaskAttemptEventType.TA_KILL);
    await().until(attempt(map, 0)::isFinished);
    fail(attempt(map, 1), TaskAttemptEventType.TA_CONTAINER_COMPLETED);
    app.waitForState(app.job(), JobState.FAILED);
  }

  @Test
  void copyThatSaysThatNoAttemptCanSucceedIsOnlyKilled() throws Exception {
    start(1);
    app.send(new TaskAttemptFailEvent(attempt(map, 1).getID(), true));
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    finish();
  }

  /** It is killed, so the task hears of its end only when its node has confirmed it. */
  @Test
  void attemptThatAsksWhileACopyThatWasToCommitIsEndingMayCommitThen() throws Exception {
    start(1);
    TaskAttempt first = attempt(map, 0);
    TaskAttempt copy = attempt(map, 1);
    app.send(copy, TaskAttemptEventType.TA_COMMIT_PENDING);
    app.settle();
    assertThat(map.canCommit(copy.getID())).isTrue();
    scheduler.deaf(copy.getNodeId().getHost());
    app.send(copy, TaskAttemptEventType.TA_FAILMSG);
    app.send(first, TaskAttemptEventType.TA_COMMIT_PENDING);
    app.settle();
    assertThat(first.getState()).isEqualTo(TaskAttemptState.COMMIT_PENDING);
    assertThat(map.canCommit(first.getID())).isFalse(); // the copy may not be gone
    app.send(copy, TaskAttemptEventType.TA_CONTAINER_CLEANED); // the launcher has given up
    await().until(() -> map.canCommit(first.getID()));
    app.send(first, TaskAttemptEventType.TA_DONE);
    app.waitForState(app.job(), JobState.SUCCEEDED);
    assertThat(map.getAttempts()).hasSize(2);
  }

  @Test
  void requestToCommitThatIsOnItsWayWhenTheOtherAttemptEndsCountsOnce() throws Exception {
    start(1);
    TaskAttempt first = attempt(map, 0);
    TaskAttempt copy = attempt(map, 1);
    app.send(copy, TaskAttemptEventType.TA_COMMIT_PENDING);
    app.settle();
    app.onDispatcher(
        () -> {
          handle(copy, TaskAttemptEventType.TA_CONTAINER_CLEANED); // its end, which the task hears
          handle(first, TaskAttemptEventType.TA_COMMIT_PENDING); // before this
        });
    assertThat(first.getState()).isEqualTo(TaskAttemptState.COMMIT_PENDING);
    assertThat(map.canCommit(first.getID())).isTrue();
    app.send(first, TaskAttemptEventType.TA_DONE);
    app.waitForState(app.job(), JobState.SUCCEEDED);
  }

  private static void handle(TaskAttempt attempt, TaskAttemptEventType type) {
    HadoopAttempts.handle(attempt, new TaskAttemptEvent(attempt.getID(), type));
  }

  @Test
  void copyThatTheUserFailsCounts() throws Exception {
    start(1);
    app.send(attempt(map, 1), TaskAttemptEventType.TA_FAILMSG_BY_CLIENT);
    app.waitForState(app.job(), JobState.FAILED);
  }

  @Test
  void copyThatReportsAnErrorOfItsProgramIsStillSuspect() throws Exception {
    start(1);
    String lease = "Error: java.io.IOException: the lease was taken";
    app.send(new TaskAttemptDiagnosticsUpdateEvent(attempt(map, 1).getID(), lease));
    app.send(attempt(map, 1), TaskAttemptEventType.TA_FAILMSG);
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    app.settle();
    assertThat(app.second().objection()).isPresent();
    finish();
  }
}
