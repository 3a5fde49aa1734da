// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.simulator.report.Text;
import io.drover.testbed.job.Occupancy;
import io.drover.testbed.job.Occupancy.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws how full the cluster was over time. Shows the run of median job time for each mode. */
final class OccupancyTable {
  private static final int WIDEST = 70;
  private static final int ROWS = 10;

  private OccupancyTable() {}

  /** Returns the lines, or none if the occupancy was not sampled. */
  static List<String> of(ScenarioResult result) {
    List<String> lines = new ArrayList<>();
    for (DemoRun run : result.typical()) {
      run.result().occupancy().ifPresent(seen -> lines.addAll(of(run, seen)));
    }
    if (!lines.isEmpty()) {
      lines.add("  # in use, o of that by clones, ^ the big job is submitted");
    }
    return lines;
  }

  private static List<String> of(DemoRun run, Occupancy seen) {
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(Text.hanging("  " + run.mode().key() + ": ", figures(run, seen)));
    lines.addAll(picture(seen));
    return lines;
  }

  private static String figures(DemoRun run, Occupancy seen) {
    StringBuilder text = new StringBuilder();
    int peak = seen.peakClones();
    text.append(
        peak == 0
            ? "no clones"
            : "at most " + DemoSummary.count(peak, "clone", "clones") + ", " + seen.kills().size());
    text.append(peak == 0 ? "; " : " killed; ");
    String tau = DemoSummary.percent(seen.tau());
    text.append(
        seen.crossedAt()
            .map(at -> "above " + tau + " from " + seconds(DemoRun.seconds(at)))
            .orElse("never above " + tau));
    seen.reclaimTime()
        .ifPresent(
            time -> {
              double late = DemoRun.seconds(time);
              text.append(", no clone left ")
                  .append(OccupancySummary.isAtOnce(late) ? "then" : seconds(late) + " later");
            });
    text.append("; the big job took ").append(seconds(run.jobSeconds()));
    if (seen.missed() > 0) {
      text.append("; ")
          .append(DemoSummary.count(seen.missed(), "sample", "samples"))
          .append(" missed: ")
          .append(seen.why());
    }
    return text.append('.').toString();
  }

  private static String seconds(double seconds) {
    return DemoSummary.seconds(seconds);
  }

  /** Draws a column for each second, or for several if there are many, and a row for each tenth. */
  static List<String> picture(Occupancy seen) {
    if (seen.samples().isEmpty()) {
      return List.of();
    }
    long first = second(seen.samples().get(0));
    long last = second(seen.samples().get(seen.samples().size() - 1));
    long step = 1 + (last - first) / WIDEST;
    List<Column> columns = new ArrayList<>();
    for (long from = first; from <= last; from += step) {
      columns.add(Column.of(seen.samples(), from, from + step, columns));
    }
    List<String> lines = new ArrayList<>();
    long ceiling = Math.round(seen.tau() * ROWS);
    for (int row = ROWS; row >= 1; row--) {
      double middle = (row - 0.5) / ROWS;
      StringBuilder line = new StringBuilder();
      for (Column column : columns) {
        line.append(column.at(middle, row == ceiling ? '-' : ' '));
      }
      String head = String.format(Locale.ROOT, "  %3d %% ", Math.round(100.0 * row / ROWS));
      lines.add((head + line).stripTrailing());
    }
    lines.add(" ".repeat(8 + (int) (Math.max(0, -first) / step)) + "^");
    return lines;
  }

  private static long second(Sample sample) {
    return Math.floorDiv(sample.at().toMillis(), 1000);
  }

  /** The mean of the samples in one column. */
  private record Column(double utilisation, double clones) {

    /** Averages the samples of a time range. If there are none, repeats the previous column. */
    static Column of(List<Sample> samples, long from, long to, List<Column> before) {
      List<Sample> in = samples.stream().filter(s -> second(s) >= from && second(s) < to).toList();
      if (in.isEmpty() && !before.isEmpty()) {
        return before.get(before.size() - 1);
      }
      return new Column(mean(in, Sample::utilisation), mean(in, Sample::cloneShare));
    }

    private static double mean(List<Sample> samples, ToDoubleFunction<Sample> figure) {
      return samples.stream().mapToDouble(figure).average().orElse(0);
    }

    char at(double height, char empty) {
      if (height > utilisation) {
        return empty;
      }
      return height > utilisation - clones ? 'o' : '#';
    }
  }
}
