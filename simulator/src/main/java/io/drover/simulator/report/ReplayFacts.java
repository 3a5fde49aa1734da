// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.replay.ReplayResult;
import io.drover.simulator.replay.SimulationOptions;
import io.drover.simulator.replay.SimulationSetup;
import io.drover.simulator.report.SimulationReport.Table;
import io.drover.simulator.result.Comparison.Figure;
import io.drover.simulator.result.Spread;
import io.drover.simulator.world.ClusterShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The parts that the reports of all replays have in common. */
final class ReplayFacts {
  private ReplayFacts() {}

  /** Returns a short description of the runs. */
  static String subject(ReplayResult result) {
    return result.setup().workload().name()
        + ": "
        + Text.count(result.size().jobs(), "job", "jobs")
        + " of "
        + Text.count(result.size().tasks(), "task", "tasks")
        + " on "
        + result.setup().cluster()
        + ", "
        + seeds(result.options().seed(), result.options().repeat());
  }

  static String seeds(long seed, int repeat) {
    return repeat > 1 ? "seeds " + seed + " to " + (seed + repeat - 1) : "seed " + seed;
  }

  /** Returns the options of the run by their names. */
  static Map<String, String> settings(
      SimulationOptions options, List<String> schemes, ClusterShape shape) {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("--workload", options.workload().toString());
    if (options.skipBad()) {
      rows.put("--skip-bad", "yes");
    }
    rows.put("--slowness", options.slowness().toString());
    rows.put("--losses", options.losses().toString());
    rows.put("--schemes", String.join(",", schemes));
    rows.put("--machines", String.valueOf(shape.machines()));
    rows.put("--slots", String.valueOf(shape.slotsPerMachine()));
    rows.put("--racks", String.valueOf(shape.racks()));
    if (options.workload().kind().equals("swim")) {
      rows.put("--hours", String.valueOf(options.hours()));
    }
    if (options.workload().kind().equals("synthetic")) {
      rows.put("--jobs", String.valueOf(options.jobs()));
    }
    options.inputs().ifPresent(inputs -> rows.put("--inputs", inputs.toString()));
    options.sampling().ifPresent(s -> rows.put("--sampled", s.toString()));
    rows.put("--seed", String.valueOf(options.seed()));
    rows.put("--repeat", String.valueOf(options.repeat()));
    options.settings().forEach((key, value) -> rows.put("--set " + key, value));
    return rows;
  }

  /** Adds the seed, the provenance and the options of the runs. */
  static void put(ObjectNode root, ReplayResult result) {
    SimulationOptions options = result.options();
    ClusterShape shape = result.setup().shape();
    root.put("seed", options.seed());
    provenance(root, result.setup());
    root.put("workload", result.setup().workload().name());
    if (options.skipBad()) {
      root.put("skipBad", true);
    }
    root.put("slowness", options.slowness().toString());
    root.put("losses", options.losses().toString());
    root.put("machines", shape.machines());
    root.put("slots", shape.slotsPerMachine());
    root.put("racks", shape.racks());
    root.put("jobs", result.size().jobs());
    root.put("phases", result.size().phases());
    root.put("tasks", result.size().tasks());
    root.put("repeat", options.repeat());
    options.inputs().ifPresent(inputs -> root.put("inputs", inputs.toString()));
    options
        .sampling()
        .ifPresent(s -> root.putObject("sampled").put("ratio", s.ratio()).put("share", s.share()));
    ObjectNode settings = root.putObject("settings");
    options.settings().forEach(settings::put);
  }

  static void provenance(ObjectNode root, SimulationSetup setup) {
    ArrayNode provenance = root.putArray("provenance");
    setup.provenance().forEach(provenance::add);
  }

  /** Adds all figures, each in its group. */
  static void figures(ObjectNode node, Function<Figure, Optional<Double>> figures) {
    for (Figure figure : Figure.values()) {
      put(group(node, figure.group()), figure.key(), figures.apply(figure));
    }
  }

  private static ObjectNode group(ObjectNode node, String name) {
    if (name.isEmpty()) {
      return node;
    }
    return node.get(name) instanceof ObjectNode group ? group : node.putObject(name);
  }

  /** Adds a number, or null if it is not known. */
  static void put(ObjectNode node, String key, Optional<Double> value) {
    value.ifPresentOrElse(v -> node.put(key, Text.rounded(v)), () -> node.putNull(key));
  }

  /** A figure of the table, and its column. */
  record FigureColumn(String group, String head, Figure figure) {
    /** All columns, from left to right. */
    static final List<FigureColumn> ALL =
        List.of(
            new FigureColumn("phases shorter, %", "p25", Figure.PHASE_P25),
            new FigureColumn("phases shorter, %", "p50", Figure.PHASE_P50),
            new FigureColumn("phases shorter, %", "p75", Figure.PHASE_P75),
            new FigureColumn("phases shorter, %", "p90", Figure.PHASE_P90),
            new FigureColumn("slot time less, %", "p50", Figure.RESOURCE_P50),
            new FigureColumn("slot time less, %", "p75", Figure.RESOURCE_P75),
            new FigureColumn("slot time less, %", "in all", Figure.RESOURCE_TOTAL),
            new FigureColumn("jobs shorter, %", "mean", Figure.JOB_MEAN),
            new FigureColumn("jobs shorter, %", "p50", Figure.JOB_P50),
            new FigureColumn("jobs shorter, %", "small", Figure.JOB_SMALL),
            new FigureColumn("slots", "busy, %", Figure.UTILISATION),
            new FigureColumn("per 100 tasks", "restarts", Figure.RESTARTS_PER_TASK),
            new FigureColumn("per 100 tasks", "clones", Figure.CLONES_PER_TASK),
            new FigureColumn("of them", "useful, %", Figure.RESTART_SUCCESS));

    static List<Table.Column> columns(List<FigureColumn> columns) {
      return columns.stream().map(c -> new Table.Column(c.group(), c.head())).toList();
    }

    static List<Table.Cell> cells(
        List<FigureColumn> columns, Function<Figure, Optional<Spread>> spreads, boolean repeated) {
      return columns.stream().map(c -> c.cell(spreads.apply(c.figure()), repeated)).toList();
    }

    private Table.Cell cell(Optional<Spread> spread, boolean repeated) {
      return new Table.Cell(
          spread.map(s -> Text.points(s.median())).orElse(Text.UNKNOWN),
          spread
              .filter(s -> repeated && !Text.points(s.min()).equals(Text.points(s.max())))
              .map(s -> new Table.Range(Text.points(s.min()), Text.points(s.max()))));
    }
  }
}
