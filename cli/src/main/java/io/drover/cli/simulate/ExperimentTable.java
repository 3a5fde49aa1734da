// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Columns;
import io.drover.cli.text.Lines;
import io.drover.cli.text.Spread;
import io.drover.simulator.experiment.Experiment;
import io.drover.simulator.experiment.Experiments;
import io.drover.simulator.experiment.FigureUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** What came of an experiment as a table for a terminal: the paper's figures, and ours. */
final class ExperimentTable {
  private ExperimentTable() {}

  static String of(ExperimentRun run) {
    Experiment experiment = run.experiment();
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(Lines.hanging("", experiment.name() + ": " + experiment.title()));
    lines.addAll(Lines.hanging("", experiment.source() + "; " + seeds(run)));
    lines.add("");
    lines.addAll(Columns.align(rows(run)));
    lines.add("");
    lines.add("  Why they differ:");
    run.why().forEach(sentence -> lines.addAll(Lines.hanging("  - ", sentence)));
    lines.add("");
    lines.add("  What is real, and what modelled:");
    run.provenance().forEach(sentence -> lines.addAll(Lines.hanging("  - ", sentence)));
    lines.add("");
    return text(lines);
  }

  /** All that there are, with a line on each. */
  static String list() {
    List<String> lines = new ArrayList<>();
    for (Experiment experiment : Experiments.all()) {
      lines.add(experiment.name());
      lines.addAll(Lines.hanging("  ", experiment.title()));
      lines.addAll(Lines.hanging("  ", experiment.source()));
    }
    return text(lines);
  }

  private static String text(List<String> lines) {
    String end = System.lineSeparator();
    return String.join(end, lines) + end;
  }

  private static String seeds(ExperimentRun run) {
    int repeats = run.results().size();
    return run.isRepeated()
        ? "medians of seeds " + run.seed() + " to " + (run.seed() + repeats - 1)
        : "seed " + run.seed();
  }

  private static List<List<String>> rows(ExperimentRun run) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("", "paper", "ours", "difference"));
    if (run.isRepeated()) {
      head.addAll(List.of("least", "greatest"));
    }
    head.add("unit");
    rows.add(head);
    for (ExperimentRun.Line line : run.lines()) {
      FigureUnit unit = line.row().unit();
      List<String> row = new ArrayList<>(List.of("  " + line.row().label()));
      row.add(number(line.row().paper(), unit, ""));
      row.add(ours(line, Spread::median));
      row.add(number(line.difference(), unit, "+"));
      if (run.isRepeated()) {
        row.add(ours(line, Spread::min));
        row.add(ours(line, Spread::max));
      }
      row.add(unit.label());
      rows.add(row);
    }
    return rows;
  }

  private static String ours(ExperimentRun.Line line, ToDoubleFunction<Spread> which) {
    OptionalDouble value = line.ours().stream().mapToDouble(which).findFirst();
    return number(value, line.row().unit(), "");
  }

  /** A number, with a sign before one that is not negative; a rounded nothing has none. */
  private static String number(OptionalDouble value, FigureUnit unit, String sign) {
    if (value.isEmpty()) {
      return Figures.UNKNOWN;
    }
    double scale = Math.pow(10, unit.decimals());
    double rounded = Math.round(value.getAsDouble() * scale) / scale + 0.0;
    String digits = String.format(Locale.ROOT, "%." + unit.decimals() + "f", rounded);
    return rounded > 0 ? sign + digits : digits;
  }
}
