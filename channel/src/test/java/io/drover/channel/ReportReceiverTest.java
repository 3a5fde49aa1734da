// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import io.drover.channel.proto.ChannelProtos.ReportStatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReportReceiverTest {
  private static final ApplicationAttemptId ME = SampleMessages.attempt(1);
  private static final ApplicationAttemptId OTHER = SampleMessages.attempt(2);
  private static final Duration PERIOD = Duration.ofSeconds(3);

  private final FakeHandler handler = new FakeHandler();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // overflows soon
  private final ReportReceiver receiver = new ReportReceiver(handler, PERIOD, nanos::get);

  @BeforeEach
  void bothRun() {
    handler.running.add(ME);
    handler.running.add(OTHER);
  }

  /** The receiver that a slow handler calls back. */
  private ReportReceiver here;

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private AnswerProto send(ApplicationAttemptId caller, ReportProto report) {
    return receiver.report(caller, report);
  }

  /** Sends one report after a period. */
  private AnswerProto send(long sequence) {
    pass(PERIOD);
    return send(ME, ReportCodec.write(ME.toString(), SampleMessages.report(sequence)));
  }

  @Test
  void newReportIsTakenAndAnswered() throws BadMessageException {
    AnswerProto answer = send(1);
    assertThat(AnswerCodec.read(answer, ClusterTable.EMPTY).state()).contains(SampleMessages.STATE);
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    assertThat(answer.getWaitMillis()).isEqualTo(3000);
    assertThat(handler.received)
        .containsExactly(new FakeHandler.Received(ME, SampleMessages.report(1)));
  }

  @Test
  void newPeriodIsThePaceFromThenOn() {
    for (int i = 1; i <= 3; i++) {
      assertThat(send(ME, report(i)).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    }
    assertThat(send(ME, report(4)).getStatus()).isEqualTo(ReportStatusProto.WAIT);
    receiver.period(Duration.ofMillis(300));
    assertThat(send(ME, report(4)).getWaitMillis()).isEqualTo(300);
    pass(Duration.ofMillis(100));
    assertThat(send(ME, report(5)).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
  }

  private static ReportProto report(long sequence) {
    return ReportCodec.write(ME.toString(), SampleMessages.report(sequence));
  }

  @Test
  void replayedOrReorderedReportIsNotHeardAgainAndYetAnswered() {
    assertThat(send(5).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    for (long old : new long[] {5, 4, 1, 5}) {
      AnswerProto answer = send(old);
      assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.REPLAYED);
      assertThat(answer.hasState()).isTrue();
    }
    assertThat(send(9).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    assertThat(handler.sequences()).containsExactly(5L, 9L);
    assertThat(receiver.count(ReportStatus.REPLAYED)).isEqualTo(4);
  }

  @Test
  void sequencesOfAttemptsAreTheirOwn() {
    send(5);
    AnswerProto answer = send(OTHER, ReportCodec.write(OTHER.toString(), SampleMessages.report(1)));
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.TAKEN);
  }

  @Test
  void attemptSpeaksForItselfOnly() {
    AnswerProto answer = send(OTHER, ReportCodec.write(ME.toString(), SampleMessages.report(1)));
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.REFUSED);
    assertThat(answer.hasState()).isFalse();
    assertThat(handler.received).isEmpty();
    assertThat(receiver.sessions()).isZero();
  }

  @Test
  void attemptThatIsOverIsNotHeardThoughItsConnectionLives() {
    send(1);
    handler.running.remove(ME);
    assertThat(send(2).getStatus()).isEqualTo(ReportStatusProto.REFUSED);
    assertThat(handler.sequences()).containsExactly(1L);
  }

  /** After a failover all jobs are new at once. */
  @Test
  void eachNewSessionCostsTheSameHoweverManyThereAre() {
    AtomicLong asked = new AtomicLong();
    FakeHandler counting =
        new FakeHandler() {
          @Override
          public boolean knows(ApplicationAttemptId attempt) {
            asked.incrementAndGet();
            return true;
          }
        };
    ReportReceiver busy = new ReportReceiver(counting, PERIOD, nanos::get);
    for (int application = 0; application < 1000; application++) {
      ApplicationAttemptId attempt = SampleMessages.attempt(application);
      busy.report(attempt, ReportCodec.write(attempt.toString(), SampleMessages.report(1)));
    }
    assertThat(busy.sessions()).isEqualTo(1000);
    assertThat(asked).hasValue(1000);
  }

  @Test
  void sessionsOfAttemptsThatAreOverGo() {
    for (int application = 10; application < 1000; application++) {
      ApplicationAttemptId attempt = SampleMessages.attempt(application);
      handler.running.add(attempt);
      pass(PERIOD);
      send(attempt, ReportCodec.write(attempt.toString(), SampleMessages.report(1)));
      assertThat(receiver.sessions()).isEqualTo(1);
      assertThat(receiver.speakers()).isEqualTo(1);
      handler.running.remove(attempt);
      assertThat(receiver.speakers()).as("at once").isZero();
    }
  }

  @Test
  void chattyAttemptIsToldToWaitAndHeardAtTheRate() {
    int taken = 0;
    Duration step = Duration.ofMillis(10);
    for (int call = 1; call <= 3000; call++) { // 30 s
      AnswerProto answer = send(ME, ReportCodec.write(ME.toString(), SampleMessages.report(call)));
      if (answer.getStatus() == ReportStatusProto.TAKEN) {
        taken++;
      } else {
        assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.WAIT);
        assertThat(answer.getWaitMillis()).isBetween(1L, 1001L);
      }
      pass(step);
    }
    assertThat(taken).isBetween(30, 33); // 3 in 3 s, plus the burst
    assertThat(handler.received).hasSize(taken);
  }

  @Test
  void whoWaitsAsLongAsToldIsTaken() {
    AnswerProto answer = AnswerProto.getDefaultInstance();
    for (int call = 1; call <= 50; call++) {
      answer = send(ME, ReportCodec.write(ME.toString(), SampleMessages.report(call)));
      if (answer.getStatus() == ReportStatusProto.WAIT) {
        pass(Duration.ofMillis(answer.getWaitMillis()));
        answer = send(ME, ReportCodec.write(ME.toString(), SampleMessages.report(call)));
      }
      assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    }
  }

  @Test
  void chattyAttemptTakesNothingFromOthers() {
    for (int call = 1; call <= 100; call++) {
      send(ME, ReportCodec.write(ME.toString(), SampleMessages.report(call)));
    }
    AnswerProto answer = send(OTHER, ReportCodec.write(OTHER.toString(), SampleMessages.report(1)));
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.TAKEN);
  }

  @Test
  void secondCallOfAnAttemptDoesNotWaitForTheFirst() {
    AtomicReference<AnswerProto> second = new AtomicReference<>();
    FakeHandler slow =
        new FakeHandler() {
          @Override
          public void onReport(ApplicationAttemptId attempt, Report report) {
            super.onReport(attempt, report);
            second.set(here.report(ME, ReportCodec.write(ME.toString(), SampleMessages.report(2))));
          }
        };
    slow.running.add(ME);
    here = new ReportReceiver(slow, PERIOD, nanos::get);
    AnswerProto first = here.report(ME, ReportCodec.write(ME.toString(), SampleMessages.report(1)));
    assertThat(first.getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    assertThat(second.get().getStatus()).isEqualTo(ReportStatusProto.WAIT);
    assertThat(slow.sequences()).containsExactly(1L);
  }

  @Test
  void badReportIsNotHeardAndItsNumberStaysFree() {
    pass(PERIOD);
    ReportProto bad =
        ReportCodec.write(ME.toString(), SampleMessages.report(1)).toBuilder()
            .addMachines("no name")
            .build();
    AnswerProto answer = send(ME, bad);
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.BAD);
    assertThat(answer.getWhy()).contains("machines is 'no name'");
    assertThat(handler.received).isEmpty();
    assertThat(send(1).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
  }

  @Test
  void failureOfTheSchedulerIsAPoliteAnswerAndTheReportIsNotHeardTwice() {
    List<Long> tried = new ArrayList<>();
    FakeHandler broken =
        new FakeHandler() {
          @Override
          public void onReport(ApplicationAttemptId attempt, Report report) {
            tried.add(report.sequence());
            throw new IllegalStateException("secret of the ResourceManager");
          }
        };
    broken.running.add(ME);
    ReportReceiver receiver = new ReportReceiver(broken, PERIOD, nanos::get);
    AnswerProto answer =
        receiver.report(ME, ReportCodec.write(ME.toString(), SampleMessages.fullReport(1)));
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.TROUBLE);
    assertThat(answer.getWhy()).doesNotContain("secret");
    answer = receiver.report(ME, ReportCodec.write(ME.toString(), SampleMessages.report(1)));
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.REPLAYED);
    assertThat(answer.getWantsJob()).isTrue();
    assertThat(tried).containsExactly(1L);
    assertThat(receiver.count(ReportStatus.TROUBLE)).isEqualTo(1);
  }

  @Test
  void failureToKnowOrToAnswerIsTroubleToo() {
    handler.state = null;
    assertThat(send(1).getStatus()).isEqualTo(ReportStatusProto.TROUBLE);
    FakeHandler unlinked =
        new FakeHandler() {
          @Override
          public boolean knows(ApplicationAttemptId attempt) {
            throw new NoClassDefFoundError("x");
          }
        };
    AnswerProto answer =
        new ReportReceiver(unlinked, PERIOD, nanos::get)
            .report(ME, ReportCodec.write(ME.toString(), SampleMessages.report(1)));
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.TROUBLE);
  }

  @Test
  void jobIsAskedForUntilItIsKnown() {
    assertThat(send(1).getWantsJob()).isTrue();
    pass(PERIOD);
    ReportProto full = ReportCodec.write(ME.toString(), SampleMessages.fullReport(2));
    assertThat(send(ME, full).getWantsJob()).isFalse();
    assertThat(send(3).getWantsJob()).isFalse();
  }

  @Test
  void largestStateFitsIntoAnAnswer() throws BadMessageException {
    handler.state = SampleMessages.largestState();
    assertThat(AnswerCodec.read(send(1), ClusterTable.EMPTY).state()).contains(handler.state);
  }
}
