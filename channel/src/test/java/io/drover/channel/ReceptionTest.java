// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import io.drover.channel.proto.ChannelProtos.VerdictProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceptionTest {
  private static final ApplicationAttemptId ME = Samples.attempt(1);
  private static final ApplicationAttemptId OTHER = Samples.attempt(2);
  private static final Duration PERIOD = Duration.ofSeconds(3);

  private final FakeVoice voice = new FakeVoice();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // it wraps around soon
  private final Reception reception = new Reception(voice, PERIOD, nanos::get);

  @BeforeEach
  void bothRun() {
    voice.running.add(ME);
    voice.running.add(OTHER);
  }

  /** The one that a slow scheduler calls back. */
  private Reception here;

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private AnswerProto tell(ApplicationAttemptId caller, ReportProto report) {
    return reception.tell(caller, report);
  }

  /** One call, after a period. */
  private AnswerProto tell(long sequence) {
    pass(PERIOD);
    return tell(ME, ReportWire.write(ME.toString(), Samples.report(sequence)));
  }

  @Test
  void newReportIsTakenAndAnswered() throws BadMessageException {
    AnswerProto answer = tell(1);
    assertThat(AnswerWire.read(answer, ClusterTable.EMPTY).state()).contains(Samples.STATE);
    assertThat(answer.getVerdict()).isEqualTo(VerdictProto.TAKEN);
    assertThat(answer.getWaitMillis()).isEqualTo(3000);
    assertThat(voice.heard).containsExactly(new FakeVoice.Heard(ME, Samples.report(1)));
  }

  @Test
  void newPeriodIsThePaceFromThenOn() {
    for (int i = 1; i <= 3; i++) {
      assertThat(tell(ME, report(i)).getVerdict()).isEqualTo(VerdictProto.TAKEN);
    }
    assertThat(tell(ME, report(4)).getVerdict()).isEqualTo(VerdictProto.WAIT);
    reception.period(Duration.ofMillis(300));
    assertThat(tell(ME, report(4)).getWaitMillis()).isEqualTo(300);
    pass(Duration.ofMillis(100));
    assertThat(tell(ME, report(5)).getVerdict()).isEqualTo(VerdictProto.TAKEN);
  }

  private static ReportProto report(long sequence) {
    return ReportWire.write(ME.toString(), Samples.report(sequence));
  }

  @Test
  void replayedOrReorderedReportIsNotHeardAgainAndYetAnswered() {
    assertThat(tell(5).getVerdict()).isEqualTo(VerdictProto.TAKEN);
    for (long old : new long[] {5, 4, 1, 5}) {
      AnswerProto answer = tell(old);
      assertThat(answer.getVerdict()).isEqualTo(VerdictProto.REPLAYED);
      assertThat(answer.hasState()).isTrue();
    }
    assertThat(tell(9).getVerdict()).isEqualTo(VerdictProto.TAKEN);
    assertThat(voice.sequences()).containsExactly(5L, 9L);
    assertThat(reception.count(Verdict.REPLAYED)).isEqualTo(4);
  }

  @Test
  void sequencesOfAttemptsAreTheirOwn() {
    tell(5);
    AnswerProto answer = tell(OTHER, ReportWire.write(OTHER.toString(), Samples.report(1)));
    assertThat(answer.getVerdict()).isEqualTo(VerdictProto.TAKEN);
  }

  @Test
  void attemptSpeaksForItselfOnly() {
    AnswerProto answer = tell(OTHER, ReportWire.write(ME.toString(), Samples.report(1)));
    assertThat(answer.getVerdict()).isEqualTo(VerdictProto.REFUSED);
    assertThat(answer.hasState()).isFalse();
    assertThat(voice.heard).isEmpty();
    assertThat(reception.sessions()).isZero();
  }

  @Test
  void attemptThatIsOverIsNotHeardThoughItsConnectionLives() {
    tell(1);
    voice.running.remove(ME);
    assertThat(tell(2).getVerdict()).isEqualTo(VerdictProto.REFUSED);
    assertThat(voice.sequences()).containsExactly(1L);
  }

  @Test
  void sessionsOfAttemptsThatAreOverGo() {
    for (int application = 10; application < 1000; application++) {
      ApplicationAttemptId attempt = Samples.attempt(application);
      voice.running.add(attempt);
      tell(attempt, ReportWire.write(attempt.toString(), Samples.report(1)));
      assertThat(reception.sessions()).isEqualTo(1);
      voice.running.remove(attempt);
    }
  }

  @Test
  void chattyAttemptIsToldToWaitAndHeardAtTheRate() {
    int taken = 0;
    Duration step = Duration.ofMillis(10);
    for (int call = 1; call <= 3000; call++) { // 30 s
      AnswerProto answer = tell(ME, ReportWire.write(ME.toString(), Samples.report(call)));
      if (answer.getVerdict() == VerdictProto.TAKEN) {
        taken++;
      } else {
        assertThat(answer.getVerdict()).isEqualTo(VerdictProto.WAIT);
        assertThat(answer.getWaitMillis()).isBetween(1L, 1001L);
      }
      pass(step);
    }
    assertThat(taken).isBetween(30, 33); // 3 in 3 s, and the burst
    assertThat(voice.heard).hasSize(taken);
  }

  @Test
  void whoWaitsAsLongAsToldIsTaken() {
    AnswerProto answer = AnswerProto.getDefaultInstance();
    for (int call = 1; call <= 50; call++) {
      answer = tell(ME, ReportWire.write(ME.toString(), Samples.report(call)));
      if (answer.getVerdict() == VerdictProto.WAIT) {
        pass(Duration.ofMillis(answer.getWaitMillis()));
        answer = tell(ME, ReportWire.write(ME.toString(), Samples.report(call)));
      }
      assertThat(answer.getVerdict()).isEqualTo(VerdictProto.TAKEN);
    }
  }

  @Test
  void chattyAttemptTakesNothingFromOthers() {
    for (int call = 1; call <= 100; call++) {
      tell(ME, ReportWire.write(ME.toString(), Samples.report(call)));
    }
    AnswerProto answer = tell(OTHER, ReportWire.write(OTHER.toString(), Samples.report(1)));
    assertThat(answer.getVerdict()).isEqualTo(VerdictProto.TAKEN);
  }

  @Test
  void secondCallOfAnAttemptDoesNotWaitForTheFirst() {
    AtomicReference<AnswerProto> second = new AtomicReference<>();
    FakeVoice slow =
        new FakeVoice() {
          @Override
          public void hear(ApplicationAttemptId attempt, Report report) {
            super.hear(attempt, report);
            second.set(here.tell(ME, ReportWire.write(ME.toString(), Samples.report(2))));
          }
        };
    slow.running.add(ME);
    here = new Reception(slow, PERIOD, nanos::get);
    AnswerProto first = here.tell(ME, ReportWire.write(ME.toString(), Samples.report(1)));
    assertThat(first.getVerdict()).isEqualTo(VerdictProto.TAKEN);
    assertThat(second.get().getVerdict()).isEqualTo(VerdictProto.WAIT);
    assertThat(slow.sequences()).containsExactly(1L);
  }

  @Test
  void badReportIsNotHeardAndItsNumberStaysFree() {
    pass(PERIOD);
    ReportProto bad =
        ReportWire.write(ME.toString(), Samples.report(1)).toBuilder()
            .addMachines("no name")
            .build();
    AnswerProto answer = tell(ME, bad);
    assertThat(answer.getVerdict()).isEqualTo(VerdictProto.BAD);
    assertThat(answer.getWhy()).contains("machines is 'no name'");
    assertThat(voice.heard).isEmpty();
    assertThat(tell(1).getVerdict()).isEqualTo(VerdictProto.TAKEN);
  }

  @Test
  void failureOfTheSchedulerIsAPoliteAnswerAndTheReportIsNotHeardTwice() {
    List<Long> tried = new ArrayList<>();
    FakeVoice broken =
        new FakeVoice() {
          @Override
          public void hear(ApplicationAttemptId attempt, Report report) {
            tried.add(report.sequence());
            throw new IllegalStateException("secret of the ResourceManager");
          }
        };
    broken.running.add(ME);
    Reception reception = new Reception(broken, PERIOD, nanos::get);
    AnswerProto answer = reception.tell(ME, ReportWire.write(ME.toString(), Samples.fullReport(1)));
    assertThat(answer.getVerdict()).isEqualTo(VerdictProto.TROUBLE);
    assertThat(answer.getWhy()).doesNotContain("secret");
    answer = reception.tell(ME, ReportWire.write(ME.toString(), Samples.report(1)));
    assertThat(answer.getVerdict()).isEqualTo(VerdictProto.REPLAYED);
    assertThat(answer.getWantsJob()).isTrue();
    assertThat(tried).containsExactly(1L);
    assertThat(reception.count(Verdict.TROUBLE)).isEqualTo(1);
  }

  @Test
  void failureToKnowOrToAnswerIsTroubleToo() {
    voice.state = null;
    assertThat(tell(1).getVerdict()).isEqualTo(VerdictProto.TROUBLE);
    FakeVoice unlinked =
        new FakeVoice() {
          @Override
          public boolean knows(ApplicationAttemptId attempt) {
            throw new NoClassDefFoundError("x");
          }
        };
    AnswerProto answer =
        new Reception(unlinked, PERIOD, nanos::get)
            .tell(ME, ReportWire.write(ME.toString(), Samples.report(1)));
    assertThat(answer.getVerdict()).isEqualTo(VerdictProto.TROUBLE);
  }

  @Test
  void jobIsAskedForUntilItIsKnown() {
    assertThat(tell(1).getWantsJob()).isTrue();
    pass(PERIOD);
    ReportProto full = ReportWire.write(ME.toString(), Samples.fullReport(2));
    assertThat(tell(ME, full).getWantsJob()).isFalse();
    assertThat(tell(3).getWantsJob()).isFalse();
  }

  @Test
  void largestStateFitsIntoAnAnswer() throws BadMessageException {
    voice.state = Samples.largestState();
    assertThat(AnswerWire.read(tell(1), ClusterTable.EMPTY).state()).contains(voice.state);
  }
}
