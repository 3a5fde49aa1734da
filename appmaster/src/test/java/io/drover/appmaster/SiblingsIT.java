// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static io.drover.appmaster.TestApp.awaitState;
import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverClones;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real state machines of Hadoop's AppMaster; only containers and RPC are left out. */
class SiblingsIT {
  /** Task 0 of a kind, once its first attempt runs. */
  private static Task running(TestApp app, TaskType type) throws Exception {
    Task task = app.task(type, 0);
    app.waitForState(task, TaskState.RUNNING);
    TestApp.awaitRunning(task, 0);
    return task;
  }

  private static TaskAttempt addClone(TestApp app, Task task) throws Exception {
    AtomicReference<Optional<TaskAttemptId>> made = new AtomicReference<>();
    app.onDispatcher(() -> made.set(DroverClones.add(task)));
    return task.getAttempt(made.get().orElseThrow());
  }

  @Test
  void cloneOfScheduledTaskIsMadeBesideTheFirstAttempt() throws Exception {
    try (TestApp app = TestApp.starved(1, 0)) {
      Task task = app.task(TaskType.MAP, 0);
      app.waitForState(task, TaskState.SCHEDULED);
      TaskAttempt clone = addClone(app, task);
      assertThat(task.getState()).isEqualTo(TaskState.RUNNING);
      assertThat(clone.getState()).isEqualTo(TaskAttemptState.STARTING);
      assertThat(app.requests()).isEqualTo(2);
      assertThat(app.job().getState()).isEqualTo(JobState.RUNNING);
    }
  }

  @Test
  void copyForScheduledTaskDoesNotEndTheJob() throws Exception {
    try (TestApp app = TestApp.starved(1, 0)) {
      Task task = app.task(TaskType.MAP, 0);
      app.waitForState(task, TaskState.SCHEDULED);
      app.send(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
      app.settle();
      assertThat(task.getAttempts()).hasSize(1);
      assertThat(app.job().getState()).isEqualTo(JobState.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource(TaskType.class)
  void hundredKilledClonesBreedNoRequest(TaskType type) throws Exception {
    try (TestApp app = TestApp.start(1, 1)) {
      if (type == TaskType.REDUCE) {
        Task map = running(app, TaskType.MAP);
        app.send(attempt(map, 0), TaskAttemptEventType.TA_DONE);
      }
      Task task = running(app, type);
      int before = app.requests();
      for (int i = 0; i < 100; i++) {
        TaskAttempt clone = addClone(app, task);
        if (i % 2 == 0) { // one before its launch, one after
          awaitState(clone, TaskAttemptState.RUNNING);
        }
        app.send(clone, TaskAttemptEventType.TA_KILL);
        awaitState(clone, TaskAttemptState.KILLED);
      }
      app.settle();
      assertThat(app.requests() - before).isEqualTo(100); // the clones themselves
      assertThat(inState(task, TaskAttemptState.RUNNING)).hasSize(1);
      app.send(attempt(task, 0), TaskAttemptEventType.TA_DONE);
      app.waitForState(task, TaskState.SUCCEEDED);
    }
  }

  @Test
  void lastAttemptThatIsKilledIsReplaced() throws Exception {
    try (TestApp app = TestApp.start(1, 0)) {
      Task task = running(app, TaskType.MAP);
      TaskAttempt clone = addClone(app, task);
      awaitState(clone, TaskAttemptState.RUNNING);
      app.send(attempt(task, 0), TaskAttemptEventType.TA_KILL);
      app.settle();
      assertThat(task.getAttempts()).hasSize(2);
      app.send(clone, TaskAttemptEventType.TA_KILL);
      await().until(() -> task.getAttempts().size() == 3);
      TaskAttempt fresh = last(task);
      awaitState(fresh, TaskAttemptState.RUNNING);
      app.send(fresh, TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void attemptThatFailsAfterItsSiblingWasKilledIsReplaced(boolean speculation) throws Exception {
    Configuration conf = TestApp.conf();
    conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, speculation);
    try (TestApp app = TestApp.start(1, 0, conf)) {
      Task task = running(app, TaskType.MAP);
      TaskAttempt clone = addClone(app, task);
      awaitState(clone, TaskAttemptState.RUNNING);
      app.send(clone, TaskAttemptEventType.TA_KILL);
      await().until(clone::isFinished); // that its end has begun is not enough
      app.settle();
      app.send(attempt(task, 0), TaskAttemptEventType.TA_FAILMSG);
      await().until(() -> task.getAttempts().size() == 3);
      TaskAttempt fresh = last(task);
      awaitState(fresh, TaskAttemptState.RUNNING);
      app.send(fresh, TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void attemptThatMayCommitDoesSoAfterTheOtherWasKilled() throws Exception {
    try (TestApp app = TestApp.start(1, 0)) {
      Task task = running(app, TaskType.MAP);
      TaskAttempt clone = addClone(app, task);
      awaitState(clone, TaskAttemptState.RUNNING);
      app.send(clone, TaskAttemptEventType.TA_COMMIT_PENDING);
      app.settle();
      assertThat(task.canCommit(clone.getID())).isTrue();
      app.send(clone, TaskAttemptEventType.TA_KILL); // the one that was given the go
      await().until(clone::isFinished);
      app.settle();
      TaskAttempt first = attempt(task, 0);
      app.send(first, TaskAttemptEventType.TA_COMMIT_PENDING);
      app.settle();
      assertThat(task.canCommit(first.getID())).isTrue();
      app.send(first, TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  @Test
  void lostOutputIsMadeAgainAlthoughThereWereClones() throws Exception {
    try (TestApp app = TestApp.start(1, 1)) {
      Task map = running(app, TaskType.MAP);
      TaskAttempt clone = addClone(app, map);
      awaitState(clone, TaskAttemptState.RUNNING);
      app.send(clone, TaskAttemptEventType.TA_DONE);
      app.waitForState(map, TaskState.SUCCEEDED);
      awaitState(attempt(map, 0), TaskAttemptState.KILLED);
      Task reduce = running(app, TaskType.REDUCE);
      app.send(
          new TaskAttemptTooManyFetchFailureEvent(
              clone.getID(), attempt(reduce, 0).getID(), "anywhere"));
      await().until(() -> map.getAttempts().size() == 3);
      TaskAttempt again = last(map);
      awaitState(again, TaskAttemptState.RUNNING);
      TaskAttempt another = addClone(app, map);
      app.send(another, TaskAttemptEventType.TA_KILL);
      awaitState(another, TaskAttemptState.KILLED);
      app.send(again, TaskAttemptEventType.TA_DONE);
      app.waitForState(map, TaskState.SUCCEEDED);
      app.send(attempt(reduce, 0), TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  /** Three notices make Hadoop declare a map's output lost, which is a failure of the map. */
  @Test
  void reduceAndItsClonesGiveOneNoticeOfAFailedFetch() throws Exception {
    try (TestApp app = TestApp.start(1, 1)) {
      Task map = running(app, TaskType.MAP);
      TaskAttempt lost = attempt(map, 0);
      app.send(lost, TaskAttemptEventType.TA_DONE);
      app.waitForState(map, TaskState.SUCCEEDED);
      Task reduce = running(app, TaskType.REDUCE);
      addClone(app, reduce);
      addClone(app, reduce);
      for (TaskAttempt attempt : reduce.getAttempts().values()) {
        awaitState(attempt, TaskAttemptState.RUNNING);
        app.send(notice(attempt, lost));
      }
      app.settle();
      assertThat(lost.getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
      app.send(notice(last(reduce), lost));
      app.send(notice(last(reduce), lost));
      await().until(() -> lost.getState() == TaskAttemptState.FAILED);
    }
  }

  private static JobTaskAttemptFetchFailureEvent notice(TaskAttempt reduce, TaskAttempt map) {
    return new JobTaskAttemptFetchFailureEvent(reduce.getID(), List.of(map.getID()), "anywhere");
  }

  @Test
  void jobWithClonesCanBeKilled() throws Exception {
    try (TestApp app = TestApp.start(2, 0)) {
      Task task = running(app, TaskType.MAP);
      addClone(app, task);
      TaskAttempt killed = addClone(app, task);
      app.send(killed, TaskAttemptEventType.TA_KILL);
      awaitState(killed, TaskAttemptState.KILLED);
      app.send(new JobEvent(app.job().getID(), JobEventType.JOB_KILL));
      app.waitForState(app.job(), JobState.KILLED);
    }
  }

  /** Attempts of 12 tasks are cloned, killed, failed and finished as chance will have it. */
  @ParameterizedTest
  @CsvSource({"1, true", "2, false", "3, true", "4, false", "5, true"})
  void noStormLeavesATaskWithoutAnAttempt(long seed, boolean speculation) throws Exception {
    Random random = new Random(seed);
    Configuration conf = TestApp.conf();
    conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, speculation);
    conf.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1000);
    try (TestApp app = TestApp.start(12, 0, conf)) {
      app.waitForState(app.job(), JobState.RUNNING);
      List<Task> tasks = List.copyOf(app.job().getTasks(TaskType.MAP).values());
      for (int i = 0; i < 400; i++) {
        Task task = tasks.get(random.nextInt(tasks.size()));
        List<TaskAttempt> attempts = List.copyOf(task.getAttempts().values());
        int what = random.nextInt(10);
        if (what < 4) {
          app.send(new DispatcherTask(() -> DroverClones.add(task)));
        } else if (!attempts.isEmpty() && !task.isFinished()) {
          TaskAttempt victim = attempts.get(random.nextInt(attempts.size()));
          boolean runs = victim.getState() == TaskAttemptState.RUNNING;
          if (what < 8 || !runs) {
            if (!victim.isFinished()) {
              app.send(victim, TaskAttemptEventType.TA_KILL);
            }
          } else {
            app.send(victim, TaskAttemptEventType.TA_FAILMSG);
          }
        }
        if (i % 20 == 0) {
          app.settle();
        }
      }
      app.settle();
      for (Task task : tasks) {
        await(task.getID().toString())
            .until(() -> !inState(task, TaskAttemptState.RUNNING).isEmpty());
        app.send(inState(task, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
      }
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  private static TaskAttempt last(Task task) {
    TaskAttempt last = null;
    for (TaskAttempt attempt : task.getAttempts().values()) {
      last = attempt;
    }
    return last;
  }
}
