// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.ClusterState.EndOrder;
import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ClusterStateProto;
import io.drover.channel.proto.ChannelProtos.ClusterTableProto;
import io.drover.channel.proto.ChannelProtos.EndOrderProto;
import io.drover.channel.proto.ChannelProtos.MachineProto;
import io.drover.channel.proto.ChannelProtos.OutputLossProto;
import io.drover.channel.proto.ChannelProtos.ReportStatusProto;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Converts answers to and from the wire format. */
final class AnswerCodec {
  private AnswerCodec() {}

  /**
   * Writes an answer. It leaves the table out if the caller has it already.
   *
   * @param tableTag the tag of the caller's table; 0 if it has none
   */
  static AnswerProto write(Answer answer, long tableTag) {
    AnswerProto.Builder proto =
        AnswerProto.newBuilder()
            .setStatus(ReportStatusProto.valueOf(answer.status().name()))
            .setWhy(answer.why())
            .setWaitMillis(answer.pause().toMillis())
            .setWantsJob(answer.wantsJob());
    answer.state().ifPresent(state -> proto.setState(write(state, tableTag)));
    return proto.build();
  }

  private static ClusterStateProto write(ClusterState state, long tableTag) {
    ClusterStateProto.Builder proto =
        ClusterStateProto.newBuilder()
            .setUpstreamRatio(state.upstreamRatio())
            .setSingleAttempts(state.singleAttempts())
            .setSlowTasks(WireFormat.write(state.slowTasks()));
    state.cloneRoom().ifPresent(proto::setCloneRoom);
    state.outlierProbability().ifPresent(proto::setOutlierProbability);
    state.successProbability().ifPresent(proto::setSuccessProbability);
    if (state.table().tag() != tableTag) {
      proto.setTable(write(state.table()));
    }
    state
        .end()
        .ifPresent(
            end ->
                proto.setEnd(
                    EndOrderProto.newBuilder()
                        .setReason(end.reason())
                        .setGraceMillis(end.grace().toMillis())));
    return proto.build();
  }

  private static ClusterTableProto write(ClusterTable table) {
    ClusterTableProto.Builder proto = ClusterTableProto.newBuilder().setTag(table.tag());
    table
        .outlierProbabilities()
        .forEach(
            (machine, p) ->
                proto.addMachines(
                    MachineProto.newBuilder().setMachine(machine).setOutlierProbability(p)));
    table.bandwidths().forEach(link -> proto.addBandwidths(WireFormat.write(link)));
    table
        .lossProbabilities()
        .forEach(
            (machine, r) ->
                proto.addLosses(
                    OutputLossProto.newBuilder().setMachine(machine).setLossProbability(r)));
    return proto.build();
  }

  /**
   * Reads an answer and checks every value.
   *
   * @param table the caller's table, used if the answer contains none
   */
  static Answer read(AnswerProto proto, ClusterTable table) throws BadMessageException {
    try {
      return new Answer(
          status(proto.getStatus()),
          proto.getWhy(),
          Duration.ofMillis(proto.getWaitMillis()),
          proto.getWantsJob(),
          proto.hasState() ? Optional.of(read(proto.getState(), table)) : Optional.empty());
    } catch (IllegalArgumentException e) {
      throw new BadMessageException(e);
    }
  }

  /** Treats a status that only a newer ResourceManager knows as trouble. */
  private static ReportStatus status(ReportStatusProto proto) {
    return switch (proto) {
      case TAKEN -> ReportStatus.TAKEN;
      case REPLAYED -> ReportStatus.REPLAYED;
      case WAIT -> ReportStatus.WAIT;
      case BAD -> ReportStatus.BAD;
      case REFUSED -> ReportStatus.REFUSED;
      case TROUBLE, VERDICT_UNKNOWN, UNRECOGNIZED -> ReportStatus.TROUBLE;
    };
  }

  private static ClusterState read(ClusterStateProto proto, ClusterTable table) {
    return new ClusterState(
        WireFormat.optional(proto.hasOutlierProbability(), proto.getOutlierProbability()),
        proto.hasTable() ? read(proto.getTable()) : table,
        proto.hasCloneRoom() ? OptionalInt.of(proto.getCloneRoom()) : OptionalInt.empty(),
        proto.getUpstreamRatio(),
        proto.hasEnd() ? Optional.of(read(proto.getEnd())) : Optional.empty(),
        proto.getSingleAttempts(),
        WireFormat.optional(proto.hasSuccessProbability(), proto.getSuccessProbability()),
        WireFormat.read(proto.getSlowTasks()));
  }

  private static ClusterTable read(ClusterTableProto proto) {
    List<MachineProto> machines = proto.getMachinesList();
    Validation.size("machines", machines.size(), ClusterTable.MAX_MACHINES);
    Map<String, Double> outlierProbabilities = new HashMap<>();
    for (MachineProto machine : machines) {
      outlierProbabilities.put(machine.getMachine(), machine.getOutlierProbability());
    }
    return new ClusterTable(
        proto.getTag(),
        outlierProbabilities,
        WireFormat.each(
            "bandwidths", proto.getBandwidthsList(), ClusterTable.MAX_RACKS, WireFormat::read),
        losses(proto.getLossesList()));
  }

  private static Map<String, Double> losses(List<OutputLossProto> machines) {
    Validation.size("losses", machines.size(), ClusterTable.MAX_MACHINES);
    Map<String, Double> lossProbabilities = new HashMap<>();
    for (OutputLossProto machine : machines) {
      lossProbabilities.put(machine.getMachine(), machine.getLossProbability());
    }
    return lossProbabilities;
  }

  private static EndOrder read(EndOrderProto proto) {
    return new EndOrder(proto.getReason(), Duration.ofMillis(proto.getGraceMillis()));
  }
}
