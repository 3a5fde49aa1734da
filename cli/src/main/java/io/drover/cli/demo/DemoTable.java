// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.job.Mode;
import io.drover.cli.job.Tally;
import io.drover.cli.text.Columns;
import io.drover.cli.text.Lines;
import io.drover.cli.text.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The result as a table for a terminal. */
final class DemoTable {
  private static final String UNKNOWN = "-";

  private DemoTable() {}

  static String of(DemoResult result) {
    StringBuilder text = new StringBuilder();
    for (ScenarioResult scenario : result.scenarios()) {
      text.append(System.lineSeparator()).append(of(scenario));
    }
    return text.append(System.lineSeparator()).toString();
  }

  static String of(ScenarioResult result) {
    boolean many = result.modes().stream().anyMatch(mode -> result.of(mode).size() > 1);
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "",
            timeHead(result, many),
            "recovered",
            "copies",
            "won",
            "lost",
            "restarts",
            "task time",
            "wasted",
            "output"));
    for (Mode mode : result.modes()) {
      rows.add(row(result, mode, many));
    }
    StringBuilder text = new StringBuilder();
    line(text, result.scenario().key() + ": " + result.scenario().title());
    Columns.align(rows).forEach(row -> line(text, row));
    Lines.hanging("  ", Words.verdict(result)).forEach(row -> line(text, row));
    OccupancyTable.of(result).forEach(row -> line(text, row));
    for (DemoRun run : result.runs()) {
      if (!run.result().succeeded()) {
        line(text, "  " + run.result().jobId() + " " + run.result().state() + ": " + why(run));
      }
    }
    return text.toString();
  }

  private static String timeHead(ScenarioResult result, boolean many) {
    if (result.series() > 1) {
      return "job time median / 95th percentile";
    }
    return many ? "job time min / median / max" : "job time";
  }

  private static String time(ScenarioResult result, Mode mode, boolean many, Spread time) {
    if (result.series() > 1) {
      double late = result.percentile(mode, 95).orElse(time.max());
      return String.format(Locale.ROOT, "%.1f / %.1f s", time.median(), late);
    }
    return many ? range(time) : Words.seconds(time.median());
  }

  private static List<String> row(ScenarioResult result, Mode mode, boolean many) {
    Optional<Spread> time = result.jobSeconds(mode);
    return List.of(
        "  " + mode.key(),
        time.map(t -> time(result, mode, many, t)).orElse(UNKNOWN),
        mode.hasSpeculation()
            ? result.recovered(mode).map(r -> Words.percent(r.median())).orElse(UNKNOWN)
            : UNKNOWN,
        count(result, mode, Tally::copies),
        count(result, mode, Tally::copiesWon),
        count(result, mode, Tally::copiesLost),
        count(result, mode, Tally::restarts),
        median(result, mode, DemoRun::taskSeconds),
        median(result, mode, DemoRun::wastedSeconds),
        output(result, mode));
  }

  private static String range(Spread time) {
    return String.format(
        Locale.ROOT, "%.1f / %.1f / %.1f s", time.min(), time.median(), time.max());
  }

  /** One number if it was the same in all runs, else from which to which. */
  private static String count(ScenarioResult result, Mode mode, ToDoubleFunction<Tally> figure) {
    return result
        .spread(mode, run -> figure.applyAsDouble(run.result().tally()))
        .map(
            s ->
                s.min() == s.max()
                    ? Long.toString(Math.round(s.min()))
                    : Math.round(s.min()) + "-" + Math.round(s.max()))
        .orElse(UNKNOWN);
  }

  private static String median(ScenarioResult result, Mode mode, ToDoubleFunction<DemoRun> figure) {
    return result.spread(mode, figure).map(s -> Words.seconds(s.median())).orElse(UNKNOWN);
  }

  private static String output(ScenarioResult result, Mode mode) {
    if (result.of(mode).stream().anyMatch(run -> !run.result().succeeded())) {
      return "FAILED";
    }
    return result.of(mode).stream().allMatch(DemoRun::outputEqual) ? "equal" : "DIFFERS";
  }

  private static String why(DemoRun run) {
    return run.result().diagnostics().strip().lines().findFirst().orElse("no reason was given");
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append(System.lineSeparator());
  }
}
