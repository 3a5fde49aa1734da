// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.drover.channel.Report.LostOutputs;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private final Outbox outbox = new Outbox();

  private Report take() {
    return outbox.take(1, false, 0);
  }

  private static RackBandwidth link(String rack, double up) {
    return new RackBandwidth(rack, OptionalDouble.of(up), OptionalDouble.empty());
  }

  @Test
  void newestStateCounts() {
    outbox.job(new JobStart(1, 0, Optional.empty(), Optional.empty(), false));
    outbox.job(SampleMessages.JOB);
    outbox.ask(List.of("a"));
    outbox.ask(List.of("b", "c"));
    outbox.bandwidth(link("/r", 1));
    outbox.bandwidth(link("/r", 2));
    Report report = take();
    assertThat(report.job()).contains(SampleMessages.JOB);
    assertThat(report.machines()).containsExactly("b", "c");
    assertThat(report.bandwidths()).containsExactly(link("/r", 2));
  }

  @Test
  void eventsAreSaidOnceAndStatesAgain() {
    outbox.job(SampleMessages.JOB);
    outbox.ended(SampleMessages.OUTCOME);
    outbox.lost(new LostOutputs("n", 1));
    outbox.bandwidth(link("/r", 1));
    outbox.ask(List.of("a"));
    assertThat(outbox.hasNews()).isTrue();
    take();
    assertThat(outbox.hasNews()).isFalse();
    Report second = take();
    assertThat(second.job()).isEmpty();
    assertThat(second.outcomes()).isEmpty();
    assertThat(second.lostOutputs()).isEmpty();
    assertThat(second.bandwidths()).isEmpty();
    assertThat(second.machines()).containsExactly("a");
  }

  @Test
  void sumsOfActionsAreInEveryReport() {
    outbox.acted(ActionKind.COPY, ActionTotals.launched(2));
    outbox.acted(ActionKind.COPY, ActionTotals.settled(1, 0, 40, 70));
    ActionTotals first = new ActionTotals(2, 1, 0, 40, 70);
    assertThat(outbox.hasNews()).isTrue();
    assertThat(take().actions()).containsExactly(Map.entry(ActionKind.COPY, first));
    assertThat(outbox.hasNews()).isFalse();
    assertThat(take().actions()).containsExactly(Map.entry(ActionKind.COPY, first));
    outbox.acted(ActionKind.CLONE, ActionTotals.launched(1));
    assertThat(outbox.hasNews()).isTrue();
    assertThat(take().actions())
        .containsOnly(
            Map.entry(ActionKind.COPY, first),
            Map.entry(ActionKind.CLONE, ActionTotals.launched(1)));
  }

  @Test
  void timesOfSecondAttemptsAreAddedUp() {
    outbox.secondAttempt(Duration.ofSeconds(3));
    outbox.secondAttempt(Duration.ofSeconds(4));
    assertThat(outbox.hasNews()).isTrue();
    assertThat(take().secondAttempts()).isEqualTo(Duration.ofSeconds(7));
    assertThat(outbox.hasNews()).isFalse();
    assertThat(take().secondAttempts()).isZero();
    outbox.secondAttempt(Report.MAX_SECOND_ATTEMPTS);
    outbox.secondAttempt(Duration.ofSeconds(1));
    assertThat(take().secondAttempts()).isEqualTo(Report.MAX_SECOND_ATTEMPTS);
  }

  @Test
  void jobIsSaidWhenItIsNewsOrWanted() {
    outbox.job(SampleMessages.JOB);
    take();
    outbox.job(SampleMessages.JOB);
    assertThat(take().job()).isEmpty();
    assertThat(outbox.take(2, true, 0).job()).contains(SampleMessages.JOB);
  }

  @Test
  void manyOutcomesAreSaidInTheirOrderInSeveralReports() {
    IntStream.rangeClosed(1, 700).forEach(i -> outbox.ended(SampleMessages.outcome(i)));
    assertThat(take().outcomes()).extracting(AttemptOutcome::container).startsWith(1L).hasSize(300);
    assertThat(take().outcomes())
        .extracting(AttemptOutcome::container)
        .startsWith(301L)
        .hasSize(300);
    assertThat(take().outcomes())
        .extracting(AttemptOutcome::container)
        .startsWith(601L)
        .hasSize(100);
  }

  @Test
  void ofTooManyOutcomesTheLastAreKept() {
    int all = Outbox.MAX_OUTCOMES + 10;
    IntStream.rangeClosed(1, all).forEach(i -> outbox.ended(SampleMessages.outcome(i)));
    assertThat(outbox.forgotten()).isEqualTo(10);
    assertThat(take().outcomes()).extracting(AttemptOutcome::container).startsWith(11L);
  }

  @Test
  void lostOutputsOfAMachineAddUp() {
    outbox.lost(new LostOutputs("a", 2));
    outbox.lost(new LostOutputs("b", 1));
    outbox.lost(new LostOutputs("a", LostOutputs.MAX_OUTPUTS));
    assertThat(take().lostOutputs())
        .containsExactly(new LostOutputs("a", LostOutputs.MAX_OUTPUTS), new LostOutputs("b", 1));
  }

  @Test
  void ofTooManyNamesTheLastAreKept() {
    int all = Outbox.MAX_NAMES + 5;
    for (int i = 0; i < all; i++) {
      outbox.lost(new LostOutputs("n" + i, 1));
      outbox.bandwidth(link("/r" + i, 1));
    }
    outbox.bandwidth(link("/r5", 2)); // the oldest one so far
    Report report = take();
    assertThat(outbox.forgotten()).isEqualTo(10);
    assertThat(report.lostOutputs()).hasSize(Report.MAX_LOST);
    assertThat(report.lostOutputs().get(0).machine()).isEqualTo("n5");
    assertThat(report.bandwidths()).hasSize(Report.MAX_RACKS);
    assertThat(report.bandwidths().get(0).rack()).isEqualTo("/r6");
  }

  @Test
  void whatIsNoNameIsNotAskedAboutAndOfManyTheFirstAre() {
    outbox.ask(List.of("a", "", "b c", "a", "d"));
    assertThat(take().machines()).containsExactly("a", "d");
    outbox.ask(IntStream.range(0, 1000).mapToObj(i -> "n" + i).toList());
    assertThat(take().machines()).hasSize(Report.MAX_ASKED).startsWith("n0", "n1");
  }

  @Test
  void sumsThatNoReportMayHaveAreLeftOut() {
    outbox.acted(ActionKind.COPY, ActionTotals.launched(2));
    outbox.acted(ActionKind.COPY, ActionTotals.settled(1, 0, 5, 7));
    ActionTotals right = take().actions().get(ActionKind.COPY);
    for (ActionTotals wrong :
        List.of(
            ActionTotals.settled(2, 0, 0, 0),
            ActionTotals.settled(1, 1, 0, 0),
            ActionTotals.settled(0, 0, Long.MAX_VALUE, 0),
            ActionTotals.settled(0, 0, 0, Long.MAX_VALUE),
            ActionTotals.launched(Report.MAX_ACTIONS),
            ActionTotals.launched(Long.MAX_VALUE))) {
      outbox.acted(ActionKind.COPY, wrong);
      assertThat(take().actions()).as("%s", wrong).containsOnly(entry(ActionKind.COPY, right));
    }
    assertThat(outbox.forgotten()).isEqualTo(6);
    outbox.acted(ActionKind.COPY, ActionTotals.settled(0, 1, 1, 1));
    assertThat(take().actions().get(ActionKind.COPY)).isEqualTo(new ActionTotals(2, 1, 1, 6, 8));
  }
}
