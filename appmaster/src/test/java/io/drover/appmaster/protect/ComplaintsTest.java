// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doCallRealMethod;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
  private static final int REDUCE = 3;

  private final TaskAttemptImpl attempt = mock(TaskAttemptImpl.class);
  private final Output output = output(attempt, 0, "n");
  private final Output other = output(mock(TaskAttemptImpl.class), 1, "n");
  private final Output elsewhere = output(mock(TaskAttemptImpl.class), 2, "m");
  private final TaskAttemptEvent loss =
      new TaskAttemptEvent(output.id(), TaskAttemptEventType.TA_TOO_MANY_FETCH_FAILURE);
  private final ShuffleProbe probe = mock(ShuffleProbe.class);
  private final HostWatch watch = mock(HostWatch.class);
  private final List<Output> unreadable = new ArrayList<>();
  private final List<Runnable> asking = new ArrayList<>();
  private boolean isWatchBroken;
  private boolean isProtectionBroken;
  private long nanos;
  private final Complaints complaints =
      new Complaints(
          watch,
          new Surroundings(
              null,
              () -> probe,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              Runnable::run,
              null,
              Breakers.uncounted()),
          Breakers.uncounted().of("Protection"),
          this::unreadable,
          () -> nanos);

  @BeforeEach
  void answerLater() {
    doAnswer(call -> asking.add(call.getArgument(isWatchBroken ? 2 : 1)))
        .when(watch)
        .later(any(Duration.class), any(), any());
  }

  private static Output output(TaskAttempt attempt, int map, String host) {
    String id = "attempt_1700000000000_0001_m_00000" + map + "_0";
    when(attempt.getID()).thenReturn(MRApps.toTaskAttemptID(id));
    when(attempt.getState()).thenReturn(TaskAttemptState.SUCCEEDED);
    return new Output(attempt, host, "http://" + host + ":1", 1, 1);
  }

  private void unreadable(List<Output> outputs) {
    if (isProtectionBroken) {
      throw new IllegalStateException("a test");
    }
    unreadable.addAll(outputs);
  }

  private void complain(Output... about) {
    complaints.take(List.of(about), REDUCE);
  }

  private void cannotRead(Output... some) {
    List<TaskAttemptID> ids =
        Arrays.stream(some).map(one -> (TaskAttemptID) TypeConverter.fromYarn(one.id())).toList();
    when(probe.unreadable(any(), anyInt(), any()))
        .thenAnswer(
            call -> {
              List<TaskAttemptID> asked = call.getArgument(2);
              return asked.stream().filter(ids::contains).toList();
            });
  }

  private void answer() {
    List<Runnable> all = List.copyOf(asking);
    asking.clear();
    all.forEach(Runnable::run);
  }

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void lossWaitsForTheAnswerAndThenCounts() {
    assertThat(complaints.hold(loss)).as("nobody is asked").isFalse();
    complain(output);
    assertThat(complaints.hold(loss)).isTrue();
    verify(attempt, never()).handle(any());
    answer();
    verify(attempt).handle(loss);
    assertThat(complaints.hold(loss)).as("it has waited").isFalse();
    assertThat(complaints.areExplained(output)).as("its node can read all").isFalse();
    assertThat(unreadable).isEmpty();
  }

  @Test
  void outputsAreSparedForAWhileAfterAnotherOfTheirNodeWasUnreadable() {
    cannotRead(other);
    complain(output, other, elsewhere);
    assertThat(complaints.areExplained(output)).as("no answer").isFalse();
    answer();
    assertThat(complaints.areExplained(output)).isTrue();
    assertThat(complaints.areExplained(other)).as("it is the one").isFalse();
    assertThat(complaints.areExplained(elsewhere)).isFalse();
    answer();
    assertThat(unreadable).containsExactly(other);
    pass(29);
    assertThat(complaints.areExplained(output)).isTrue();
    pass(1);
    assertThat(complaints.areExplained(output)).isFalse();
  }

  @Test
  void laterUnreadableOutputSparesTheOthersAgain() {
    cannotRead(other);
    complain(output, other);
    answer();
    answer();
    pass(1000);
    complain(output, other);
    assertThat(complaints.hold(loss)).isTrue();
    doAnswer(call -> assertThat(complaints.areExplained(output)).isTrue())
        .when(attempt)
        .handle(any());
    answer();
    verify(attempt).handle(loss);
  }

  @Test
  void lossOfAnUnreadableOutputWaitsForBothLooks() {
    cannotRead(output);
    complain(output);
    assertThat(complaints.hold(loss)).isTrue();
    answer();
    verify(attempt, never()).handle(any());
    answer();
    assertThat(unreadable).containsExactly(output);
    verify(attempt).handle(loss);
  }

  @Test
  void attemptThatEndsMeanwhileHearsOfNoLoss() {
    complain(output);
    assertThat(complaints.hold(loss)).isTrue();
    when(attempt.getState()).thenReturn(TaskAttemptState.KILLED);
    answer();
    verify(attempt, never()).handle(any());
  }

  @Test
  void lossCountsIfNothingCanBeFoundOut() {
    isWatchBroken = true;
    complain(output);
    assertThat(complaints.hold(loss)).isTrue();
    answer();
    verify(attempt).handle(loss);
  }

  @Test
  void lossCountsIfTheAnswerCannotBeUsed() {
    isProtectionBroken = true;
    cannotRead(output);
    for (int time = 1; time <= CircuitBreaker.FAILURES + 1; time++) { // then the breaker is open
      complain(output);
      assertThat(complaints.hold(loss)).isTrue();
      answer();
      answer();
      verify(attempt, times(time)).handle(loss);
    }
  }

  @Test
  void lossCountsIfTheWatchDoesNotRun() {
    doCallRealMethod().when(watch).later(any(Duration.class), any(), any());
    complain(output);
    assertThat(complaints.hold(loss)).isFalse();
  }
}
