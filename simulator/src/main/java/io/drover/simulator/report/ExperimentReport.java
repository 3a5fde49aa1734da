// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.experiment.Experiment;
import io.drover.simulator.experiment.ExperimentResult;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.experiment.Experiments;
import io.drover.simulator.report.SimulationReport.Table;
import io.drover.simulator.result.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Shows a paper's figures beside Drover's. In the JSON facts, the numbers of a row are in its unit,
 * and unknown numbers are null. With several repeats, {@code ours} is the median, and the least and
 * greatest values stand beside it.
 */
public final class ExperimentReport {
  private final Experiment experiment;
  private final long seed;
  private final List<ExperimentResult> repeats;

  private ExperimentReport(Experiment experiment, long seed, List<ExperimentResult> repeats) {
    this.experiment = experiment;
    this.seed = seed;
    this.repeats = repeats;
  }

  /**
   * Creates the report.
   *
   * @param seed the seed of the first repeat
   * @param repeats the result of each repeat; all have rows of the same figures
   */
  public static SimulationReport of(
      Experiment experiment, long seed, List<ExperimentResult> repeats) {
    return new ExperimentReport(experiment, seed, List.copyOf(repeats)).report();
  }

  /** Returns a list of all experiments with their titles and sources. */
  public static String list() {
    List<String> lines = new ArrayList<>();
    for (Experiment experiment : Experiments.all()) {
      lines.add(experiment.name());
      lines.addAll(Text.hanging("  ", experiment.title()));
      lines.addAll(Text.hanging("  ", experiment.source()));
    }
    String end = System.lineSeparator();
    return String.join(end, lines) + end;
  }

  private SimulationReport report() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("--seed", String.valueOf(seed));
    settings.put("--repeat", String.valueOf(repeats.size()));
    return new SimulationReport(
        "simulate experiment " + experiment.name(),
        experiment.title().substring(0, 1).toUpperCase(Locale.ROOT)
            + experiment.title().substring(1),
        experiment.name()
            + ": "
            + experiment.title()
            + ". "
            + experiment.source()
            + "; "
            + (isRepeated() ? "medians of " : "")
            + ReplayFacts.seeds(seed, repeats.size()),
        table(),
        "",
        "",
        List.of(
            new SimulationReport.Section("Why they differ", repeats.get(0).why()),
            SimulationReport.Section.provenance(repeats.get(0).provenance())),
        Optional.empty(),
        settings,
        facts());
  }

  private boolean isRepeated() {
    return repeats.size() > 1;
  }

  /** A figure over all repeats; {@code ours} is empty if none of them measured anything. */
  private record FigureRow(Row row, Optional<Spread> ours) {
    Optional<Double> paper() {
      return boxed(row.paper());
    }

    Optional<Double> median() {
      return ours.map(Spread::median);
    }

    /** Returns our median minus the paper's figure. */
    Optional<Double> difference() {
      return paper().flatMap(printed -> median().map(measured -> measured - printed));
    }

    String text(Optional<Double> number) {
      return number.map(n -> text(n, row.unit())).orElse(Text.UNKNOWN);
    }

    /** Formats a number; one that rounds to 0 has no sign. */
    private static String text(double number, FigureUnit unit) {
      double scale = Math.pow(10, unit.decimals());
      double rounded = Math.round(number * scale) / scale + 0.0;
      return String.format(Locale.ROOT, "%." + unit.decimals() + "f", rounded);
    }

    Table.Row table() {
      String difference = text(difference());
      boolean isMore = difference.matches(".*[1-9].*") && !difference.startsWith("-");
      Optional<Table.Range> range =
          ours.map(s -> new Table.Range(text(s.min(), row.unit()), text(s.max(), row.unit())))
              .filter(r -> !r.least().equals(r.greatest()));
      return new Table.Row(
          Table.Style.PLAIN,
          row.label(),
          List.of(
              Table.Cell.of(text(paper())),
              new Table.Cell(text(median()), range),
              Table.Cell.of(isMore ? "+" + difference : difference),
              Table.Cell.of(row.unit().label())));
    }
  }

  private static Optional<Double> boxed(OptionalDouble value) {
    return value.stream().boxed().findFirst();
  }

  private Stream<FigureRow> lines() {
    List<Row> first = repeats.get(0).rows();
    return Stream.iterate(0, i -> i < first.size(), i -> i + 1)
        .map(
            i ->
                new FigureRow(
                    first.get(i),
                    Spread.of(
                        repeats.stream()
                            .flatMap(result -> boxed(result.rows().get(i).ours()).stream())
                            .toList())));
  }

  private Table table() {
    List<Table.Column> columns =
        Stream.of("paper", "ours", "difference", "unit")
            .map(head -> new Table.Column("", head))
            .toList();
    return new Table(columns, lines().map(FigureRow::table).toList(), true);
  }

  private ObjectNode facts() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("experiment", experiment.name());
    root.put("source", experiment.source());
    ArrayNode rows = root.putArray("rows");
    lines()
        .forEach(
            line -> {
              ObjectNode row = rows.addObject();
              row.put("label", line.row().label());
              ReplayFacts.put(row, "paper", line.paper());
              ReplayFacts.put(row, "ours", line.median());
              ReplayFacts.put(row, "difference", line.difference());
              row.put("unit", line.row().unit().label());
              if (isRepeated()) {
                ReplayFacts.put(row, "least", line.ours().map(Spread::min));
                ReplayFacts.put(row, "greatest", line.ours().map(Spread::max));
              }
            });
    ArrayNode why = root.putArray("why");
    repeats.get(0).why().forEach(why::add);
    ArrayNode provenance = root.putArray("provenance");
    repeats.get(0).provenance().forEach(provenance::add);
    root.put("seed", seed);
    root.put("repeat", repeats.size());
    return root;
  }
}
