// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.channel.ClusterState.EndOrder;
import io.drover.channel.JobStart.SizeSummary;
import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ClusterTableProto;
import io.drover.channel.proto.ChannelProtos.MachineProto;
import io.drover.channel.proto.ChannelProtos.OutcomeProto;
import io.drover.channel.proto.ChannelProtos.OutputLossProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class WireFormatTest {
  private static Report read(ReportProto proto) throws BadMessageException {
    return ReportCodec.read(proto);
  }

  @Test
  void reportsComeAsTheyWent() throws BadMessageException {
    for (Report report :
        List.of(
            SampleMessages.report(1),
            SampleMessages.fullReport(2),
            SampleMessages.largestReport())) {
      assertThat(read(ReportCodec.write("a", report))).isEqualTo(report);
    }
  }

  @Test
  void answersComeAsTheyWent() throws BadMessageException {
    EndOrder end = new EndOrder("it is going to fail", Duration.ofMinutes(20));
    ClusterState ends =
        new ClusterState(
            OptionalDouble.empty(), ClusterTable.EMPTY, OptionalInt.empty(), 10, Optional.of(end));
    for (ClusterState state : List.of(SampleMessages.STATE, ends, SampleMessages.largestState())) {
      Answer answer =
          new Answer(ReportStatus.TAKEN, "", Duration.ofSeconds(3), true, Optional.of(state));
      assertThat(AnswerCodec.read(AnswerCodec.write(answer, 0), ClusterTable.EMPTY))
          .isEqualTo(answer);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyVerdictComesAsItWent(ReportStatus status) throws BadMessageException {
    Answer answer = Answer.without(status, "so it is", Duration.ofMillis(7));
    assertThat(AnswerCodec.read(AnswerCodec.write(answer, 0), ClusterTable.EMPTY))
        .isEqualTo(answer);
  }

  @Test
  void statusOfANewerVersionIsTrouble() throws BadMessageException {
    AnswerProto proto = AnswerProto.newBuilder().setStatusValue(99).build();
    assertThat(AnswerCodec.read(proto, ClusterTable.EMPTY).status())
        .isEqualTo(ReportStatus.TROUBLE);
  }

  @Test
  void tableThatTheCallerHasIsNotSentAgain() throws BadMessageException {
    Answer answer =
        new Answer(ReportStatus.TAKEN, "", Duration.ZERO, false, Optional.of(SampleMessages.STATE));
    AnswerProto proto = AnswerCodec.write(answer, SampleMessages.TABLE.tag());
    assertThat(proto.getState().hasTable()).isFalse();
    assertThat(AnswerCodec.read(proto, SampleMessages.TABLE)).isEqualTo(answer);
  }

  @Test
  void machinesThatLoseOutputsAreTold() throws BadMessageException {
    ClusterTable table =
        ClusterTable.of(Map.of("n1", 0.5), List.of(), Map.of("n1", 0.02, "n2", 1.0));
    ClusterState state =
        new ClusterState(OptionalDouble.empty(), table, OptionalInt.empty(), 1, Optional.empty());
    Answer answer = new Answer(ReportStatus.TAKEN, "", Duration.ZERO, false, Optional.of(state));
    assertThat(AnswerCodec.read(AnswerCodec.write(answer, 0), ClusterTable.EMPTY))
        .isEqualTo(answer);
  }

  @Test
  void tagTellsContentsApartAndNothingElse() {
    RackBandwidth link = SampleMessages.TABLE.bandwidths().get(0);
    Map<String, Double> loss = Map.of("a", 0.5, "b", 0.02);
    ClusterTable table = ClusterTable.of(Map.of("a", 0.5, "b", 0.25), List.of(link), loss);
    assertThat(
            ClusterTable.of(Map.of("b", 0.25, "a", 0.5), List.of(link), Map.of("b", 0.02, "a", 0.5))
                .tag())
        .isEqualTo(table.tag());
    assertThat(
            Stream.of(
                ClusterTable.of(Map.of("a", 0.5, "b", 0.5), List.of(link), loss),
                ClusterTable.of(Map.of("a", 0.5), List.of(link), loss),
                ClusterTable.of(Map.of("a", 0.5, "b", 0.25), List.of(), loss),
                ClusterTable.of(Map.of("a", 0.5, "b", 0.25), List.of(link), Map.of("a", 0.5)),
                ClusterTable.of(Map.of("a", 0.5, "b", 0.25), List.of(link), Map.of()),
                ClusterTable.of(Map.of(), List.of(link), Map.of()),
                ClusterTable.of(Map.of(), List.of(), loss),
                ClusterTable.of(Map.of(), List.of(), Map.of()),
                table))
        .extracting(ClusterTable::tag)
        .doesNotHaveDuplicates();
  }

  @Test
  void worstMachinesAreTold() {
    Map<String, Double> worst =
        ClusterTable.worst(SampleMessages.largestState().table().outlierProbabilities());
    assertThat(worst).hasSize(ClusterTable.MAX_MACHINES);
    Map<String, Double> many = new HashMap<>(worst);
    many.put("good", 0.0);
    many.put("worse", 0.9);
    assertThat(ClusterTable.worst(many))
        .hasSize(ClusterTable.MAX_MACHINES)
        .containsEntry("worse", 0.9)
        .doesNotContainKey("good");
  }

  @Test
  void largestMessagesFit() {
    String attempt = SampleMessages.attempt(Integer.MAX_VALUE).toString();
    assertThat(ReportCodec.write(attempt, SampleMessages.largestReport()).getSerializedSize())
        .isBetween(Report.MAX_BYTES / 2, Report.MAX_BYTES);
    Answer answer =
        new Answer(
            ReportStatus.TAKEN,
            "",
            Duration.ofHours(1),
            true,
            Optional.of(SampleMessages.largestState()));
    assertThat(AnswerCodec.write(answer, 0).getSerializedSize())
        .isBetween(RpcTransport.MAX_ANSWER / 4, RpcTransport.MAX_ANSWER);
  }

  static Stream<Arguments> badReports() {
    return Stream.of(
        bad("sequence is 0; allowed: 1", r -> r.setSequence(0)),
        bad("maps is -1; allowed: 0 to", r -> r.getJobBuilder().setMaps(-1)),
        bad("median is 0; allowed: 1 to", r -> r.getJobBuilder().getInputsBuilder().setMedian(0)),
        bad("total is 2; allowed: 3 to", r -> r.getJobBuilder().getInputsBuilder().setTotal(2)),
        bad("outcomes[1]: container is 0;", r -> r.getOutcomesBuilder(1).setContainer(0)),
        bad("outcomes[0]: machine is '';", r -> r.getOutcomesBuilder(0).clearMachine()),
        bad("machine is 'a b';", r -> r.getOutcomesBuilder(0).setMachine("a b")),
        bad("machine is '<b>';", r -> r.getOutcomesBuilder(0).setMachine("<b>")),
        bad(
            "machine is '?????x'",
            r -> r.getOutcomesBuilder(0).setMachine("\0\u001b\n\u0085\u20acx")),
        bad("relativeRate is NaN; allowed: above 0", r -> rate(r, Double.NaN)),
        bad("relativeRate is Infinity;", r -> rate(r, Double.POSITIVE_INFINITY)),
        bad("relativeRate is 0.0;", r -> rate(r, 0)),
        bad("duration is PT-", r -> r.getOutcomesBuilder(0).setDurationMillis(-1)),
        bad("duration is PT", r -> r.getOutcomesBuilder(0).setDurationMillis(Long.MAX_VALUE)),
        bad("lost_outputs[0]: outputs is 0;", r -> r.getLostOutputsBuilder(0).setOutputs(0)),
        bad("bandwidths[0]: rack is '';", r -> r.getBandwidthsBuilder(0).clearRack()),
        bad("bandwidths[1]: down is -1.0;", r -> r.getBandwidthsBuilder(1).setDown(-1)),
        bad("up is 1.0E16;", r -> r.getBandwidthsBuilder(0).setUp(1e16)),
        bad("machines is '`';", r -> r.addMachines("`")),
        bad(
            "outcomes has 301 entries; allowed: at most 300",
            r -> many(301, i -> r.addOutcomes(r.getOutcomes(0)))),
        bad("lost_outputs has 101", r -> many(101, i -> r.addLostOutputs(r.getLostOutputs(0)))),
        bad("bandwidths has 201", r -> many(201, i -> r.addBandwidths(r.getBandwidths(0)))),
        bad("machines has 201", r -> many(201, i -> r.addMachines("n"))));
  }

  private static Arguments bad(String error, Consumer<ReportProto.Builder> change) {
    return Arguments.of(error, change);
  }

  private static void rate(ReportProto.Builder report, double rate) {
    report.getOutcomesBuilder(0).setRelativeRate(rate);
  }

  /** Extends a list of two entries to {@code count} entries. */
  private static void many(int count, Consumer<Integer> add) {
    for (int i = 2; i < count; i++) {
      add.accept(i);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badReports")
  void badReportIsRefusedWithOneErrorThatSaysWhereAndWhatIsAllowed(
      String error, Consumer<ReportProto.Builder> change) {
    ReportProto.Builder report = ReportCodec.write("a", SampleMessages.fullReport(1)).toBuilder();
    change.accept(report);
    assertThatThrownBy(() -> read(report.build()))
        .isInstanceOf(BadMessageException.class)
        .hasMessageContaining(error)
        .hasMessageContaining("allowed:");
  }

  @Test
  void badAnswerIsRefused() {
    AnswerProto.Builder answer =
        AnswerCodec.write(
            new Answer(
                ReportStatus.TAKEN, "", Duration.ZERO, false, Optional.of(SampleMessages.STATE)),
            0)
            .toBuilder();
    ClusterTableProto.Builder table = answer.getStateBuilder().getTableBuilder();
    table.addMachines(MachineProto.newBuilder().setMachine("m").setOutlierProbability(1.5));
    assertThatThrownBy(() -> AnswerCodec.read(answer.build(), ClusterTable.EMPTY))
        .isInstanceOf(BadMessageException.class)
        .hasMessageContaining("outlierProbability is 1.5; allowed: 0.0 to 1.0");
    table.clearMachines();
    table.addLosses(OutputLossProto.newBuilder().setMachine("m").setLossProbability(-1));
    assertThatThrownBy(() -> AnswerCodec.read(answer.build(), ClusterTable.EMPTY))
        .isInstanceOf(BadMessageException.class)
        .hasMessageContaining("lossProbability is -1.0; allowed: 0.0 to 1.0");
    table.clearLosses();
    answer.setWhy("a\nb");
    assertThatThrownBy(() -> AnswerCodec.read(answer.build(), ClusterTable.EMPTY))
        .isInstanceOf(BadMessageException.class)
        .hasMessageContaining("why is 'a?b'");
    answer.clearWhy().setWaitMillis(-1);
    assertThatThrownBy(() -> AnswerCodec.read(answer.build(), ClusterTable.EMPTY))
        .isInstanceOf(BadMessageException.class);
  }

  @Test
  void fieldOfANewerVersionIsPassedOver() throws Exception {
    Report report = SampleMessages.fullReport(3);
    byte[] later = {(byte) 0xfa, 0x3f, 2, 'h', 'i'}; // field 1023, a string
    ReportProto proto =
        ReportCodec.write("a", report).toBuilder()
            .mergeFrom(later)
            .setOutcomes(
                0, OutcomeProto.newBuilder().mergeFrom(later).mergeFrom(outcome(report)).build())
            .build();
    assertThat(read(ReportProto.parseFrom(proto.toByteArray()))).isEqualTo(report);
  }

  private static OutcomeProto outcome(Report report) {
    return ReportCodec.write("a", report).getOutcomes(0);
  }

  @Test
  void summaryOfSizesIsInOrder() {
    assertThat(SizeSummary.of(5, 1, 9, 3)).isEqualTo(new SizeSummary(18, 1, 5, 9));
    assertThat(SizeSummary.of()).isEqualTo(new SizeSummary(0, 0, 0, 0));
    assertThat(SizeSummary.of(Long.MAX_VALUE, Long.MAX_VALUE).total()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> SizeSummary.of(3, -1)).hasMessageContaining("smallest is -1");
  }
}
