// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.simulator.report.Text;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.SampleRun;
import io.drover.testbed.job.SampleRun.OutputChoice;
import io.drover.testbed.job.SampleRun.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Shows which blocks were read where. All modes are shown from the repeat in which Drover's job
 * time was the median, because only the runs of one repeat have the same slots free.
 */
final class SampleTable {
  private static final String UNKNOWN = "-";

  private SampleTable() {}

  /** Names how near to its block a map ran, as in {@code --json}. */
  static String word(BlockLocality nearness) {
    return switch (nearness) {
      case MACHINE -> "local";
      case RACK -> "rack";
      case ELSEWHERE -> "other";
    };
  }

  /** Returns the lines, or none if the jobs needed no sample. */
  static List<String> of(ScenarioResult result) {
    List<DemoRun> runs = pair(result);
    if (runs.isEmpty()) {
      return List.of();
    }
    boolean many = result.runs().size() > runs.size();
    List<String> lines = new ArrayList<>(Text.hanging("  ", SampleSummary.OUTPUTS));
    lines.add("");
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            many ? "  blocks read, repeat " + runs.get(0).repeat() : "  blocks read",
            "local",
            "rack",
            "other",
            "K of M",
            "launched",
            "longest wait",
            "busiest link",
            "all links"));
    runs.forEach(run -> rows.add(row(run, sample(run))));
    lines.addAll(Text.align(rows));
    for (DemoRun run : runs) {
      sample(run).choice().ifPresent(choice -> lines.addAll(Text.hanging("  ", sentence(choice))));
    }
    runs.forEach(run -> lines.addAll(picture(run, sample(run))));
    lines.add(
        "  [ ] slots, * held by the other application; then the blocks of the node: # read there,");
    lines.add("  r read in its rack, o read in another rack, x read but left out, . not read");
    return lines;
  }

  private static List<DemoRun> pair(ScenarioResult result) {
    int repeat =
        result.typical().stream()
            .filter(run -> run.mode() == RunMode.DROVER)
            .mapToInt(DemoRun::repeat)
            .findFirst()
            .orElse(1);
    return result.runs().stream()
        .filter(run -> run.repeat() == repeat && run.result().sample().isPresent())
        .toList();
  }

  private static SampleRun sample(DemoRun run) {
    return run.result().sample().orElseThrow();
  }

  private static List<String> row(DemoRun run, SampleRun sample) {
    return List.of(
        "  " + run.mode().key(),
        Long.toString(sample.count(BlockLocality.MACHINE)),
        Long.toString(sample.count(BlockLocality.RACK)),
        Long.toString(sample.count(BlockLocality.ELSEWHERE)),
        sample.spec().needed() + " of " + sample.maps(),
        Long.toString(run.launchedMaps()),
        text(run.longestWaitSeconds(), "%.1f s", 1),
        text(run.maxLinkBytes(), "%.2f MB", 1e-6),
        text(run.crossRackBytes(), "%.2f MB", 1e-6));
  }

  private static String text(OptionalDouble figure, String format, double scale) {
    return figure.isEmpty()
        ? UNKNOWN
        : String.format(Locale.ROOT, format, scale * figure.getAsDouble());
  }

  private static String sentence(OutputChoice choice) {
    return String.format(
        Locale.ROOT,
        "Drover chose its outputs when %d of %d maps were done, in %s. The busiest link needs"
            + " %.3f s for them; no choice needs less than %.3f s.",
        choice.done(),
        choice.maps(),
        DemoSummary.count(choice.racks(), "rack", "racks"),
        choice.busiestLinkSeconds(),
        choice.lowerBoundSeconds());
  }

  /** Draws a row for each node: its slots, and its blocks in the order of their numbers. */
  private static List<String> picture(DemoRun run, SampleRun sample) {
    List<String> lines = new ArrayList<>(List.of("", "  " + run.mode().key() + ":"));
    for (String node : sample.hosts().stream().distinct().sorted().toList()) {
      int held = sample.held().getOrDefault(node, 0);
      String slots = "*".repeat(held) + " ".repeat(Math.max(0, sample.slots() - held));
      lines.add(String.format(Locale.ROOT, "  %6s [%s] %s", node, slots, blocks(node, sample)));
    }
    return lines;
  }

  private static String blocks(String node, SampleRun sample) {
    StringBuilder text = new StringBuilder();
    for (int block = 0; block < sample.hosts().size(); block++) {
      if (sample.hosts().get(block).equals(node)) {
        text.append(sample.of(block).map(SampleTable::mark).orElse('.'));
      }
    }
    return text.toString();
  }

  private static char mark(Read read) {
    if (!read.used()) {
      return 'x';
    }
    return switch (read.nearness()) {
      case MACHINE -> '#';
      case RACK -> 'r';
      case ELSEWHERE -> 'o';
    };
  }
}
