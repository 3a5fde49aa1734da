// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.drover.core.action.ActionTotals;
import io.drover.speculator.Breakers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class TaskEventFollowerTest {
  private static final JobId JOB =
      MRBuilderUtils.newJobId(ApplicationId.newInstance(1_700_000_000_000L, 1), 1);
  private static final TaskId TASK = MRBuilderUtils.newTaskId(JOB, 0, TaskType.REDUCE);
  private static final TaskAttemptId FIRST = MRBuilderUtils.newTaskAttemptId(TASK, 0);
  private static final TaskAttemptId CLONE = MRBuilderUtils.newTaskAttemptId(TASK, 1);

  private final Job job = mock(withSettings().extraInterfaces(EventHandler.class));
  private final Task task = mock();
  private final List<TaskId> ended = new ArrayList<>();
  private ActionTotals clones = ActionTotals.NONE;
  private final CloneLedger ledger = new CloneLedger((kind, more) -> clones = clones.plus(more));
  private final EventHandler<TaskEvent> follower;

  @SuppressWarnings("unchecked") // mocks have no type arguments
  TaskEventFollowerTest() {
    AppContext context = mock();
    when(context.getJob(JOB)).thenReturn(job);
    when(context.getClock()).thenReturn((Clock) () -> 50_000);
    when(job.getTask(TASK)).thenReturn(task);
    when(task.getID()).thenReturn(TASK);
    TaskAttempt first = attempt(FIRST);
    TaskAttempt clone = attempt(CLONE);
    Map<TaskAttemptId, TaskAttempt> attempts = Map.of(FIRST, first, CLONE, clone);
    when(task.getAttempts()).thenReturn(attempts);
    ledger.launched(job, task, CLONE);
    Dispatcher dispatcher = mock();
    new TaskEventFollower(
            () -> context,
            new AttemptReports(),
            ledger,
            ended::add,
            mock(),
            mock(),
            mock(),
            mock(),
            false,
            Breakers.uncounted())
        .register(dispatcher);
    ArgumentCaptor<EventHandler<TaskEvent>> handler = ArgumentCaptor.forClass(EventHandler.class);
    verify(dispatcher).register(eq(TaskEventType.class), handler.capture());
    follower = handler.getValue();
  }

  private static TaskAttempt attempt(TaskAttemptId id) {
    TaskAttempt attempt = mock();
    when(attempt.getID()).thenReturn(id);
    when(attempt.getLaunchTime()).thenReturn(10_000L);
    when(attempt.getState()).thenReturn(TaskAttemptState.KILLED);
    return attempt;
  }

  private void cloneKilled() {
    follower.handle(new TaskTAttemptEvent(CLONE, TaskEventType.T_ATTEMPT_KILLED));
  }

  /** As when the job fails: its tasks are killed, and no attempt of them will ever succeed. */
  @Test
  void whatTasksThatWereKilledHaveCostIsCountedWhenTheirLastAttemptHasEnded() {
    cloneKilled();
    assertThat(clones.lost()).as("the other attempt has not ended yet").isZero();
    assertThat(ended).isEmpty();
    when(task.isFinished()).thenReturn(true);
    cloneKilled();
    assertThat(clones).isEqualTo(new ActionTotals(1, 0, 1, 40_000, 0));
    assertThat(ended).containsExactly(TASK);
  }

  @Test
  void nothingIsSettledInsideTheAppMaster() {
    when(job.isUber()).thenReturn(true);
    when(task.isFinished()).thenReturn(true);
    cloneKilled();
    assertThat(ended).isEmpty();
  }
}
