// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.report.ProtectionFigures;
import io.drover.simulator.report.Text;
import io.drover.simulator.result.Spread;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult.AttemptTally;
import io.drover.testbed.job.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Formats the result as a table for a terminal. */
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
    for (RunMode mode : result.modes()) {
      rows.add(row(result, mode, many));
    }
    StringBuilder text = new StringBuilder();
    line(text, result.name() + ": " + result.title());
    Text.align(rows).forEach(row -> line(text, row));
    Text.hanging("  ", DemoSummary.verdict(result)).forEach(row -> line(text, row));
    for (DemoRun run : result.typical()) {
      run.protection()
          .filter(ProtectionFigures::isOfUse)
          .ifPresent(
              outputs ->
                  Text.hanging("  " + run.mode().key() + ": ", outputs.sentence())
                      .forEach(row -> line(text, row)));
    }
    OccupancyTable.of(result).forEach(row -> line(text, row));
    SampleTable.of(result).forEach(row -> line(text, row));
    StreamTable.of(result).forEach(row -> line(text, row));
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

  private static String time(ScenarioResult result, RunMode mode, boolean many, Spread time) {
    if (result.series() > 1) {
      double late = result.percentile(mode, 95).orElse(time.max());
      return String.format(Locale.ROOT, "%.1f / %.1f s", time.median(), late);
    }
    return many ? range(time) : DemoSummary.seconds(time.median());
  }

  private static List<String> row(ScenarioResult result, RunMode mode, boolean many) {
    Optional<Spread> time = result.jobSeconds(mode);
    return List.of(
        "  " + mode.key(),
        time.map(t -> time(result, mode, many, t)).orElse(UNKNOWN),
        mode.hasSpeculation()
            ? result.recovered(mode).map(r -> DemoSummary.percent(r.median())).orElse(UNKNOWN)
            : UNKNOWN,
        count(result, mode, AttemptTally::copies),
        count(result, mode, AttemptTally::copiesWon),
        count(result, mode, AttemptTally::copiesLost),
        count(result, mode, AttemptTally::restarts),
        median(result, mode, DemoRun::taskSeconds),
        median(result, mode, DemoRun::wastedSeconds),
        output(result, mode));
  }

  private static String range(Spread time) {
    return String.format(
        Locale.ROOT, "%.1f / %.1f / %.1f s", time.min(), time.median(), time.max());
  }

  /** Returns one number if it was the same in all runs, and otherwise the range. */
  private static String count(
      ScenarioResult result, RunMode mode, ToDoubleFunction<AttemptTally> figure) {
    return result
        .spread(mode, run -> figure.applyAsDouble(run.result().tally()))
        .map(
            s ->
                s.min() == s.max()
                    ? Long.toString(Math.round(s.min()))
                    : Math.round(s.min()) + "-" + Math.round(s.max()))
        .orElse(UNKNOWN);
  }

  private static String median(
      ScenarioResult result, RunMode mode, ToDoubleFunction<DemoRun> figure) {
    return result.spread(mode, figure).map(s -> DemoSummary.seconds(s.median())).orElse(UNKNOWN);
  }

  private static String output(ScenarioResult result, RunMode mode) {
    if (result.of(mode).stream().anyMatch(run -> !run.result().succeeded())) {
      return "FAILED";
    }
    if (result.scenario() == Scenario.SAMPLING) {
      return "right";
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
