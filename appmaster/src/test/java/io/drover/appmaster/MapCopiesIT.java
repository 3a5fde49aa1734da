// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.awaitState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.jobhistory.EarlierHistory;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttemptStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobUpdatedNodesEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.CountedRequests;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A map and a reduce, each started with a clone, in Hadoop's own AppMaster. The job is 20 s old, so
 * omega is 2 s.
 */
class MapCopiesIT {
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
  private static final long OMEGA = 2_000;

  private final AtomicLong time = new AtomicLong(1_000_000);
  private final FakeScheduler scheduler = FakeCluster.scheduler(7);
  private TestApp app;
  private Task map;
  private Task reduce;

  private void start(double share) throws Exception {
    for (int i = 0; i < 8; i++) {
      scheduler.node("m" + i, "/r", 4);
    }
    app =
        TestApp.feeding(
            new FakeCluster(scheduler, FakeCluster.PATIENT, CLONES, Mode.OFF),
            1,
            1,
            share,
            time,
            List.of());
    map = app.task(TaskType.MAP, 0);
    reduce = app.task(TaskType.REDUCE, 0);
    for (Task task : List.of(map, reduce)) {
      TestApp.awaitRunning(task, 0);
      TestApp.awaitRunning(task, 1);
    }
    time.addAndGet(20_000);
  }

  @AfterEach
  void stop() throws Exception {
    app.close();
  }

  private void done(Task task, int attempt) throws Exception {
    app.send(attempt(task, attempt), TaskAttemptEventType.TA_DONE);
    app.settle();
  }

  private void firstCopyIsLost(int number) throws Exception {
    TaskAttemptId id = attempt(map, number).getID();
    app.send(new TaskAttemptTooManyFetchFailureEvent(id, attempt(reduce, 0).getID(), "anywhere"));
    app.settle();
  }

  private void reduceCannotFetch(int reader, int number) throws Exception {
    app.send(notice(reader, number));
    app.settle();
  }

  private JobTaskAttemptFetchFailureEvent notice(int reader, int number) {
    return new JobTaskAttemptFetchFailureEvent(
        attempt(reduce, reader).getID(), List.of(attempt(map, number).getID()), "anywhere");
  }

  private void jobEndsWell() throws Exception {
    assertThat(app.job().getCompletedMaps()).isEqualTo(1);
    done(reduce, 0);
    app.waitForState(app.job(), JobState.SUCCEEDED);
    assertThat(app.job().getCompletedMaps()).isEqualTo(1);
    assertThat(app.job().getProgress()).isGreaterThan(0.9f);
  }

  /** What the clone of the reduce was told so far, such as SUCCEEDED 1; asked for in one go. */
  private List<String> completion() {
    return completion(app.streams().next(attempt(reduce, 1).getID(), 0, 100).orElseThrow());
  }

  /** What all that are no clones are told: Hadoop's own list. */
  private List<String> stock() {
    assertThat(app.streams().next(attempt(reduce, 0).getID(), 0, 100)).isEmpty();
    return completion(app.job().getMapAttemptCompletionEvents(0, 100));
  }

  private static List<String> completion(TaskCompletionEvent[] events) {
    return Arrays.stream(events)
        .map(event -> event.getTaskStatus() + " " + event.getTaskAttemptId().getId())
        .toList();
  }

  private void secondCopyIsThere() throws Exception {
    start(0.1);
    done(map, 0);
    done(map, 1);
    assertThat(completion()).containsExactly("SUCCEEDED 1");
  }

  @Test
  void secondCopyInTimeFeedsTheCloneFromAnotherHost() throws Exception {
    start(0.1);
    done(map, 0);
    app.waitForState(map, TaskState.SUCCEEDED);
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.RUNNING);
    assertThat(stock()).containsExactly("SUCCEEDED 0");
    assertThat(completion()).isEmpty(); // it waits
    time.addAndGet(OMEGA - 1);
    assertThat(completion()).isEmpty();
    done(map, 1);
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
    assertThat(stock()).containsExactly("SUCCEEDED 0");
    assertThat(completion()).containsExactly("SUCCEEDED 1");
    assertThat(app.streams().next(attempt(reduce, 1).getID(), 0, 1).orElseThrow()[0])
        .extracting(TaskCompletionEvent::getTaskTrackerHttp)
        .isNotEqualTo(app.job().getMapAttemptCompletionEvents(0, 1)[0].getTaskTrackerHttp());
    assertThat(app.fetches())
        .singleElement()
        .satisfies(
            line -> assertThat(line).containsEntry("own", true).containsEntry("waited", 1.999));
    jobEndsWell();
  }

  @Test
  void cloneThatWonLeavesTheFirstAttemptToMakeTheSecondCopy() throws Exception {
    start(0.1);
    done(map, 1);
    assertThat(completion()).isEmpty();
    done(map, 0);
    assertThat(stock()).containsExactly("SUCCEEDED 1");
    assertThat(completion()).containsExactly("SUCCEEDED 0");
    jobEndsWell();
  }

  @Test
  void secondSuccessOnItsWayWhenTheFirstIsCountedIsACopyToo() throws Exception {
    start(0.1);
    app.send(attempt(map, 0), TaskAttemptEventType.TA_DONE);
    done(map, 1); // before the task has heard of the first
    assertThat(completion()).containsExactly("SUCCEEDED 1");
    jobEndsWell();
  }

  @Test
  void withoutASecondCopyTheFirstIsSharedAfterOmegaAndTheOtherAttemptEnds() throws Exception {
    start(0.1);
    done(map, 0);
    assertThat(completion()).isEmpty();
    time.addAndGet(OMEGA);
    assertThat(completion()).containsExactly("SUCCEEDED 0");
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    app.settle();
    assertThat(map.getAttempts()).hasSize(2); // nobody was bred
    assertThat(app.fetches())
        .singleElement()
        .satisfies(
            line -> assertThat(line).containsEntry("own", false).containsEntry("waited", 2.0));
    jobEndsWell();
  }

  @Test
  void attemptThatIsHeldBackEndsInTimeWhileAllIsLeftToHadoopAfterErrors() throws Exception {
    start(0.1);
    done(map, 1);
    ((CountedRequests) app.getContainerAllocator()).stopsSteering();
    time.addAndGet(OMEGA);
    awaitState(attempt(map, 0), TaskAttemptState.KILLED);
    jobEndsWell();
  }

  @Test
  void shareOfNothingKillsTheOtherAttemptAtOnceAndGivesAllTheSameStream() throws Exception {
    start(0);
    done(map, 0);
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    assertThat(app.streams().next(attempt(reduce, 1).getID(), 0, 100)).isEmpty();
    jobEndsWell();
  }

  @Test
  void outlierByItsOwnReportsIsNotWaitedFor() throws Exception {
    start(0.1);
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = attempt(map, 1).getID();
    status.taskState = TaskAttemptState.RUNNING;
    status.phase = Phase.MAP;
    status.progress = 0.5f; // three quarters read in 20 s: 6.7 s more
    app.send(new SpeculatorEvent(status, time.get()));
    done(map, 0);
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    assertThat(completion()).containsExactly("SUCCEEDED 0"); // at once
    jobEndsWell();
  }

  @Test
  void attemptThatFailsWhileItIsWaitedForIsWaitedForNoLonger() throws Exception {
    start(0.1);
    done(map, 0);
    assertThat(completion()).isEmpty();
    app.send(attempt(map, 1), TaskAttemptEventType.TA_FAILMSG);
    app.settle();
    assertThat(completion()).containsExactly("SUCCEEDED 0");
    assertThat(map.getState()).isEqualTo(TaskState.SUCCEEDED);
    jobEndsWell();
  }

  /** Its task does not count the failure, so no later AppMaster may find it in the history. */
  @ParameterizedTest
  @EnumSource(
      value = TaskAttemptEventType.class,
      names = {"TA_FAILMSG", "TA_TIMED_OUT", "TA_CONTAINER_COMPLETED"})
  void attemptThatFailsWhileItIsHeldBackWasKilled(TaskAttemptEventType failure) throws Exception {
    start(0.1);
    done(map, 0);
    app.send(attempt(map, 1), failure);
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    jobEndsWell();
    TaskInfo task = EarlierHistory.completedTasks(new ArrayList<>(app.history)).get(map.getID());
    assertThat(task.getAllTaskAttempts().values())
        .extracting(TaskAttemptInfo::getTaskStatus)
        .containsExactlyInAnyOrder("SUCCEEDED", "KILLED");
  }

  @Test
  void errorOfAnAttemptThatIsHeldBackEndsSecondAttempts() throws Exception {
    start(0.1);
    done(map, 0);
    String lease = "Error: java.io.IOException: the lease was taken";
    app.send(new TaskAttemptDiagnosticsUpdateEvent(attempt(map, 1).getID(), lease));
    app.send(attempt(map, 1), TaskAttemptEventType.TA_FAILMSG);
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    assertThat(app.second().objection()).isPresent();
    jobEndsWell();
  }

  @Test
  void secondCopyTakesThePlaceOfTheFirstThatIsLost() throws Exception {
    secondCopyIsThere();
    firstCopyIsLost(0);
    app.waitForState(map, TaskState.SUCCEEDED);
    assertThat(map.getAttempts()).hasSize(2); // nothing is made again
    assertThat(stock()).containsExactly("OBSOLETE 0", "FAILED 0", "SUCCEEDED 1");
    assertThat(completion()).containsExactly("SUCCEEDED 1", "FAILED 0");
    firstCopyIsLost(1); // now it is Hadoop's own affair
    assertThat(completion()).containsExactly("SUCCEEDED 1", "FAILED 0", "FAILED 1");
    TestApp.awaitRunning(map, 2);
    done(map, 2);
    assertThat(completion()).containsExactly("SUCCEEDED 1", "FAILED 0", "FAILED 1", "SUCCEEDED 2");
    assertThat(stock()).endsWith("OBSOLETE 1", "FAILED 1", "SUCCEEDED 2");
    jobEndsWell();
  }

  @Test
  void attemptThatStillRunsWhenTheFirstCopyIsLostIsTheTasksOwn() throws Exception {
    start(0.1);
    done(map, 0);
    firstCopyIsLost(0);
    time.addAndGet(2 * OMEGA); // nobody ends it
    assertThat(completion()).containsExactly("OBSOLETE 0", "FAILED 0");
    app.onDispatcher(() -> app.copies().releaseDue(true));
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.RUNNING);
    done(map, 1);
    app.waitForState(map, TaskState.SUCCEEDED);
    assertThat(completion()).containsExactly("OBSOLETE 0", "FAILED 0", "SUCCEEDED 1");
    assertThat(stock()).isEqualTo(completion());
    jobEndsWell();
  }

  @Test
  void successRightBehindTheLossOfTheFirstCopyCounts() throws Exception {
    start(0.1);
    done(map, 0);
    TaskAttemptId id = attempt(map, 0).getID();
    app.send(new TaskAttemptTooManyFetchFailureEvent(id, attempt(reduce, 0).getID(), "anywhere"));
    done(map, 1);
    app.waitForState(map, TaskState.SUCCEEDED);
    assertThat(completion()).containsExactly("OBSOLETE 0", "FAILED 0", "SUCCEEDED 1");
    jobEndsWell();
  }

  @Test
  void wishToCommitAfterTheLossOfTheFirstCopyDoesNotEndTheJob() throws Exception {
    start(0.1);
    done(map, 0);
    firstCopyIsLost(0);
    app.send(attempt(map, 1), TaskAttemptEventType.TA_COMMIT_PENDING);
    app.settle();
    assertThat(map.canCommit(attempt(map, 1).getID())).isTrue();
    done(map, 1);
    app.waitForState(map, TaskState.SUCCEEDED);
    jobEndsWell();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void attemptThatWaitedToCommitWhenTheFirstCopyIsLostMayDoSo(boolean fails) throws Exception {
    start(0.1);
    done(map, 0);
    app.send(attempt(map, 1), TaskAttemptEventType.TA_COMMIT_PENDING);
    app.settle();
    assertThat(map.canCommit(attempt(map, 1).getID())).isFalse(); // and it does not ask again
    if (fails) {
      firstCopyIsLost(0);
    } else {
      app.send(attempt(map, 0), TaskAttemptEventType.TA_KILL);
    }
    await().until(() -> map.canCommit(attempt(map, 1).getID()));
    done(map, 1);
    app.waitForState(map, TaskState.SUCCEEDED);
    jobEndsWell();
  }

  @Test
  void secondCopyThatCannotBeFetchedIsDroppedAndTheFirstTold() throws Exception {
    secondCopyIsThere();
    reduceCannotFetch(1, 1);
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.KILLED);
    assertThat(map.getState()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(completion()).containsExactly("SUCCEEDED 1", "OBSOLETE 1", "SUCCEEDED 0");
    assertThat(stock()).containsExactly("SUCCEEDED 0");
    firstCopyIsLost(0);
    TestApp.awaitRunning(map, 2);
    done(map, 2);
    assertThat(completion()).endsWith("SUCCEEDED 0", "FAILED 0", "SUCCEEDED 2");
    jobEndsWell();
  }

  /** It is dropped before its container has ended, and its node does not confirm the end. */
  @Test
  void furtherComplaintsAboutASecondCopyThatIsDroppedDoNotEndTheJob() throws Exception {
    start(0.1);
    done(map, 0);
    TaskAttempt copy = attempt(map, 1);
    scheduler.deaf(copy.getNodeId().getHost());
    app.onDispatcher(
        () -> { // the end of the container is in the dispatcher's queue then
          HadoopAttempts.handle(
              copy, new TaskAttemptEvent(copy.getID(), TaskAttemptEventType.TA_DONE));
          app.copies().succeeded(copy, new TaskCompletionEvent());
          app.copies().observe(notice(1, 1));
        });
    assertThat(HadoopAttempts.state(copy))
        .isEqualTo(TaskAttemptStateInternal.KILL_CONTAINER_CLEANUP);
    firstCopyIsLost(1); // as Hadoop sees it after three complaints
    assertThat(app.job().getState()).isEqualTo(JobState.RUNNING);
    jobEndsWell();
  }

  @Test
  void firstCopyThatCannotBeFetchedIsHadoopsAffair() throws Exception {
    secondCopyIsThere();
    reduceCannotFetch(0, 0);
    assertThat(attempt(map, 0).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
    assertThat(completion()).containsExactly("SUCCEEDED 1");
    jobEndsWell();
  }

  @Test
  void secondCopyOnAnUnusableNodeIsDropped() throws Exception {
    secondCopyIsThere();
    NodeReport node =
        NodeReport.newInstance(
            attempt(map, 1).getNodeId(), NodeState.LOST, null, null, null, null, 0, null, 0);
    app.send(new JobUpdatedNodesEvent(app.job().getID(), List.of(node)));
    app.settle();
    assertThat(completion()).containsExactly("SUCCEEDED 1", "OBSOLETE 1", "SUCCEEDED 0");
    jobEndsWell();
  }

  @Test
  void killOfTheJobEndsTheAttemptThatWasWaitedFor() throws Exception {
    start(0.1);
    done(map, 0);
    app.send(new JobEvent(app.job().getID(), JobEventType.JOB_KILL));
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    app.waitForState(app.job(), JobState.KILLED);
  }

  @Test
  void attemptThatIsWaitedForEndsWhenNobodyIsToBeFed() throws Exception {
    start(0.1);
    done(map, 0);
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.RUNNING);
    app.send(attempt(reduce, 1), TaskAttemptEventType.TA_KILL);
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    jobEndsWell();
  }

  @Test
  void attemptThatIsWaitedForGivesItsRoomBack() throws Exception {
    start(0.1);
    done(map, 0);
    List<Integer> ended = new ArrayList<>();
    app.onDispatcher(() -> ended.add(app.copies().releaseAll()));
    assertThat(ended).containsExactly(1);
    awaitState(attempt(map, 1), TaskAttemptState.KILLED);
    assertThat(completion()).containsExactly("SUCCEEDED 0");
    jobEndsWell();
  }

  @Test
  void copyThatASpeculatorMadeIsKilledAsEver() throws Exception {
    start(0.1);
    app.send(new TaskEvent(map.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
    await().until(() -> map.getAttempts().size() == 3);
    TestApp.awaitRunning(map, 2);
    done(map, 0);
    awaitState(attempt(map, 2), TaskAttemptState.KILLED);
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.RUNNING);
    done(map, 1);
    assertThat(attempt(map, 1).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
    jobEndsWell();
  }
}
