// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.core.predict.EndedJob;
import io.drover.core.predict.TrainingSettings;
import io.drover.core.predict.evaluate.Evaluation;
import io.drover.core.predict.evaluate.Evaluation.Point;
import io.drover.core.predict.evaluate.Interval;
import io.drover.simulator.report.SimulationReport;
import io.drover.simulator.report.SimulationReport.Chart;
import io.drover.simulator.report.SimulationReport.Charts;
import io.drover.simulator.report.SimulationReport.Section;
import io.drover.simulator.report.SimulationReport.Table;
import io.drover.simulator.report.SimulationReport.Table.Cell;
import io.drover.simulator.report.SimulationReport.Table.Column;
import io.drover.simulator.report.SimulationReport.Table.Range;
import io.drover.simulator.report.SimulationReport.Table.Row;
import io.drover.simulator.report.SimulationReport.Table.Style;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What the evaluation of several models came to. In the JSON facts, unknown numbers are null. */
final class EvaluationReport {
  /** The grace periods whose savings are drawn, minutes. */
  private static final List<Integer> GRACES = List.of(5, 10, 20, 60);

  /** The paper's limit is 1 %; the curves go a bit further. */
  private static final double MOST_MFN = 0.05;

  private final String jobs;
  private final JobTable table;
  private final List<EndedJob> ended;
  private final Map<String, TrainingSettings> variants;
  private final Map<String, Evaluation> evaluations;
  private final String best;

  EvaluationReport(
      String jobs,
      JobTable table,
      List<EndedJob> ended,
      Map<String, TrainingSettings> variants,
      Map<String, Evaluation> evaluations) {
    this.jobs = jobs;
    this.table = table;
    this.ended = ended;
    this.variants = variants;
    this.evaluations = evaluations;
    this.best =
        evaluations.keySet().stream()
            .max(Comparator.comparingDouble(name -> evaluations.get(name).auc().value()))
            .orElseThrow();
  }

  SimulationReport report() {
    Evaluation of = evaluations.get(best);
    return new SimulationReport(
        "predict evaluate",
        headline(of),
        String.format(
            Locale.ROOT,
            "%s: %,d jobs that have ended, of which %,d on %d days were judged; %,d of these failed"
                + " (%s)",
            jobs,
            ended.size(),
            of.jobs(),
            of.days(),
            of.failures(),
            percent((double) of.failures() / of.jobs())),
        table(),
        conclusion(of),
        "AUC: how likely a failing job has a higher score than another one. MR, FN: jobs called"
            + " wrongly, and good ones called failing, of all. MFN: good ones that would be ended,"
            + " of all. RRW: what the policy saves of all jobs' use (time of jobs; cpu and ram of"
            + " jobs whose requests are known). Saved: of the time of failing jobs, and of their tasks. Ranges:"
            + " 95 % confidence, from days drawn at random.",
        sections(of),
        Optional.of(charts()),
        settings(),
        facts());
  }

  private String headline(Evaluation of) {
    return String.format(
        Locale.ROOT,
        "%s: AUC %.3f, %s of failing jobs' time saved",
        best,
        of.auc().value(),
        percent(of.savedOfFailing().value()));
  }

  private String conclusion(Evaluation of) {
    double limit = variants.get(best).mostMisjudged();
    double mfn = of.mfn().value();
    return String.format(
        Locale.ROOT,
        "With %s, ending what is called failing after %d minutes saves %s of the time of"
            + " failing jobs. %s of all jobs are good and would be ended, which is %s the limit of"
            + " %s.",
        best,
        variants.get(best).grace().toMinutes(),
        percent(of.savedOfFailing().value()),
        percent2(mfn),
        mfn <= limit ? "within" : "above",
        percent2(limit));
  }

  private record Figure(String group, String head, Function<Evaluation, Interval> of) {}

  private static List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure("", "AUC", Evaluation::auc));
    figures.add(new Figure("of all jobs, %", "MR", Evaluation::mr));
    figures.add(new Figure("of all jobs, %", "FN", Evaluation::fn));
    figures.add(new Figure("of all jobs, %", "MFN", Evaluation::mfn));
    figures.add(new Figure("calls, %", "precision", Evaluation::precision));
    figures.add(new Figure("calls, %", "recall", Evaluation::recall));
    for (String resource : List.of("cpu", "ram", "time")) {
      figures.add(new Figure("RRW, %", resource, of -> of.rrw().get(resource)));
    }
    figures.add(new Figure("saved, %", "time", Evaluation::savedOfFailing));
    figures.add(new Figure("saved, %", "tasks", Evaluation::savedTaskTimeOfFailing));
    return figures;
  }

  private Table table() {
    List<Column> columns =
        figures().stream().map(figure -> new Column(figure.group, figure.head)).toList();
    List<Row> rows = new ArrayList<>();
    evaluations.forEach(
        (name, of) -> {
          Style style = name.equals(best) ? Style.MARKED : Style.PLAIN;
          rows.add(
              new Row(style, name, figures().stream().map(figure -> cell(figure, of)).toList()));
        });
    return new Table(columns, rows, true);
  }

  private static Cell cell(Figure figure, Evaluation of) {
    Interval interval = figure.of.apply(of);
    Function<Double, String> text =
        figure.head.equals("AUC")
            ? value -> String.format(Locale.ROOT, "%.3f", value)
            : value -> String.format(Locale.ROOT, "%.2f", 100 * value);
    if (Double.isNaN(interval.value())) {
      return new Cell("-", Optional.empty());
    }
    Optional<Range> range =
        Double.isNaN(interval.low())
            ? Optional.empty()
            : Optional.of(new Range(text.apply(interval.low()), text.apply(interval.high())));
    return new Cell(text.apply(interval.value()), range);
  }

  private List<Section> sections(Evaluation of) {
    List<String> facts = new ArrayList<>(table.notes());
    facts.add(
        String.format(
            Locale.ROOT,
            "What they ask for is known of %s of the judged jobs. RRW of cpu and ram is of these.",
            percent(of.known())));
    facts.add(
        "Published (Rosa, Chen and Binder, other jobs of the same cluster, where killed and evicted"
            + " jobs may count as failed): RRW 47 % of cpu, 47 % of ram, 41 % of disk, 33 % of time"
            + " at MFN 1.05 %. RRW cannot exceed the share of all use that failing jobs have.");
    int skipped = table.skipped().total();
    facts.add(
        skipped == 0
            ? "No row was skipped."
            : String.format(
                Locale.ROOT, "%,d rows were left out%s.", skipped, table.skipped().inWords()));
    return List.of(new Section("What the jobs are", facts));
  }

  private Charts charts() {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    ArrayNode plots = data.putArray("plots");
    ObjectNode roc =
        plots
            .addObject()
            .put("x", "good jobs above the threshold, %")
            .put("y", "failing jobs above it, %");
    ArrayNode curves = roc.putArray("curves");
    evaluations.forEach((name, of) -> curve(curves, name, of.roc()));
    ObjectNode savings =
        plots
            .addObject()
            .put("x", "MFN: good jobs that are ended, % of all")
            .put("y", "time of failing jobs saved, %");
    savings.put("mark", 100 * variants.get(best).mostMisjudged());
    ArrayNode byGrace = savings.putArray("curves");
    for (int minutes : GRACES) {
      curve(byGrace, minutes + " min", evaluations.get(best).savings(60.0 * minutes, MOST_MFN));
    }
    return new Charts(
        "How well, and at what price",
        "Each point of a line is a threshold; the further up and left, the better.",
        false,
        List.of(
            new Chart(
                "ROC of each model", "failing jobs above a threshold, by the good ones", "", false),
            new Chart(
                "What a grace period saves, with " + best,
                "by the share of jobs that are good and ended; the upright line is the limit",
                "",
                false)),
        "lines.js",
        data);
  }

  private static void curve(ArrayNode curves, String name, List<Point> points) {
    ObjectNode curve = curves.addObject().put("name", name);
    ArrayNode xs = curve.putArray("x");
    ArrayNode ys = curve.putArray("y");
    for (Point point : points) {
      xs.add(rounded(100 * point.x()));
      ys.add(rounded(100 * point.y()));
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("jobs", jobs);
    variants.forEach(
        (name, of) ->
            settings.put(
                name,
                String.format(
                    Locale.ROOT,
                    "%s of %s, %d days, grace %d min, MFN at most %s",
                    of.method(),
                    TrainingOptions.text(of.sets()),
                    of.window().toDays(),
                    of.grace().toMinutes(),
                    percent2(of.mostMisjudged()))));
    return settings;
  }

  private ObjectNode facts() {
    ObjectNode facts = JsonNodeFactory.instance.objectNode();
    facts.put("jobs", ended.size());
    ObjectNode skipped = facts.putObject("skipped");
    table.skipped().counts().forEach(skipped::put);
    ArrayNode notes = facts.putArray("notes");
    table.notes().forEach(notes::add);
    ObjectNode models = facts.putObject("models");
    evaluations.forEach((name, of) -> model(models.putObject(name), of, variants.get(name)));
    return facts;
  }

  private static void model(ObjectNode model, Evaluation of, TrainingSettings settings) {
    model.put("method", settings.method().name());
    model.put("features", TrainingOptions.text(settings.sets()));
    model.put("windowDays", settings.window().toDays());
    model.put("judged", of.jobs());
    model.put("failures", of.failures());
    model.put("days", of.days());
    ObjectNode ranges = JsonNodeFactory.instance.objectNode();
    put(model, ranges, "auc", of.auc());
    put(model, ranges, "mr", of.mr());
    put(model, ranges, "fn", of.fn());
    put(model, ranges, "mfn", of.mfn());
    put(model, ranges, "precision", of.precision());
    put(model, ranges, "recall", of.recall());
    put(model, ranges, "savedOfFailing", of.savedOfFailing());
    put(model, ranges, "savedTaskTimeOfFailing", of.savedTaskTimeOfFailing());
    ObjectNode rrw = model.putObject("rrw");
    ObjectNode rrwRanges = ranges.putObject("rrw");
    of.rrw().forEach((resource, interval) -> put(rrw, rrwRanges, resource, interval));
    model.set("confidence95", ranges);
  }

  private static void put(ObjectNode values, ObjectNode ranges, String name, Interval interval) {
    number(values, name, interval.value());
    ArrayNode range = ranges.putArray(name);
    if (!Double.isNaN(interval.low())) {
      range.add(rounded(interval.low())).add(rounded(interval.high()));
    }
  }

  private static void number(ObjectNode values, String name, double value) {
    if (Double.isNaN(value)) {
      values.putNull(name);
    } else {
      values.put(name, rounded(value));
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }

  private static String percent(double share) {
    return Double.isNaN(share)
        ? "an unknown share"
        : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String percent2(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
