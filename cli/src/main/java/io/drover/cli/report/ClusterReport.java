// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.report.ClusterAnalysis.Sum;
import io.drover.cli.report.ClusterAnalysis.WorstJob;
import io.drover.core.text.ForeignText;
import io.drover.simulator.report.Text;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The report on the jobs of a cluster: as lines, and as JSON.
 *
 * @param analysis what was found
 * @param leftOut what could not be read
 */
record ClusterReport(ClusterAnalysis analysis, LeftOut leftOut) {
  private static final int MOST_ROWS = 10;
  private static final int WIDEST_NAME = 48;

  /** Returns what slow tasks cost, in one sentence. */
  String headline() {
    return "%s lost %s of their time to slow tasks and waits; Drover acts on %s of that"
        .formatted(
            Text.count(analysis.jobs(), "job", "jobs"),
            Figures.percent(analysis.costSeconds(), analysis.jobSeconds()),
            Figures.percent(analysis.actedOnSeconds(), analysis.costSeconds()));
  }

  /** Returns the sentences below the headline. */
  List<String> sentences() {
    List<String> states = new ArrayList<>();
    analysis
        .states()
        .forEach((state, jobs) -> states.add(jobs + " " + state.name().toLowerCase(Locale.ROOT)));
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "%s of job time, from %s to %s: %s."
            .formatted(
                Figures.seconds(analysis.jobSeconds()),
                minute(analysis.first()),
                minute(analysis.last()),
                String.join(", ", states)));
    boolean hasActed = analysis.drover().jobs() > 0;
    if (hasActed) {
      sentences.add(analysis.drover().sentence());
    }
    sentences.add(
        "Drover's restarts and copies alone would have saved about %s%s (%s of all job time)."
            .formatted(
                Figures.seconds(analysis.savedSeconds()),
                hasActed ? " in the other jobs" : "",
                Figures.percent(analysis.savedSeconds(), analysis.jobSeconds())));
    sentences.add(
        "Attempts whose output was not used took %s, %s of the time of all attempts."
            .formatted(
                Figures.seconds(analysis.wastedSeconds()),
                Figures.percent(analysis.wastedSeconds(), analysis.taskSeconds())));
    sentences.addAll(leftOut.sentences());
    if (analysis.repeated() > 0) {
      sentences.add(
          "%s of jobs that had been read before; these were left out."
              .formatted(Text.count(analysis.repeated(), "file was", "files were")));
    }
    if (analysis.timesMended() > 0) {
      sentences.add(
          "Times that contradicted others, since clocks differ or went back, and were replaced: %d."
              .formatted(analysis.timesMended()));
    }
    return sentences;
  }

  /** Returns the lines of the report. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.addAll(Text.hanging("", headline()));
    sentences().forEach(sentence -> lines.addAll(Text.hanging("", sentence)));
    List<List<String>> causes = new ArrayList<>();
    causes.add(List.of("cause", "slow tasks", "jobs", "cost", "of the cost", "Drover acts"));
    for (Map.Entry<Cause, Sum> entry : analysis.causes()) {
      causes.add(
          List.of(
              entry.getKey().words(),
              Long.toString(entry.getValue().tasks()),
              Long.toString(entry.getValue().jobs()),
              entry.getValue().costSeconds() > 0
                  ? Figures.seconds(entry.getValue().costSeconds())
                  : "-",
              share(entry.getValue()),
              entry.getKey().isActedOn() ? "yes" : "no"));
    }
    add(lines, causes);
    add(lines, rows("machine", "attempts", analysis.machines()));
    add(lines, rows("program", "slow tasks", analysis.programs()));
    add(lines, rows("user", "slow tasks", analysis.users()));
    List<List<String>> jobs = new ArrayList<>();
    jobs.add(List.of("job", "took", "cost", "mostly"));
    for (WorstJob job : analysis.worstJobs().stream().limit(MOST_ROWS).toList()) {
      jobs.add(
          List.of(
              job.id() + " " + shortened(job.name()),
              Figures.seconds(job.seconds()),
              Figures.seconds(job.costSeconds()),
              job.mainCause()));
    }
    add(lines, jobs);
    return lines;
  }

  private static String minute(Instant time) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
        .format(time.atZone(ZoneOffset.UTC));
  }

  private String share(Sum sum) {
    return Figures.percent(sum.costSeconds(), analysis.costSeconds());
  }

  private List<List<String>> rows(
      String of, String counted, List<? extends Map.Entry<String, ? extends Sum>> dearestFirst) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of(of, counted, "jobs", "cost", "of the cost"));
    dearestFirst.stream()
        .filter(entry -> entry.getValue().costSeconds() > 0)
        .limit(MOST_ROWS)
        .forEach(
            entry ->
                rows.add(
                    List.of(
                        shortened(entry.getKey().isEmpty() ? "(no name)" : entry.getKey()),
                        Long.toString(entry.getValue().tasks()),
                        Long.toString(entry.getValue().jobs()),
                        Figures.seconds(entry.getValue().costSeconds()),
                        share(entry.getValue()))));
    return rows;
  }

  private static String shortened(String name) {
    return name.length() <= WIDEST_NAME ? name : ForeignText.cut(name, WIDEST_NAME - 1) + "…";
  }

  private static void add(List<String> lines, List<List<String>> rows) {
    if (rows.size() > 1) {
      lines.add("");
      lines.addAll(Text.align(rows));
    }
  }

  /** Returns the report as JSON. Times are seconds. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("jobs", analysis.jobs());
    ObjectNode states = json.putObject("states");
    analysis.states().forEach((state, jobs) -> states.put(state.name(), jobs));
    json.put("from", analysis.first().toString())
        .put("to", analysis.last().toString())
        .put("jobSeconds", JobReport.rounded(analysis.jobSeconds()))
        .put("costSeconds", JobReport.rounded(analysis.costSeconds()))
        .put("actedOnSeconds", JobReport.rounded(analysis.actedOnSeconds()))
        .put("wouldSaveSeconds", JobReport.rounded(analysis.savedSeconds()))
        .put("taskSeconds", JobReport.rounded(analysis.taskSeconds()))
        .put("wastedSeconds", JobReport.rounded(analysis.wastedSeconds()))
        .put("repeated", analysis.repeated())
        .put("timesMended", analysis.timesMended());
    leftOut.addTo(json);
    analysis.drover().addTo(json.putObject("drover"));
    ArrayNode causes = json.putArray("causes");
    for (Map.Entry<Cause, Sum> entry : analysis.causes()) {
      put(causes.addObject().put("cause", JobReport.key(entry.getKey())), "tasks", entry.getValue())
          .put("actedOn", entry.getKey().isActedOn())
          .put("remedy", entry.getKey().remedy());
    }
    put(json.putArray("machines"), "machine", "attempts", analysis.machines());
    put(json.putArray("programs"), "program", "tasks", analysis.programs());
    put(json.putArray("users"), "user", "tasks", analysis.users());
    ArrayNode worst = json.putArray("worstJobs");
    for (WorstJob job : analysis.worstJobs()) {
      worst
          .addObject()
          .put("job", job.id())
          .put("name", job.name())
          .put("user", job.user())
          .put("seconds", JobReport.rounded(job.seconds()))
          .put("costSeconds", JobReport.rounded(job.costSeconds()))
          .put("mainCause", job.mainCause());
    }
    return json;
  }

  private static void put(
      ArrayNode into,
      String of,
      String counted,
      List<? extends Map.Entry<String, ? extends Sum>> sums) {
    for (Map.Entry<String, ? extends Sum> entry : sums) {
      put(into.addObject().put(of, entry.getKey()), counted, entry.getValue());
    }
  }

  private static ObjectNode put(ObjectNode into, String counted, Sum sum) {
    return into.put(counted, sum.tasks())
        .put("jobs", sum.jobs())
        .put("costSeconds", JobReport.rounded(sum.costSeconds()));
  }
}
