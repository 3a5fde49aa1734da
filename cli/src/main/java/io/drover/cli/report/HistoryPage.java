// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.drover.cli.command.Version;
import io.drover.cli.page.AttemptJson;
import io.drover.cli.page.TimeLinePage;
import io.drover.cli.page.TimeLinePage.Part;
import io.drover.cli.report.Hindsight.Act;
import io.drover.core.text.ForeignText;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.JobRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Builds the page of a report. */
final class HistoryPage {
  /** More rows than this are no picture any more. */
  private static final int MOST_NODES = 30;

  private static final int MOST_ATTEMPTS = 3000;
  private static final int MOST_ROWS = 20;

  private static final char ISOLATE = '\u2068';
  private static final char END_OF_ISOLATE = '\u2069';

  private HistoryPage() {}

  /** Returns the page about one job. */
  static String of(JobReport report, LeftOut leftOut) throws IOException {
    ObjectNode data = report.json();
    data.put("version", Version.text());
    data.put("about", report.aboutDrover());
    report.aboutOutputs().ifPresent(sentence -> data.put("outputs", sentence));
    ArrayNode sentences = data.putArray("leftOut");
    leftOut.sentences().forEach(sentences::add);
    addTimeLine(report, data);
    JobRecord job = report.analysis().job();
    List<String> names = List.of(job.name(), job.user(), job.queue());
    return page("job.js", report.headline(), isolated(report.subject() + ".", names), data);
  }

  /** Returns the page about many jobs. */
  static String of(ClusterReport report) throws IOException {
    ObjectNode data = report.json();
    data.put("version", Version.text());
    ArrayNode sentences = data.putArray("sentences");
    report.sentences().stream().skip(1).forEach(sentences::add);
    for (String table : List.of("machines", "programs", "users")) {
      ArrayNode rows = (ArrayNode) data.path(table);
      while (rows.size() > MOST_ROWS) {
        rows.remove(rows.size() - 1);
      }
    }
    String lede = ForeignText.printable(report.sentences().get(0));
    return page("cluster.js", report.headline(), lede, data);
  }

  private static String page(String script, String headline, String lede, ObjectNode data)
      throws IOException {
    return TimeLinePage.of(
        "report",
        ForeignText.printable(headline),
        lede,
        List.of(new Part(HistoryPage.class, "report.css")),
        List.of(new Part(HistoryPage.class, "costs.js"), new Part(HistoryPage.class, script)),
        (ObjectNode) printable(data));
  }

  /** Replaces all texts by what can be shown: names and messages are other users'. */
  private static JsonNode printable(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.fields().forEachRemaining(field -> field.setValue(printable(field.getValue())));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, printable(array.get(i)));
      }
    }
    return node.isTextual() ? TextNode.valueOf(ForeignText.printable(node.textValue())) : node;
  }

  /**
   * Returns a sentence with its names in isolates, in the order in which they stand there. Names
   * that are written from right to left leave the words and figures around them in their places so.
   */
  private static String isolated(String sentence, List<String> names) {
    String shown = ForeignText.printable(sentence);
    StringBuilder text = new StringBuilder();
    int done = 0;
    for (String name : names) {
      String word = ForeignText.printable(name);
      int at = shown.indexOf(word, done);
      if (at >= 0 && !word.isEmpty()) {
        text.append(shown, done, at).append(ISOLATE).append(word).append(END_OF_ISOLATE);
        done = at + word.length();
      }
    }
    return text.append(shown.substring(done)).toString();
  }

  private static void addTimeLine(JobReport report, ObjectNode data) {
    JobRecord job = report.analysis().job();
    Set<String> nodes = nodes(report.analysis());
    List<AttemptRecord> attempts = job.attempts();
    List<AttemptRecord> drawn = drawn(report.analysis(), nodes);
    data.put("attemptsLeftOut", attempts.size() - drawn.size());
    data.put("mostMachines", MOST_NODES).put("mostAttempts", MOST_ATTEMPTS);
    Map<String, String> racks = new TreeMap<>();
    attempts.forEach(a -> racks.merge(a.node(), a.rack(), (x, y) -> x.isEmpty() ? y : x));
    ArrayNode rows = data.putArray("nodes");
    nodes.stream()
        .sorted(
            (a, b) ->
                (racks.getOrDefault(a, "") + "\0" + a)
                    .compareTo(racks.getOrDefault(b, "") + "\0" + b))
        .forEach(
            node -> rows.addObject().put("name", node).put("rack", racks.getOrDefault(node, "")));
    ObjectNode run = data.putObject("run");
    run.put("jobSeconds", job.time().toMillis() / 1e3);
    run.put("amNode", job.amNode());
    run.put("good", true);
    run.put("mode", "job");
    Optional<Straggler> slow =
        report.analysis().stragglers().stream()
            .filter(straggler -> straggler.cause() == Cause.SLOW_MACHINE)
            .findFirst();
    slow.ifPresent(straggler -> run.put("faultNode", straggler.attempt().node()));
    run.put("faultLabel", slow.isPresent() ? "slow machine" : "");
    run.putArray("events");
    AttemptJson.add(run.putArray("attempts"), drawn, job.submitted());
    addDecisions(report, run.putArray("decisions"));
  }

  /** Returns all attempts: first those of slow tasks, dearest first, then the others. */
  private static List<AttemptRecord> slowFirst(JobAnalysis analysis) {
    List<AttemptRecord> order = new ArrayList<>();
    for (Straggler slow : analysis.stragglers()) {
      order.addAll(slow.task().attempts());
    }
    order.addAll(analysis.job().attempts());
    return order;
  }

  /** Returns the attempts to draw, in the order of the job: of slow tasks, then as room is left. */
  private static List<AttemptRecord> drawn(JobAnalysis analysis, Set<String> nodes) {
    Set<String> ids =
        slowFirst(analysis).stream()
            .filter(attempt -> nodes.contains(attempt.node()))
            .map(AttemptRecord::id)
            .distinct()
            .limit(MOST_ATTEMPTS)
            .collect(Collectors.toSet());
    return analysis.job().attempts().stream()
        .filter(attempt -> ids.contains(attempt.id()))
        .toList();
  }

  /** Returns the machines to draw: first those of slow tasks, then others as room is left. */
  private static Set<String> nodes(JobAnalysis analysis) {
    Set<String> nodes = new LinkedHashSet<>();
    for (AttemptRecord attempt : slowFirst(analysis)) {
      if (nodes.size() < MOST_NODES) {
        nodes.add(attempt.node());
      }
    }
    return nodes;
  }

  private static void addDecisions(JobReport report, ArrayNode decisions) {
    JobRecord job = report.analysis().job();
    for (ObjectNode entry : report.decisions().entries()) {
      AttemptJson.addTime(entry, job.submitted());
      decisions.add(entry);
    }
    if (report.decisions().isEmpty()) {
      report.acts().forEach(entry -> addAct(decisions.addObject(), entry));
    }
  }

  /** Writes what Drover would have decided as an entry of the decision log. */
  private static void addAct(ObjectNode decision, Map.Entry<String, Act> entry) {
    Act act = entry.getValue();
    decision
        .put("type", "decision")
        .put("mode", "observe")
        .put("task", entry.getKey())
        .put("action", act.restart() ? "KILL_AND_RESTART" : "DUPLICATE")
        .put("reason", act.reason())
        .put("tNew", JobReport.rounded(act.freshSeconds()))
        .put("at", JobReport.rounded(act.at()));
    if (act.remainingSeconds() < Double.POSITIVE_INFINITY) {
      decision.put("tRem", JobReport.rounded(act.remainingSeconds()));
    } else {
      decision.put("stopped", true);
    }
  }
}
