// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.simulator.result.Spread;
import io.drover.testbed.job.JobStream;
import io.drover.testbed.job.JobStream.JobEnd;
import io.drover.testbed.job.JobStream.StreamedJob;
import io.drover.testbed.job.Occupancy;
import io.drover.testbed.job.RackTraffic;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult.AttemptTally;
import io.drover.testbed.job.SampleRun;
import io.drover.testbed.job.SampleRun.OutputChoice;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.apache.hadoop.util.VersionInfo;

/** Writes the result as one JSON object for programs. docs/demo.md describes the keys. */
final class DemoJson {
  private DemoJson() {}

  /** Returns the JSON object on one line. */
  static String of(DemoResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("job", result.options().job().key());
    root.put("repeats", result.options().runs());
    root.put("good", result.isGood());
    root.put("hadoop", VersionInfo.getVersion());
    root.put("java", Runtime.version().feature());
    ArrayNode scenarios = root.putArray("scenarios");
    for (ScenarioResult scenario : result.scenarios()) {
      ObjectNode node = scenarios.addObject();
      node.put("name", scenario.scenario().key());
      node.put("title", scenario.title());
      scenario.load().ifPresent(load -> node.put("load", load));
      node.put("verdict", DemoSummary.verdict(scenario));
      node.set("summary", summary(scenario));
      ArrayNode runs = node.putArray("runs");
      if (scenario.series() == 1) {
        scenario.runs().forEach(run -> run(runs.addObject(), run));
      } else {
        for (RunMode mode : scenario.modes()) {
          scenario.seriesOf(mode).forEach(jobs -> series(runs.addObject(), jobs));
        }
      }
    }
    return root.toString();
  }

  static void run(ObjectNode node, DemoRun run) {
    AttemptTally tally = run.result().tally();
    node.put("mode", run.mode().key());
    node.put("repeat", run.repeat());
    node.put("jobId", run.result().jobId());
    node.put("state", run.result().state());
    node.put("jobSeconds", run.jobSeconds());
    node.put("wallSeconds", DemoRun.seconds(run.result().wall()));
    node.put("taskSeconds", run.taskSeconds());
    node.put("copies", tally.copies());
    node.put("copiesWon", tally.copiesWon());
    node.put("copiesLost", tally.copiesLost());
    node.put("restarts", tally.restarts());
    node.put("failedAttempts", tally.failed());
    node.put("wastedSeconds", run.wastedSeconds());
    run.maxLinkBytes().ifPresent(bytes -> node.put("maxLinkBytes", (long) bytes));
    run.uplinkBytes().ifPresent(bytes -> node.put("uplinkBytes", (long) bytes));
    run.crossRackBytes().ifPresent(bytes -> node.put("crossRackBytes", (long) bytes));
    run.rackMatch().ifPresent(share -> node.put("rackMatch", rounded(share)));
    run.protection()
        .ifPresent(
            outputs ->
                node.put("replicatedBytes", outputs.replicatedBytes())
                    .put("replicasUsed", outputs.replicasUsed())
                    .put("outputsMadeAgain", outputs.madeAgain()));
    run.replicatedShare().ifPresent(share -> node.put("replicatedShare", rounded(share)));
    run.result().shuffled().ifPresent(traffic -> links(node.putArray("links"), traffic));
    run.result().occupancy().ifPresent(seen -> OccupancyJson.put(node.putObject("ceiling"), seen));
    run.result().sample().ifPresent(sample -> SampleJson.put(node, run, sample));
    run.result().stream().ifPresent(stream -> StreamJson.put(node.putObject("stream"), stream));
    node.put("outputSha256", run.result().output().sha256());
    node.put("outputEqual", run.outputEqual());
  }

  private static void links(ArrayNode links, RackTraffic traffic) {
    Map<String, Long> down = traffic.down();
    traffic
        .up()
        .forEach(
            (rack, up) ->
                links.addObject().put("rack", rack).put("up", up).put("down", down.get(rack)));
  }

  /** Writes several jobs as one run: sums, and the median job time as the job time. */
  static void series(ObjectNode node, List<DemoRun> jobs) {
    DemoRun first = jobs.get(0);
    node.put("mode", first.mode().key());
    node.put("repeat", 1 + (first.repeat() - 1) / jobs.size());
    ObjectNode times = node.putObject("jobs");
    times.put("count", jobs.size());
    ScenarioResult.percentile(jobs, 50)
        .ifPresent(
            p -> {
              node.put("jobSeconds", rounded(p));
              times.put("p50", rounded(p));
            });
    ScenarioResult.percentile(jobs, 95).ifPresent(p -> times.put("p95", rounded(p)));
    node.put("taskSeconds", rounded(jobs.stream().mapToDouble(DemoRun::taskSeconds).sum()));
    node.put("copies", sum(jobs, AttemptTally::copies));
    node.put("copiesWon", sum(jobs, AttemptTally::copiesWon));
    node.put("copiesLost", sum(jobs, AttemptTally::copiesLost));
    node.put("restarts", sum(jobs, AttemptTally::restarts));
    node.put("failedAttempts", sum(jobs, AttemptTally::failed));
    node.put("wastedSeconds", rounded(jobs.stream().mapToDouble(DemoRun::wastedSeconds).sum()));
    node.put("outputSha256", first.result().output().sha256());
    node.put("outputEqual", jobs.stream().allMatch(DemoRun::outputEqual));
  }

  private static int sum(List<DemoRun> jobs, ToIntFunction<AttemptTally> figure) {
    return jobs.stream().mapToInt(job -> figure.applyAsInt(job.result().tally())).sum();
  }

  static ObjectNode summary(ScenarioResult scenario) {
    ObjectNode summary = JsonNodeFactory.instance.objectNode();
    for (RunMode mode : scenario.modes()) {
      ObjectNode node = summary.putObject(mode.key());
      spread(node, "jobSeconds", scenario.jobSeconds(mode));
      spread(node, "taskSeconds", scenario.spread(mode, DemoRun::taskSeconds));
      spread(node, "wastedSeconds", scenario.spread(mode, DemoRun::wastedSeconds));
      spread(node, "copies", scenario.spread(mode, run -> run.result().tally().copies()));
      spread(node, "restarts", scenario.spread(mode, run -> run.result().tally().restarts()));
      if (scenario.series() > 1) {
        scenario.percentile(mode, 95).ifPresent(p -> node.put("p95", rounded(p)));
      }
      spread(node, "maxLinkBytes", scenario.known(mode, DemoRun::maxLinkBytes));
      spread(node, "uplinkBytes", scenario.known(mode, DemoRun::uplinkBytes));
      spread(node, "crossRackBytes", scenario.known(mode, DemoRun::crossRackBytes));
      spread(node, "rackMatch", scenario.known(mode, DemoRun::rackMatch));
      spread(node, "replicatedShare", scenario.known(mode, DemoRun::replicatedShare));
      spread(node, "peakClones", scenario.known(mode, DemoRun::peakClones));
      spread(node, "reclaimSeconds", scenario.known(mode, DemoRun::reclaimSeconds));
      spread(node, "localBlocks", scenario.known(mode, DemoRun::localBlocks));
      spread(node, "longestWaitSeconds", scenario.known(mode, DemoRun::longestWaitSeconds));
      for (boolean fails : new boolean[] {true, false}) {
        spread(
            node,
            fails ? "failingEnded" : "othersEnded",
            scenario.known(mode, run -> run.endedJobs(fails)));
        spread(
            node,
            fails ? "failingMachineSeconds" : "otherMachineSeconds",
            scenario.known(mode, run -> run.machineSeconds(fails)));
      }
      if (mode.hasSpeculation()) {
        spread(node, "recovered", scenario.recovered(mode));
      }
    }
    return summary;
  }

  /** Writes nothing if the figure is unknown. */
  private static void spread(ObjectNode node, String name, Optional<Spread> spread) {
    spread.ifPresent(
        s -> {
          ObjectNode values = node.putObject(name);
          values.put("min", rounded(s.min()));
          values.put("median", rounded(s.median()));
          values.put("max", rounded(s.max()));
        });
  }

  static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }

  /** Writes which blocks a run read where. docs/demo.md has the keys. */
  static final class SampleJson {
    private SampleJson() {}

    static void put(ObjectNode run, DemoRun of, SampleRun sample) {
      run.put("outputComparedWith", "the blocks that the run read");
      ObjectNode node = run.putObject("sample");
      node.put("needed", sample.spec().needed());
      node.put("total", sample.hosts().size());
      node.put("maps", sample.maps());
      node.put("launched", of.launchedMaps());
      for (BlockLocality nearness : BlockLocality.values()) {
        node.put(SampleTable.word(nearness), sample.count(nearness));
      }
      of.longestWaitSeconds().ifPresent(wait -> node.put("longestWaitSeconds", wait));
      sample.choice().ifPresent(choice -> choice(node.putObject("outputsChosen"), choice));
      node.put("slotsOfHost", sample.slots());
      ObjectNode held = node.putObject("slotsHeld");
      new TreeMap<>(sample.held()).forEach(held::put);
      ArrayNode hosts = node.putArray("hosts");
      sample.hosts().forEach(hosts::add);
      ArrayNode reads = node.putArray("reads");
      for (SampleRun.Read read : sample.reads()) {
        reads
            .addObject()
            .put("block", read.block())
            .put("attempt", read.attempt())
            .put("node", read.node())
            .put("nearness", SampleTable.word(read.nearness()))
            .put("used", read.used());
      }
    }

    private static void choice(ObjectNode node, OutputChoice choice) {
      node.put("done", choice.done());
      node.put("racks", choice.racks());
      node.put("reason", choice.reason());
      node.put("busiestLinkSeconds", rounded(choice.busiestLinkSeconds()));
      node.put("lowerBoundSeconds", rounded(choice.lowerBoundSeconds()));
      node.put("crossRackBytes", choice.crossRackBytes());
    }
  }

  /** Writes what the jobs of a stream have come to. docs/demo.md has the keys. */
  static final class StreamJson {
    private StreamJson() {}

    static void put(ObjectNode node, JobStream stream) {
      node.put("failing", stream.count(true));
      node.put("failingEnded", stream.count(true, JobEnd.ENDED));
      node.put("failingMachineSeconds", DemoRun.seconds(stream.machineTime(true)));
      node.put("others", stream.count(false));
      node.put("othersEnded", stream.count(false, JobEnd.ENDED));
      node.put("otherMachineSeconds", DemoRun.seconds(stream.machineTime(false)));
      ArrayNode jobs = node.putArray("jobs");
      for (StreamedJob job : stream.jobs()) {
        jobs.addObject()
            .put("jobId", job.jobId())
            .put("program", job.program())
            .put("fails", job.fails())
            .put("end", job.end().name().toLowerCase(Locale.ROOT))
            .put("submitted", DemoRun.seconds(job.submitted()))
            .put("finished", DemoRun.seconds(job.finished()))
            .put("machineSeconds", DemoRun.seconds(job.machineTime()));
      }
    }
  }

  /** Writes how full the cluster was, for programs and the page. docs/demo.md has the keys. */
  static final class OccupancyJson {
    private OccupancyJson() {}

    /** Writes the occupancy without the times that are unknown. */
    static void put(ObjectNode node, Occupancy occupancy) {
      node.put("tau", occupancy.tau());
      node.put("peakClones", occupancy.peakClones());
      node.put("clonesKilled", occupancy.kills().size());
      occupancy.crossedAt().ifPresent(at -> node.put("crossedAt", DemoRun.seconds(at)));
      occupancy.reclaimedAt().ifPresent(at -> node.put("reclaimedAt", DemoRun.seconds(at)));
      occupancy.reclaimTime().ifPresent(time -> node.put("reclaimSeconds", DemoRun.seconds(time)));
      ArrayNode small = node.putArray("smallJobSeconds");
      occupancy.smallJobs().forEach(job -> small.add(DemoRun.seconds(job.time())));
      ArrayNode kills = node.putArray("killedAt");
      occupancy.kills().forEach(at -> kills.add(DemoRun.seconds(at)));
      node.put("samplesMissed", occupancy.missed());
      ArrayNode samples = node.putArray("samples");
      for (Occupancy.Sample sample : occupancy.samples()) {
        samples
            .addObject()
            .put("at", DemoRun.seconds(sample.at()))
            .put("utilisation", DemoJson.rounded(sample.utilisation()))
            .put("clones", sample.clones())
            .put("cloneShare", DemoJson.rounded(sample.cloneShare()));
      }
    }
  }
}
