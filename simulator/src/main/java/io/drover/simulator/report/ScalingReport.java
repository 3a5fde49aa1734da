// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.replay.Scaling;
import io.drover.simulator.replay.Scaling.Step;
import io.drover.simulator.replay.SimulationOptions;
import io.drover.simulator.report.SimulationReport.Table;
import io.drover.simulator.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reports how the time of simulations grows with their size. With several repeats, the figures are
 * medians, and the least and greatest values of {@code nLogN} stand beside it.
 */
public final class ScalingReport {
  private ScalingReport() {}

  /** Creates the report. */
  public static SimulationReport of(Scaling.Result result) {
    SimulationOptions options = result.scaling().options();
    String scheme = result.scaling().scheme();
    return new SimulationReport(
        "simulate scaling",
        result.isWithin()
            ? "The time grows no faster than n log n"
            : "The time grows faster than n log n",
        "synthetic jobs on "
            + result.setup().cluster()
            + ", "
            + ReplayFacts.seeds(options.seed(), options.repeat())
            + ", under "
            + scheme,
        table(result),
        result.verdict(),
        "n is the number of tasks. The last column is seconds / (n log2 n), divided by its value in"
            + " the first row. Seconds are the processor time of all threads during this run. The"
            + " second size has run once before, to warm up."
            + (options.repeat() > 1
                ? " All figures are medians of " + options.repeat() + " repeats."
                : ""),
        List.of(SimulationReport.Section.provenance(result.setup().provenance())),
        Optional.empty(),
        ReplayFacts.settings(options, List.of(scheme), result.setup().shape()),
        facts(result));
  }

  private static Table table(Scaling.Result result) {
    List<Table.Row> rows = new ArrayList<>();
    for (int factor : Scaling.FACTORS) {
      List<Table.Cell> cells =
          List.of(
              whole((double) factor * result.scaling().options().jobs()),
              whole(result.of(factor, Step::tasks).median()),
              whole(result.of(factor, Step::events).median()),
              two(result.of(factor, Step::seconds)),
              whole(result.of(factor, step -> step.events() / step.seconds()).median()),
              two(result.growth(factor)));
      rows.add(new Table.Row(Table.Style.PLAIN, factor + " x", cells));
    }
    List<Table.Column> columns =
        List.of("jobs", "tasks", "events", "seconds", "events/s", "n log2 n").stream()
            .map(head -> new Table.Column("", head))
            .toList();
    return new Table(columns, rows, false);
  }

  private static Table.Cell whole(double number) {
    return Table.Cell.of(String.format(Locale.ROOT, "%,.0f", number));
  }

  private static Table.Cell two(Spread spread) {
    return Table.Cell.of(String.format(Locale.ROOT, "%.2f", spread.median()));
  }

  private static ObjectNode facts(Scaling.Result result) {
    SimulationOptions options = result.scaling().options();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("scheme", result.scaling().scheme());
    ArrayNode steps = root.putArray("scaling");
    for (int factor : Scaling.FACTORS) {
      ObjectNode step = steps.addObject().put("jobs", (long) factor * options.jobs());
      step.put("tasks", result.of(factor, Step::tasks).median());
      step.put("events", result.of(factor, Step::events).median());
      step.put("seconds", Text.rounded(result.of(factor, Step::seconds).median()));
      Spread growth = result.growth(factor);
      step.put("nLogN", Text.rounded(growth.median()));
      step.put("least", Text.rounded(growth.min()));
      step.put("greatest", Text.rounded(growth.max()));
    }
    root.put("atMostNLogN", result.isWithin());
    root.put("seed", options.seed());
    root.put("repeat", options.repeat());
    ReplayFacts.provenance(root, result.setup());
    return root;
  }
}
