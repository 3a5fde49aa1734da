// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.report.Hindsight.Act;
import io.drover.cli.report.JobAnalysis.PhaseCost;
import io.drover.core.model.TaskKind;
import io.drover.simulator.report.Text;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.history.JobRecord;
import io.drover.testbed.history.JobRecord.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The report on one job: as lines, and as JSON.
 *
 * @param analysis what was found
 * @param decisions what Drover's decision logs say
 */
record JobReport(JobAnalysis analysis, DecisionLogs decisions) {
  private static final int MOST_LINES = 12;

  /** Returns the job, its time, and what was lost of it, in one sentence. */
  String headline() {
    JobRecord job = analysis.job();
    double seconds = job.time().toMillis() / 1e3;
    String lost =
        analysis.costSeconds() < 0.5
            ? "none of it lost to slow tasks"
            : "%s of it (%s) lost to slow tasks and waits"
                .formatted(
                    Figures.seconds(analysis.costSeconds()),
                    Figures.percent(analysis.costSeconds(), seconds));
    String end = job.state() == State.UNFINISHED ? "had not ended after" : "took";
    return "%s %s %s; %s".formatted(job.id(), end, Figures.seconds(seconds), lost);
  }

  /** Returns what job it was, in one sentence. */
  String subject() {
    JobRecord job = analysis.job();
    return "%s of %s%s, %s and %s: %s%s"
        .formatted(
            job.name().isEmpty() ? "a job" : job.name(),
            job.user().isEmpty() ? "an unknown user" : job.user(),
            job.queue().isEmpty() ? "" : " in queue " + job.queue(),
            Text.count(job.maps(), "map", "maps"),
            Text.count(job.reduces(), "reduce", "reduces"),
            job.state(),
            (job.uber() ? ", within its AppMaster" : "")
                + (job.masters().size() > 1
                    ? ", with " + job.masters().size() + " AppMasters"
                    : ""));
  }

  /** Returns what Drover did, or would have done, in one or two sentences. */
  String aboutDrover() {
    if (!decisions.isEmpty()) {
      return "%s %s and %s; its decision log says what else."
          .formatted(
              aboutMode(),
              Text.count(decisions.count("DUPLICATE"), "copy", "copies"),
              Text.count(decisions.count("KILL_AND_RESTART"), "restart", "restarts"));
    }
    Optional<DroverActions> counted = counted();
    if (counted.isPresent()) {
      return "By the job's counters, Drover ran: %s. %s"
          .formatted(
              counted.get().counted(),
              decisions
                  .failure()
                  .map(why -> "Its decision log cannot be read (%s).".formatted(why))
                  .orElse("There is no decision log that says why."));
    }
    String log =
        decisions
            .failure()
            .map(
                why ->
                    "What Drover did is not known: its decision log cannot be read (%s)."
                        .formatted(why))
            .orElse("There is no decision log of Drover.");
    if (analysis.acts().isEmpty()) {
      return log + " Its restarts and copies would have left this job alone.";
    }
    String sooner =
        analysis.savedSeconds() < 0.5
            ? "which would not have made the job shorter"
            : "and the job would have ended about "
                + Figures.seconds(analysis.savedSeconds())
                + " sooner";
    return log
        + " It would have copied or restarted %s, %s."
            .formatted(Text.count(analysis.acts().size(), "task", "tasks"), sooner);
  }

  /** Returns what Drover did by the job's counters; empty if these do not say that it ran. */
  private Optional<DroverActions> counted() {
    DroverActions actions = new DroverActions();
    return actions.add(analysis.job()) ? Optional.of(actions) : Optional.empty();
  }

  private String aboutMode() {
    if (!decisions.observed()) {
      return "Drover ran, and made";
    }
    return decisions.ran()
        ? "Drover ran, but only observed restarts and copies: it would have made"
        : "Drover observed, and would have made";
  }

  /**
   * Returns what became of map outputs, in one sentence; empty if Drover replicated none and made
   * none again.
   */
  Optional<String> aboutOutputs() {
    return protection().filter(ProtectionFigures::isOfUse).map(ProtectionFigures::sentence);
  }

  private Optional<ProtectionFigures> protection() {
    return ProtectionFigures.of(analysis.job().counters());
  }

  /** Returns the lines of the report. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(headline());
    lines.add(subject());
    analysis.job().diagnostics().lines().findFirst().map(Figures::shortened).ifPresent(lines::add);
    addCosts(lines);
    addStragglers(lines);
    for (PhaseCost cost : analysis.phaseCosts()) {
      lines.addAll(
          Text.hanging(
              "  " + (cost.kind() == TaskKind.MAP ? "maps" : "reduces") + ": ",
              cost.cause().words() + ", " + cost.evidence()));
    }
    lines.add("");
    lines.addAll(Text.hanging("", aboutDrover()));
    aboutOutputs().ifPresent(sentence -> lines.addAll(Text.hanging("", sentence)));
    addActs(lines);
    if (analysis.job().timesMended() > 0) {
      lines.add("");
      lines.addAll(
          Text.hanging(
              "",
              "Times of the history that contradicted others, since clocks differ or went back, and"
                  + " were replaced: %d.".formatted(analysis.job().timesMended())));
    }
    return lines;
  }

  private void addCosts(List<String> lines) {
    Map<Cause, Double> costs = analysis.costs();
    if (costs.isEmpty()) {
      return;
    }
    double seconds = analysis.job().time().toMillis() / 1e3;
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("  cause", "slow tasks", "cost", "of the job", "Drover acts"));
    costs.forEach(
        (cause, cost) ->
            rows.add(
                List.of(
                    "  " + cause.words(),
                    Long.toString(
                        analysis.stragglers().stream().filter(s -> s.cause() == cause).count()),
                    cost > 0 ? Figures.seconds(cost) : "-",
                    cost > 0 ? Figures.percent(cost, seconds) : "-",
                    cause.isActedOn() ? "yes" : "no")));
    lines.add("");
    lines.addAll(Text.align(rows));
  }

  private void addStragglers(List<String> lines) {
    if (analysis.stragglers().isEmpty()) {
      return;
    }
    lines.add("");
    analysis.stragglers().stream()
        .limit(MOST_LINES)
        .forEach(
            slow ->
                lines.addAll(
                    Text.hanging(
                        "  %s on %s: ".formatted(slow.task().name(), slow.attempt().node()),
                        "%s instead of the usual %s, cost %s; %s: %s"
                            .formatted(
                                Figures.seconds(slow.seconds()),
                                Figures.seconds(slow.usualSeconds()),
                                Figures.seconds(slow.costSeconds()),
                                slow.cause().words(),
                                slow.evidence()))));
    int more = analysis.stragglers().size() - MOST_LINES;
    if (more > 0) {
      lines.add("  and " + Text.count(more, "slow task", "slow tasks") + " more");
    }
  }

  private void addActs(List<String> lines) {
    acts().stream()
        .limit(MOST_LINES)
        .forEach(
            entry ->
                lines.add(
                    "  %s: %s at %s, expected to end %s later"
                        .formatted(
                            entry.getKey(),
                            entry.getValue().restart() ? "restarted" : "copied",
                            Figures.seconds(entry.getValue().at()),
                            Figures.seconds(entry.getValue().freshSeconds()))));
  }

  /** Returns what Drover would have decided, in order of time; empty if it is known to have run. */
  List<Map.Entry<String, Act>> acts() {
    if (!decisions.isEmpty() || counted().isPresent()) {
      return List.of();
    }
    return analysis.acts().entrySet().stream()
        .sorted(Comparator.comparingDouble(entry -> entry.getValue().at()))
        .toList();
  }

  /** Returns the report as JSON. Times are seconds. */
  ObjectNode json() {
    JobRecord job = analysis.job();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("job", job.id())
        .put("name", job.name())
        .put("user", job.user())
        .put("queue", job.queue())
        .put("state", job.state().name())
        .put("maps", job.maps())
        .put("reduces", job.reduces())
        .put("seconds", job.time().toMillis() / 1e3)
        .put("costSeconds", rounded(analysis.costSeconds()))
        .put("actedOnSeconds", rounded(analysis.actedOnSeconds()))
        .put("taskSeconds", rounded(analysis.taskSeconds()))
        .put("wastedSeconds", rounded(analysis.wastedSeconds()))
        .put("timesMended", job.timesMended());
    ObjectNode causes = json.putObject("causes");
    analysis.costs().forEach((cause, cost) -> causes.put(key(cause), rounded(cost)));
    ArrayNode stragglers = json.putArray("stragglers");
    for (Straggler slow : analysis.stragglers()) {
      stragglers
          .addObject()
          .put("task", slow.task().name())
          .put("attempt", slow.attempt().id())
          .put("node", slow.attempt().node())
          .put("seconds", rounded(slow.seconds()))
          .put("usualSeconds", rounded(slow.usualSeconds()))
          .put("costSeconds", rounded(slow.costSeconds()))
          .put("cause", key(slow.cause()))
          .put("evidence", slow.evidence());
    }
    ArrayNode phases = json.putArray("phases");
    for (PhaseCost cost : analysis.phaseCosts()) {
      phases
          .addObject()
          .put("kind", cost.kind().name().toLowerCase(Locale.ROOT))
          .put("costSeconds", rounded(cost.costSeconds()))
          .put("cause", key(cost.cause()))
          .put("evidence", cost.evidence());
    }
    ObjectNode drover = json.putObject("drover");
    Optional<DroverActions> counted = counted();
    drover
        .put("ran", decisions.isEmpty() ? counted.isPresent() : decisions.ran())
        .put("observed", decisions.observed());
    decisions.failure().ifPresent(why -> drover.put("decisionLogError", why));
    counted.ifPresent(actions -> actions.addCounters(drover));
    if (decisions.isEmpty() && counted.isPresent()) {
      drover
          .put("copies", counted.get().sum(DroverCounter.COPIES_LAUNCHED))
          .put("restarts", counted.get().sum(DroverCounter.RESTARTS));
    } else if (decisions.isEmpty()) {
      drover.put("wouldSaveSeconds", rounded(analysis.savedSeconds()));
      ArrayNode acts = drover.putArray("wouldDo");
      for (Map.Entry<String, Act> entry : acts()) {
        acts.addObject()
            .put("task", entry.getKey())
            .put("action", entry.getValue().restart() ? "KILL_AND_RESTART" : "DUPLICATE")
            .put("at", rounded(entry.getValue().at()))
            .put("tNew", rounded(entry.getValue().freshSeconds()));
      }
    } else {
      drover
          .put("copies", decisions.count("DUPLICATE"))
          .put("restarts", decisions.count("KILL_AND_RESTART"));
    }
    protection().ifPresent(figures -> put(drover.putObject("outputs"), figures));
    return json;
  }

  private static void put(ObjectNode json, ProtectionFigures figures) {
    json.put("replicatedBytes", figures.replicatedBytes())
        .put("ioBytes", figures.ioBytes())
        .put("processedBytes", figures.processedBytes())
        .put("replicasUsed", figures.replicasUsed())
        .put("recomputationsAvoided", figures.recomputationsAvoided())
        .put("madeAgain", figures.madeAgain());
    figures.shareOfIo().ifPresent(share -> json.put("replicatedShareOfIo", share));
    figures.shareOfProcessed().ifPresent(share -> json.put("replicatedShareOfProcessed", share));
  }

  /** Returns a cause as programs read it, such as {@code slow-machine}. */
  static String key(Cause cause) {
    return cause.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Rounds to a millisecond. */
  static double rounded(double seconds) {
    return Math.round(seconds * 1e3) / 1e3;
  }
}
