// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.report.ProtectionFigures;
import io.drover.core.model.TaskKind;
import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.testbed.job.JobStream.JobEnd;
import io.drover.testbed.job.Occupancy;
import io.drover.testbed.job.RackTraffic;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.SampleRun;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result of one run.
 *
 * @param repeat number of the repetition, from 1; in a series, number of the job in all the series
 * @param result the run's result
 * @param outputEqual whether its output equals that of the other runs on the same input
 */
public record DemoRun(int repeat, RunResult result, boolean outputEqual) {

  RunMode mode() {
    return result.mode();
  }

  /** Returns the job time: from submit to finish, as recorded in the job's history. */
  double jobSeconds() {
    return seconds(result.historyTime());
  }

  double taskSeconds() {
    return seconds(result.tally().taskTime());
  }

  double wastedSeconds() {
    return seconds(result.tally().wastedTime());
  }

  /** Returns the bytes on the busiest link between racks in the shuffle, if they were counted. */
  OptionalDouble maxLinkBytes() {
    return result.shuffled().stream().mapToDouble(RackTraffic::busiest).findFirst();
  }

  /** Returns the bytes that went from rack to rack in the shuffle, if they were counted. */
  OptionalDouble crossRackBytes() {
    return result.shuffled().stream().mapToDouble(RackTraffic::crossRack).findFirst();
  }

  /** Returns the share of reduces that ran in the rack that Drover had chosen for them. */
  OptionalDouble rackMatch() {
    Map<String, String> wishes = DecisionLogLines.racks(result.decisions());
    return result.attempts().stream()
        .filter(attempt -> attempt.won() && wishes.containsKey(attempt.taskName()))
        .mapToDouble(attempt -> attempt.rack().equals(wishes.get(attempt.taskName())) ? 1 : 0)
        .average();
  }

  /** Returns the seconds from when utilisation rose above tau until no clone was left. */
  OptionalDouble reclaimSeconds() {
    return result.occupancy().flatMap(Occupancy::reclaimTime).stream()
        .mapToDouble(DemoRun::seconds)
        .findFirst();
  }

  /** Returns the most clones that ran at the same time, if they were counted. */
  OptionalDouble peakClones() {
    return result.occupancy().stream().mapToDouble(Occupancy::peakClones).findFirst();
  }

  /** Returns how many blocks of the result were read on the node that holds them, if known. */
  OptionalDouble localBlocks() {
    return result.sample().stream()
        .mapToDouble(sample -> sample.count(BlockLocality.MACHINE))
        .findFirst();
  }

  /** Returns the bytes that the busiest uplink of a rack carried in one direction, if counted. */
  OptionalDouble uplinkBytes() {
    return result.sample().map(SampleRun::uplinkBytes).stream()
        .flatMapToLong(OptionalLong::stream)
        .asDoubleStream()
        .findFirst();
  }

  /** Returns the longest wait for the sake of locality, in seconds, if the job could wait. */
  OptionalDouble longestWaitSeconds() {
    return result.sample().flatMap(SampleRun::longestWait).stream()
        .mapToDouble(DemoRun::seconds)
        .findFirst();
  }

  /** Returns how many jobs of a stream Drover ended, of programs that fail or of the others. */
  OptionalDouble endedJobs(boolean fails) {
    return result.stream().stream()
        .mapToDouble(stream -> stream.count(fails, JobEnd.ENDED))
        .findFirst();
  }

  /**
   * Returns how long containers of jobs of a stream ran whose programs fail, or of the others, in
   * seconds.
   */
  OptionalDouble machineSeconds(boolean fails) {
    return result.stream().stream()
        .mapToDouble(stream -> seconds(stream.machineTime(fails)))
        .findFirst();
  }

  /** Returns what became of map outputs; empty if the job has no counters of Drover. */
  Optional<ProtectionFigures> protection() {
    return ProtectionFigures.of(result.counters());
  }

  /** Returns the replicated bytes as a share of what the job read and wrote, if both are known. */
  OptionalDouble replicatedShare() {
    return protection().map(ProtectionFigures::shareOfIo).orElse(OptionalDouble.empty());
  }

  /** Returns how many maps were launched. */
  long launchedMaps() {
    return result.attempts().stream().filter(attempt -> attempt.kind() == TaskKind.MAP).count();
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  /** Finds entries in a decision log. */
  static final class DecisionLogLines {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TASK = Pattern.compile("_([mr])_0*(\\d+)$");

    private DecisionLogLines() {}

    /** Returns the rack last chosen for each reduce, by the reduce's name ({@code r3}). */
    static Map<String, String> racks(List<String> lines) {
      Map<String, String> racks = new HashMap<>();
      for (String line : lines) {
        parse(line)
            .filter(node -> node.path("type").asText().equals("placed"))
            .ifPresent(node -> racks.put(task(node.path("task").asText()), rack(node)));
      }
      return racks;
    }

    private static String rack(JsonNode node) {
      return node.path("rack").asText();
    }

    /** Converts {@code task_…_r_000003} to {@code r3}. */
    private static String task(String id) {
      Matcher task = TASK.matcher(id);
      return task.find() ? task.group(1) + task.group(2) : id;
    }

    /** Parses a line as JSON. Returns empty if it is not JSON. */
    static Optional<JsonNode> parse(String line) {
      try {
        return Optional.of(JSON.readTree(line));
      } catch (JsonProcessingException e) {
        return Optional.empty(); // an AppMaster died and cut the line short
      }
    }
  }
}
