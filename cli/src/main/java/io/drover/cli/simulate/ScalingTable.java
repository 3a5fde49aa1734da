// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Columns;
import io.drover.cli.text.Lines;
import io.drover.cli.text.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How the time of simulations grew, as a table for a terminal. */
final class ScalingTable {
  private ScalingTable() {}

  static String of(ScalingResult result) {
    SimulateOptions options = result.options();
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(
        Lines.hanging(
            "",
            "synthetic jobs on "
                + result.scene().cluster()
                + ", "
                + SimulationSummary.seeds(options)
                + ", under "
                + result.scheme()));
    lines.add("");
    lines.addAll(Columns.align(rows(result)));
    lines.add("");
    lines.addAll(Lines.hanging("  ", result.verdict()));
    lines.add("");
    lines.addAll(
        Lines.hanging(
            "  ",
            "n is the number of tasks; the last column is seconds / (n log2 n), divided by that of"
                + " the first line. Seconds are processor time of all threads, measured here and now,"
                + " with the second size run once before."
                + (options.repeat() > 1
                    ? " All are medians of " + options.repeat() + " repeats."
                    : "")));
    lines.add("");
    String end = System.lineSeparator();
    return String.join(end, lines) + end;
  }

  private static List<List<String>> rows(ScalingResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "jobs", "tasks", "events", "seconds", "events/s", "n log2 n"));
    for (int factor : Scaling.FACTORS) {
      rows.add(
          List.of(
              "  " + factor + " x",
              whole((double) factor * result.options().jobs()),
              whole(result.of(factor, ScalingResult.Step::tasks)),
              whole(result.of(factor, ScalingResult.Step::events)),
              two(result.of(factor, ScalingResult.Step::seconds)),
              whole(result.of(factor, step -> step.events() / step.seconds())),
              two(result.growth(factor))));
    }
    return rows;
  }

  private static String whole(Spread spread) {
    return whole(spread.median());
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  private static String two(Spread spread) {
    return String.format(Locale.ROOT, "%.2f", spread.median());
  }
}
