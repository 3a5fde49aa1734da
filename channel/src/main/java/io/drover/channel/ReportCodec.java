// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.JobStart.SizeSummary;
import io.drover.channel.JobStart.TaskRequest;
import io.drover.channel.Report.LostOutputs;
import io.drover.channel.proto.ChannelProtos.ActionKindProto;
import io.drover.channel.proto.ChannelProtos.ActionTotalsProto;
import io.drover.channel.proto.ChannelProtos.JobStartProto;
import io.drover.channel.proto.ChannelProtos.LostOutputsProto;
import io.drover.channel.proto.ChannelProtos.OutcomeProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import io.drover.channel.proto.ChannelProtos.SizeSummaryProto;
import io.drover.channel.proto.ChannelProtos.TaskRequestProto;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts reports to and from the wire format. */
final class ReportCodec {
  /** A newer AppMaster may send kinds that are not known here; there will not be this many. */
  private static final int MAX_KINDS = 64;

  private ReportCodec() {}

  static ReportProto write(String attempt, Report report) {
    ReportProto.Builder proto =
        ReportProto.newBuilder()
            .setAttempt(attempt)
            .setSequence(report.sequence())
            .addAllMachines(report.machines())
            .setTableTag(report.tableTag())
            .setSecondAttemptMillis(report.secondAttempts().toMillis());
    report.job().ifPresent(job -> proto.setJob(write(job)));
    report.outcomes().forEach(outcome -> proto.addOutcomes(write(outcome)));
    report.actions().forEach((kind, totals) -> proto.addActions(write(kind, totals)));
    report.bandwidths().forEach(link -> proto.addBandwidths(WireFormat.write(link)));
    for (LostOutputs lost : report.lostOutputs()) {
      proto.addLostOutputs(
          LostOutputsProto.newBuilder().setMachine(lost.machine()).setOutputs(lost.outputs()));
    }
    return proto.build();
  }

  private static JobStartProto write(JobStart job) {
    JobStartProto.Builder proto =
        JobStartProto.newBuilder()
            .setMaps(job.maps())
            .setReduces(job.reduces())
            .setClones(job.clones())
            .setSingleAttempts(job.singleAttempts())
            .setSlowTasks(WireFormat.write(job.slowTasks()));
    job.program().ifPresent(proto::setProgram);
    job.inputs().ifPresent(sizes -> proto.setInputs(write(sizes)));
    job.partitions().ifPresent(sizes -> proto.setPartitions(write(sizes)));
    job.mapRequest().ifPresent(request -> proto.setMapRequest(write(request)));
    job.reduceRequest().ifPresent(request -> proto.setReduceRequest(write(request)));
    return proto.build();
  }

  private static TaskRequestProto write(TaskRequest request) {
    return TaskRequestProto.newBuilder()
        .setMemoryMb(request.megabytes())
        .setVcores(request.vcores())
        .build();
  }

  private static SizeSummaryProto write(SizeSummary sizes) {
    return SizeSummaryProto.newBuilder()
        .setTotal(sizes.total())
        .setSmallest(sizes.smallest())
        .setMedian(sizes.median())
        .setLargest(sizes.largest())
        .build();
  }

  private static OutcomeProto write(AttemptOutcome outcome) {
    OutcomeProto.Builder proto =
        OutcomeProto.newBuilder()
            .setContainer(outcome.container())
            .setMachine(outcome.machine())
            .setOutlier(outcome.outlier())
            .setDurationMillis(outcome.duration().toMillis())
            .setKeptOutput(outcome.keptOutput());
    outcome.relativeRate().ifPresent(proto::setRelativeRate);
    return proto.build();
  }

  /** Reads a report and checks every value. */
  static Report read(ReportProto proto) throws BadMessageException {
    try {
      return new Report(
          proto.getSequence(),
          proto.hasJob() ? Optional.of(read(proto.getJob())) : Optional.empty(),
          WireFormat.each(
              "outcomes", proto.getOutcomesList(), Report.MAX_OUTCOMES, ReportCodec::read),
          WireFormat.each(
              "lost_outputs", proto.getLostOutputsList(), Report.MAX_LOST, ReportCodec::read),
          WireFormat.each(
              "bandwidths", proto.getBandwidthsList(), Report.MAX_RACKS, WireFormat::read),
          proto.getMachinesList(),
          proto.getTableTag(),
          Duration.ofMillis(proto.getSecondAttemptMillis()),
          readActions(proto.getActionsList()));
    } catch (IllegalArgumentException e) {
      throw new BadMessageException(e);
    }
  }

  private static JobStart read(JobStartProto proto) {
    return new JobStart(
        proto.getMaps(),
        proto.getReduces(),
        proto.hasInputs() ? Optional.of(read(proto.getInputs())) : Optional.empty(),
        proto.hasPartitions() ? Optional.of(read(proto.getPartitions())) : Optional.empty(),
        proto.getClones(),
        proto.hasProgram() ? Optional.of(proto.getProgram()) : Optional.empty(),
        proto.getSingleAttempts(),
        proto.hasMapRequest() ? Optional.of(read(proto.getMapRequest())) : Optional.empty(),
        proto.hasReduceRequest() ? Optional.of(read(proto.getReduceRequest())) : Optional.empty(),
        WireFormat.read(proto.getSlowTasks()));
  }

  private static TaskRequest read(TaskRequestProto proto) {
    return new TaskRequest(proto.getMemoryMb(), proto.getVcores());
  }

  private static SizeSummary read(SizeSummaryProto proto) {
    return new SizeSummary(
        proto.getTotal(), proto.getSmallest(), proto.getMedian(), proto.getLargest());
  }

  private static AttemptOutcome read(OutcomeProto proto) {
    return new AttemptOutcome(
        proto.getContainer(),
        proto.getMachine(),
        proto.getOutlier(),
        WireFormat.optional(proto.hasRelativeRate(), proto.getRelativeRate()),
        Duration.ofMillis(proto.getDurationMillis()),
        proto.getKeptOutput());
  }

  private static ActionTotalsProto write(ActionKind kind, ActionTotals totals) {
    return ActionTotalsProto.newBuilder()
        .setKind(ActionKindProto.valueOf(kind.name()))
        .setLaunched(totals.launched())
        .setWon(totals.won())
        .setLost(totals.lost())
        .setWastedMillis(totals.wastedMillis())
        .setSavedMillis(totals.savedMillis())
        .build();
  }

  private static Map<ActionKind, ActionTotals> readActions(List<ActionTotalsProto> protos) {
    Validation.size("actions", protos.size(), MAX_KINDS);
    Map<ActionKind, ActionTotals> actions = new EnumMap<>(ActionKind.class);
    for (ActionTotalsProto proto : protos) {
      Optional<ActionKind> kind = kind(proto.getKind());
      if (kind.isPresent() && actions.put(kind.get(), read(proto)) != null) {
        throw new IllegalArgumentException("actions has two entries of kind " + kind.get());
      }
    }
    return actions;
  }

  /** Returns a kind; empty if only a newer AppMaster knows it. */
  private static Optional<ActionKind> kind(ActionKindProto proto) {
    return switch (proto) {
      case COPY -> Optional.of(ActionKind.COPY);
      case RESTART -> Optional.of(ActionKind.RESTART);
      case CLONE -> Optional.of(ActionKind.CLONE);
      case RECOMPUTATION -> Optional.of(ActionKind.RECOMPUTATION);
      case REPLICA -> Optional.of(ActionKind.REPLICA);
      case ACTION_UNKNOWN, UNRECOGNIZED -> Optional.empty();
    };
  }

  private static ActionTotals read(ActionTotalsProto proto) {
    return new ActionTotals(
        proto.getLaunched(),
        proto.getWon(),
        proto.getLost(),
        proto.getWastedMillis(),
        proto.getSavedMillis());
  }

  private static LostOutputs read(LostOutputsProto proto) {
    return new LostOutputs(proto.getMachine(), proto.getOutputs());
  }
}
