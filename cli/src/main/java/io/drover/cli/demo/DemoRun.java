// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.testbed.job.Occupancy;
import io.drover.testbed.job.RackTraffic;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run that was done.
 *
 * @param repeat which time over, from 1
 * @param result what came of it
 * @param outputEqual whether its output is that of the other runs on the same input
 */
public record DemoRun(int repeat, RunResult result, boolean outputEqual) {

  /** How it was run. */
  RunMode mode() {
    return result.mode();
  }

  /** Job time: from submit to finish as the job's own history has it. */
  double jobSeconds() {
    return seconds(result.historyTime());
  }

  double taskSeconds() {
    return seconds(result.tally().taskTime());
  }

  double wastedSeconds() {
    return seconds(result.tally().wastedTime());
  }

  /** What crossed the busiest link between racks in the shuffle, bytes, where it was counted. */
  OptionalDouble maxLinkBytes() {
    return result.shuffled().stream().mapToDouble(RackTraffic::busiest).findFirst();
  }

  /** What went from rack to rack in the shuffle, bytes, where it was counted. */
  OptionalDouble crossRackBytes() {
    return result.shuffled().stream().mapToDouble(RackTraffic::crossRack).findFirst();
  }

  /** Of the reduces that Drover chose a rack for, the share that ran there. */
  OptionalDouble rackMatch() {
    Map<String, String> wishes = DecisionLogLines.racks(result.decisions());
    return result.attempts().stream()
        .filter(attempt -> attempt.won() && wishes.containsKey(attempt.taskName()))
        .mapToDouble(attempt -> attempt.rack().equals(wishes.get(attempt.taskName())) ? 1 : 0)
        .average();
  }

  /** How long clones were still there after utilisation had risen above tau, seconds. */
  OptionalDouble reclaimSeconds() {
    return result.occupancy().flatMap(Occupancy::reclaimTime).stream()
        .mapToDouble(DemoRun::seconds)
        .findFirst();
  }

  /** How many clones ran at once at most, where they were counted. */
  OptionalDouble peakClones() {
    return result.occupancy().stream().mapToDouble(Occupancy::peakClones).findFirst();
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  /** Finds things in a decision log. */
  static final class DecisionLogLines {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TASK = Pattern.compile("_([mr])_0*(\\d+)$");

    private DecisionLogLines() {}

    /** The rack that was last chosen for each reduce, by the reduce's name ({@code r3}). */
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

    /** {@code task_…_r_000003} to {@code r3}. */
    private static String task(String id) {
      Matcher task = TASK.matcher(id);
      return task.find() ? task.group(1) + task.group(2) : id;
    }

    /** A line as JSON; empty if it is none. */
    static Optional<JsonNode> parse(String line) {
      try {
        return Optional.of(JSON.readTree(line));
      } catch (JsonProcessingException e) {
        return Optional.empty(); // a line cut short by a dying AppMaster
      }
    }
  }
}
