// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.config.Mode;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.junit.jupiter.api.Test;

/** Outputs that are lost while their job is being killed: nobody needs them. */
class OutputsOfAKilledJobIT extends ProtectedOutputs {
  /** Kills the job, which then waits for its reduce. */
  private void kill(TestApp app) throws Exception {
    scheduler.deaf(host(app.task(TaskType.REDUCE, 0), 0)); // does not confirm its end
    app.send(new JobEvent(app.job().getID(), JobEventType.JOB_KILL));
    ends(app, JobStateInternal.KILL_WAIT);
    app.settle();
  }

  private static void endsKilled(TestApp app) throws Exception {
    for (Task map : app.job().getTasks(TaskType.MAP).values()) {
      assertThat(map.getAttempts()).hasSize(1);
      assertThat(attempt(map, 0).getState()).isEqualTo(TaskAttemptState.SUCCEEDED);
    }
    assertThat(remade(app)).isZero();
    app.send(attempt(app.task(TaskType.REDUCE, 0), 0), TaskAttemptEventType.TA_CONTAINER_CLEANED);
    ends(app, JobStateInternal.KILLED);
  }

  @Test
  void outputsOfANodeThatDoesNotAnswerAreNotMadeAgain() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      kill(app);
      String silent = host(map(app, 0), 0);
      silentHosts.add(silent);
      await().until(() -> app.avoided().contains(silent));
      app.settle();
      endsKilled(app);
    }
  }

  @Test
  void lossThatHasWaitedForAnAnswerIsDropped() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      Task map = map(app, 1);
      TaskAttempt output = attempt(map, 0);
      TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
      answer = new CountDownLatch(1); // which it can read then, or no answer came
      complain(app, map);
      app.send(new TaskAttemptTooManyFetchFailureEvent(output.getID(), reduce.getID(), "h"));
      app.settle();
      kill(app);
      assertThat(dropped(output)).isZero();
      answer.countDown();
      await().until(() -> dropped(output) == 1);
      endsKilled(app);
    }
  }

  @Test
  void lossThatTheJobHasSentBeforeItsKillIsDropped() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      TaskAttempt complained = attempt(map(app, 1), 0);
      TaskAttempt onLostNode = attempt(map(app, 2), 0);
      TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
      kill(app);
      app.send(new TaskAttemptTooManyFetchFailureEvent(complained.getID(), reduce.getID(), "h"));
      app.send(
          new TaskAttemptKillEvent(
              onLostNode.getID(), "TaskAttempt killed because it ran on unusable node n:1", true));
      app.settle();
      assertThat(dropped(complained)).isEqualTo(1);
      assertThat(dropped(onLostNode)).isEqualTo(1);
      endsKilled(app);
    }
  }

  private static long dropped(TaskAttempt output) {
    return output.getDiagnostics().stream().filter(line -> line.contains("the job ends")).count();
  }
}
