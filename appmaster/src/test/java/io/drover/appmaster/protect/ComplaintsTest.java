// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
  private static final int REDUCE = 3;

  private final TaskAttemptId id = MRApps.toTaskAttemptID("attempt_1700000000000_0001_m_000000_0");
  private final ShuffleProbe probe = mock(ShuffleProbe.class);
  private final HostWatch watch = mock(HostWatch.class);
  private final List<Output> unreadable = new ArrayList<>();
  private final List<Runnable> asking = new ArrayList<>();
  private boolean isWatchBroken;
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
          unreadable::addAll,
          () -> nanos);

  @BeforeEach
  void answerLater() {
    doAnswer(call -> asking.add(call.getArgument(isWatchBroken ? 2 : 1)))
        .when(watch)
        .later(any(Duration.class), any(), any());
  }

  private void complain() {
    TaskAttempt attempt = mock(TaskAttempt.class);
    when(attempt.getID()).thenReturn(id);
    complaints.take(List.of(new Output(attempt, "n", "http://n:1", 1, 1)), REDUCE);
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
  void readableOutputIsUnderReviewForAWhileAfterTheFirstComplaint() {
    assertThat(complaints.isUnderReview(id)).isFalse();
    complain();
    assertThat(complaints.isUnderReview(id)).as("its node is being asked").isTrue();
    answer();
    assertThat(complaints.isUnderReview(id)).as("its node can read it").isTrue();
    pass(29);
    complain();
    answer();
    assertThat(complaints.isUnderReview(id)).isTrue();
    pass(1);
    assertThat(complaints.isUnderReview(id)).as("reduces still complain").isFalse();
    complain();
    assertThat(complaints.isUnderReview(id)).isFalse();
    assertThat(unreadable).isEmpty();
  }

  @Test
  void nodeThatDoesNotAnswerDoesNotKeepComplaintsFromCounting() {
    complain(); // and no answer comes
    pass(30);
    assertThat(complaints.isUnderReview(id)).isFalse();
  }

  @Test
  void outputThatTheNodeCannotReadTwiceIsNotUnderReview() {
    when(probe.unreadable(any(), anyInt(), any())).thenReturn(List.of(TypeConverter.fromYarn(id)));
    complain();
    answer();
    assertThat(complaints.isUnderReview(id)).as("it is asked again").isTrue();
    answer();
    assertThat(unreadable).extracting(Output::id).containsExactly(id);
    assertThat(complaints.isUnderReview(id)).isFalse();
    complain();
    assertThat(complaints.isUnderReview(id)).isFalse();
  }

  @Test
  void outputOfWhichNothingCanBeFoundOutIsNotUnderReview() {
    isWatchBroken = true;
    complain();
    answer();
    assertThat(complaints.isUnderReview(id)).isFalse();
  }

  @Test
  void complaintsAboutALostOutputAreForgotten() {
    complain();
    complaints.forget(id);
    assertThat(complaints.isUnderReview(id)).isFalse();
  }
}
