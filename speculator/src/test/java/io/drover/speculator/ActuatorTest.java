// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.model.Rule;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskImpl;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.yarn.util.SystemClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens if something throws; {@link ActuatorIT} has the rest. */
class ActuatorTest {
  private final TaskImpl task = mock(TaskImpl.class);
  private final Map<TaskAttemptId, TaskAttempt> attempts = new HashMap<>();
  private final CopyLedger ledger = mock(CopyLedger.class);
  private final DecisionThreadQueue queue = new DecisionThreadQueue();
  private final AppContext context = mock(AppContext.class);
  private final Actuator actuator =
      new Actuator(
          context,
          2,
          AttemptBudget.of(new Configuration(false), true),
          NodeBlacklisting.of(new Configuration(false)),
          ledger,
          queue,
          Optional.empty(),
          new SecondAttempts((why, seenHere) -> {}));

  @BeforeEach
  void oneAttemptRuns() {
    TaskAttemptId first = attempt(0, TaskAttemptState.RUNNING);
    Job job = mock(Job.class);
    when(context.getJob(any())).thenReturn(job);
    when(context.getClock()).thenReturn(SystemClock.getInstance());
    when(job.getTask(any())).thenReturn(task);
    when(task.getID()).thenReturn(first.getTaskId());
    when(task.getType()).thenReturn(TaskType.MAP);
    when(task.getState()).thenReturn(TaskState.RUNNING);
    when(task.getAttempts()).thenAnswer(call -> Map.copyOf(attempts));
    when(task.getAttempt(any())).thenAnswer(call -> attempts.get(call.getArgument(0)));
  }

  private TaskAttemptId attempt(int number, TaskAttemptState state) {
    TaskAttempt attempt = mock(TaskAttempt.class);
    TaskAttemptId id = MRApps.toTaskAttemptID("attempt_1700000000000_0001_m_000000_" + number);
    when(attempt.getID()).thenReturn(id);
    when(attempt.getState()).thenReturn(state);
    attempts.put(id, attempt);
    return id;
  }

  private String refusal() {
    assertThatThrownBy(
            () -> DrovenApp.command(Rule.COPY_SAVES_TIME, task.getID(), null).carryOut(actuator))
        .hasMessage("a test");
    return ((DecisionThreadEvent.Acted) queue.poll()).refusal();
  }

  @Test
  void copyThatIsThereIsDoneEvenIfItCannotBeCounted() {
    doAnswer(call -> attempt(1, TaskAttemptState.NEW)).when(task).handle(any());
    doThrow(new IllegalStateException("a test"))
        .when(ledger)
        .copied(any(), any(), any(), anyLong());
    assertThat(refusal()).isNull();
  }

  @Test
  void copyThatIsNotThereHasFailed() {
    doThrow(new IllegalStateException("a test")).when(task).handle(any());
    assertThat(refusal()).isEqualTo("it failed");
  }
}
