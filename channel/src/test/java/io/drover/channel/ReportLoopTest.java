// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.ChannelClient.TimestampedState;
import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.ReportLoop.Transport;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ReportLoopTest {
  private static final Duration PERIOD = Duration.ofSeconds(3);

  /** A ResourceManager that gives a preset answer, or refuses the connection. */
  private static class FakeLine implements Transport {
    final List<ReportProto> told = new ArrayList<>();
    Answer answer;
    boolean closed;

    @Override
    public AnswerProto send(ReportProto report) throws IOException {
      told.add(report);
      if (answer == null) {
        throw new ConnectException("refused");
      }
      return AnswerCodec.write(answer, report.getTableTag());
    }

    @Override
    public void close() {
      closed = true;
    }

    List<Long> sequences() {
      return told.stream().map(ReportProto::getSequence).toList();
    }
  }

  private final FakeLine one = new FakeLine();
  private final FakeLine two = new FakeLine();
  private final Outbox outbox = new Outbox();
  private long nanos = Long.MAX_VALUE - 7;
  private double chance = 1;
  private ReportLoop conversation = talk(one);

  private ReportLoop talk(FakeLine... transports) {
    return new ReportLoop("a", List.of(transports), outbox, () -> nanos, () -> chance);
  }

  private static Answer taken(ClusterState state) {
    return new Answer(ReportStatus.TAKEN, "", PERIOD, false, Optional.of(state));
  }

  private static Answer says(ReportStatus status) {
    return Answer.without(status, "so", PERIOD);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void nothingIsSaidBeforeTheJobIsKnown() {
    assertThat(conversation.speak()).isEqualTo(ReportLoop.NOTHING_TO_SAY);
    assertThat(one.told).isEmpty();
  }

  @Test
  void whatIsHeardIsKeptWithItsAgeUntilItIsStale() {
    outbox.job(SampleMessages.JOB);
    one.answer = taken(SampleMessages.STATE);
    assertThat(conversation.latestState()).isEmpty();
    assertThat(conversation.speak()).isEqualTo(PERIOD);
    pass(Duration.ofSeconds(30));
    assertThat(conversation.latestState())
        .contains(new TimestampedState(SampleMessages.STATE, Duration.ofSeconds(30)));
    pass(Duration.ofNanos(1));
    assertThat(conversation.latestState()).isEmpty();
  }

  @Test
  void memoryLastsFivePeriodsWhereThatIsLonger() {
    outbox.job(SampleMessages.JOB);
    one.answer =
        new Answer(
            ReportStatus.TAKEN,
            "",
            Duration.ofMinutes(1),
            false,
            Optional.of(SampleMessages.STATE));
    conversation.speak();
    pass(Duration.ofMinutes(5));
    assertThat(conversation.latestState()).isPresent();
    pass(Duration.ofNanos(1));
    assertThat(conversation.latestState()).isEmpty();
  }

  @Test
  void tableIsKeptWhileItIsNotSentAgain() {
    outbox.job(SampleMessages.JOB);
    one.answer = taken(SampleMessages.STATE);
    conversation.speak();
    ClusterState next =
        new ClusterState(
            OptionalDouble.empty(), SampleMessages.TABLE, OptionalInt.of(3), 1.1, Optional.empty());
    one.answer = taken(next);
    conversation.speak();
    assertThat(one.told)
        .extracting(ReportProto::getTableTag)
        .containsExactly(0L, SampleMessages.TABLE.tag());
    assertThat(conversation.latestState().orElseThrow().state()).isEqualTo(next);
  }

  @Test
  void reportWithoutAnAnswerIsSaidAgainAsItWasBeforeAnythingElse() {
    outbox.job(SampleMessages.JOB);
    outbox.ended(SampleMessages.outcome(1));
    conversation.speak();
    outbox.ended(SampleMessages.outcome(2));
    conversation.speak();
    one.answer = taken(SampleMessages.STATE);
    conversation.speak();
    conversation.speak();
    assertThat(one.sequences()).containsExactly(1L, 1L, 1L, 2L);
    assertThat(one.told.subList(0, 3)).containsOnly(one.told.get(0));
    assertThat(one.told.get(3).getOutcomes(0).getContainer()).isEqualTo(2);
  }

  @Test
  void failureGoesOnToTheNextAtOnceAndStaysThere() {
    conversation = talk(one, two);
    outbox.job(SampleMessages.JOB);
    two.answer = taken(SampleMessages.STATE);
    assertThat(conversation.speak()).isZero();
    assertThat(conversation.speak()).isEqualTo(PERIOD);
    conversation.speak();
    assertThat(one.sequences()).containsExactly(1L);
    assertThat(two.sequences()).containsExactly(1L, 2L);
    assertThat(two.told.get(0)).isEqualTo(one.told.get(0));
  }

  @Test
  void jobIsSaidAgainToWhoWantsIt() {
    outbox.job(SampleMessages.JOB);
    one.answer =
        new Answer(ReportStatus.TAKEN, "", PERIOD, true, Optional.of(SampleMessages.STATE));
    conversation.speak();
    one.answer = taken(SampleMessages.STATE);
    conversation.speak();
    conversation.speak();
    assertThat(one.told).extracting(ReportProto::hasJob).containsExactly(true, true, false);
  }

  @Test
  void whoNeverAnsweredIsGivenUpAfterAFewRoundsAndTriedRarely() {
    conversation = talk(one, two);
    outbox.job(SampleMessages.JOB);
    List<Duration> pauses = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      pauses.add(conversation.speak());
    }
    Duration none = Duration.ZERO;
    Duration rarely = ReportLoop.RARELY;
    assertThat(pauses)
        .containsExactly(
            none,
            Duration.ofSeconds(1),
            none,
            Duration.ofSeconds(2),
            none,
            Duration.ofSeconds(4),
            none,
            rarely,
            none,
            rarely,
            none,
            rarely);
  }

  @Test
  void whoAnsweredOnceIsWaitedForAsLongAsAFailoverTakes() {
    outbox.job(SampleMessages.JOB);
    one.answer = taken(SampleMessages.STATE);
    conversation.speak();
    one.answer = null;
    Duration waited = Duration.ZERO;
    Duration pause = conversation.speak();
    while (!pause.equals(ReportLoop.RARELY)) {
      assertThat(pause).isLessThanOrEqualTo(ReportLoop.LONGEST_PAUSE);
      waited = waited.plus(pause);
      pause = conversation.speak();
    }
    assertThat(waited).isGreaterThan(Duration.ofMinutes(10));
    one.answer = taken(SampleMessages.STATE);
    assertThat(conversation.speak()).isEqualTo(PERIOD);
    one.answer = null;
    assertThat(conversation.speak()).isEqualTo(ReportLoop.FIRST_PAUSE);
  }

  @Test
  void pausesAreSpreadByChance() {
    outbox.job(SampleMessages.JOB);
    chance = 0;
    assertThat(conversation.speak()).isEqualTo(ReportLoop.FIRST_PAUSE.dividedBy(2));
  }

  @Test
  void whoIsToldToWaitWaitsAndSaysTheSame() {
    outbox.job(SampleMessages.JOB);
    one.answer = Answer.without(ReportStatus.WAIT, "", Duration.ofMillis(700));
    assertThat(conversation.speak()).hasMillis(700);
    one.answer = taken(SampleMessages.STATE);
    conversation.speak();
    assertThat(one.sequences()).containsExactly(1L, 1L);
  }

  @Test
  void answerThatAllowsToCallAtOnceIsNotBelieved() {
    outbox.job(SampleMessages.JOB);
    one.answer = Answer.without(ReportStatus.WAIT, "", Duration.ZERO);
    assertThat(conversation.speak()).isEqualTo(ReportLoop.SHORTEST_PAUSE);
  }

  @Test
  void reportThatMakesNoSenseOrMadeTroubleIsDropped() {
    outbox.job(SampleMessages.JOB);
    one.answer = says(ReportStatus.BAD);
    assertThat(conversation.speak()).isEqualTo(PERIOD);
    one.answer = says(ReportStatus.TROUBLE);
    assertThat(conversation.speak()).isEqualTo(ReportLoop.FIRST_PAUSE);
    conversation.speak();
    assertThat(one.sequences()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void whoIsRefusedTriesTheSameElsewhere() {
    conversation = talk(one, two);
    outbox.job(SampleMessages.JOB);
    one.answer = says(ReportStatus.REFUSED);
    two.answer = taken(SampleMessages.STATE);
    conversation.speak();
    conversation.speak();
    assertThat(two.sequences()).containsExactly(1L);
    assertThat(conversation.latestState()).isPresent();
  }

  @Test
  void answerThatMakesNoSenseIsNone() {
    outbox.job(SampleMessages.JOB);
    FakeLine mad =
        new FakeLine() {
          @Override
          public AnswerProto send(ReportProto report) {
            return AnswerProto.newBuilder().setWaitMillis(-1).build();
          }
        };
    conversation = talk(mad);
    assertThat(conversation.speak()).isEqualTo(ReportLoop.FIRST_PAUSE);
    assertThat(conversation.latestState()).isEmpty();
  }

  @Test
  void linesAreClosed() {
    conversation = talk(one, two);
    conversation.close();
    assertThat(one.closed && two.closed).isTrue();
  }
}
