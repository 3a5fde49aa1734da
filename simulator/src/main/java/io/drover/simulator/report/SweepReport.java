// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.replay.Sweep;
import io.drover.simulator.replay.Swept;
import io.drover.simulator.report.ReplayFacts.FigureColumn;
import io.drover.simulator.report.SimulationReport.Chart;
import io.drover.simulator.report.SimulationReport.Charts;
import io.drover.simulator.report.SimulationReport.Table;
import io.drover.simulator.report.SweepVerdict.Aim;
import io.drover.simulator.report.SweepVerdict.Standing;
import io.drover.simulator.result.Comparison.Figure;
import io.drover.simulator.result.Spread;
import io.drover.simulator.scheme.Schemes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares the values of settings. In the JSON facts, all reductions, shares and gains are
 * fractions, and unknown numbers are null. With several repeats, the figures are medians.
 */
public final class SweepReport {
  /** The number of names for which a headline has room. */
  private static final int MOST_NAMED = 3;

  private static final Set<Figure> FIGURES =
      Set.of(
          Figure.PHASE_P50,
          Figure.PHASE_P75,
          Figure.RESOURCE_TOTAL,
          Figure.JOB_MEAN,
          Figure.JOB_SMALL,
          Figure.UTILISATION,
          Figure.RESTARTS_PER_TASK,
          Figure.CLONES_PER_TASK,
          Figure.RESTART_SUCCESS);

  private static final List<FigureColumn> COLUMNS =
      FigureColumn.ALL.stream().filter(column -> FIGURES.contains(column.figure())).toList();

  private final Sweep.Result result;
  private final List<SweepVerdict> verdicts;

  private SweepReport(Sweep.Result result) {
    this.result = result;
    this.verdicts =
        result.sweep().swept().stream().map(swept -> SweepVerdict.of(result, swept)).toList();
  }

  /** Creates the report. */
  public static SimulationReport of(Sweep.Result result) {
    return new SweepReport(result).report();
  }

  private SimulationReport report() {
    String scheme = result.sweep().scheme();
    return new SimulationReport(
        "simulate sweep",
        headline(),
        ReplayFacts.subject(result.replays()) + ", under " + scheme,
        table(),
        conclusion(),
        legend(),
        List.of(SimulationReport.Section.provenance(result.replays().setup().provenance())),
        Optional.of(charts()),
        ReplayFacts.settings(
            result.sweep().options(),
            List.of(Schemes.BASELINE, scheme),
            result.replays().setup().shape()),
        facts());
  }

  private Table table() {
    List<Table.Row> rows = new ArrayList<>();
    for (Swept swept : result.sweep().swept()) {
      rows.add(new Table.Row(Table.Style.HEADING, swept.name() + ": " + swept.key(), List.of()));
      for (String value : swept.values()) {
        boolean usual = swept.isDefault(value);
        rows.add(
            new Table.Row(
                usual ? Table.Style.MARKED : Table.Style.PLAIN,
                usual ? value + " *" : value,
                FigureColumn.cells(
                    COLUMNS,
                    figure -> result.spread(swept, value, figure),
                    result.replays().isRepeated())));
      }
    }
    return new Table(FigureColumn.columns(COLUMNS), rows, false);
  }

  /** Says how the default of one setting compares with the other values. */
  private String verdict(SweepVerdict verdict) {
    Swept swept = verdict.swept();
    String head = swept.name() + ", " + swept.byDefault() + " by default: ";
    if (result.replays().isEmpty()) {
      return head + "nothing to compare.";
    }
    if (verdict.isIndifferent()) {
      return head + "makes no difference here.";
    }
    String standings =
        verdict.standings().stream().map(this::standing).collect(Collectors.joining("; "));
    return head
        + standings
        + ". "
        + verdict
            .beatenBy()
            .map(value -> value + " beats it outright: better by one measure, worse by none.")
            .orElse("No value is better by one measure and worse by none.");
  }

  private String standing(Standing standing) {
    String label = standing.aim().label();
    return switch (standing.rank()) {
      case SAME -> "no difference for " + label;
      case BEST -> "the best for " + label;
      case WITHIN_SPREAD -> "for " + label + " within the spread of the best, " + best(standing);
      case BEATEN -> "for " + label + " beaten by " + best(standing);
    };
  }

  private String best(Standing standing) {
    Spread gain = standing.gain();
    String ends =
        result.replays().isRepeated()
            ? "; " + signed(gain.min()) + " to " + signed(gain.max())
            : "";
    return standing.best() + " (" + signed(gain.median()) + " points" + ends + ")";
  }

  /** Formats a gain in points as {@code +0.4}. */
  private static String signed(double gain) {
    String points = Text.points(gain);
    return points.startsWith("-") || points.equals("0.0") ? points : "+" + points;
  }

  /** Says which setting changes each aim most; empty if there is only one setting. */
  private String conclusion() {
    if (result.replays().isEmpty()) {
      return "The workload has no phase that takes time: there is nothing to compare.";
    }
    if (verdicts.size() < 2) {
      return "";
    }
    String each =
        Arrays.stream(Aim.values())
            .map(this::mover)
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return "The largest changes among the values tried: " + each + ".";
  }

  private record Move(Swept swept, String value, double gain) {}

  private Optional<String> mover(Aim aim) {
    return result.sweep().swept().stream()
        .flatMap(
            swept ->
                swept.values().stream()
                    .map(value -> new Move(swept, value, gain(swept, value, aim).orElse(0.0))))
        .max(Comparator.comparingDouble(move -> Math.abs(move.gain())))
        .map(
            move ->
                String.format(
                    Locale.ROOT,
                    "%s by %s (%s points at %s)",
                    aim.label(),
                    move.swept().name(),
                    signed(move.gain()),
                    move.value()));
  }

  private Optional<Double> gain(Swept swept, String value, Aim aim) {
    return result.gain(swept, value, aim.figure()).map(Spread::median);
  }

  private String headline() {
    if (result.replays().isEmpty()) {
      return "Nothing to compare";
    }
    List<String> beaten =
        verdicts.stream()
            .filter(verdict -> verdict.beatenBy().isPresent())
            .map(v -> v.swept().name() + " by " + v.beatenBy().get())
            .toList();
    if (beaten.isEmpty()) {
      return verdicts.size() == 1
          ? "No value tried beats the shipped " + verdicts.get(0).swept().name() + " outright"
          : "No value tried beats any of " + verdicts.size() + " shipped defaults outright";
    }
    if (verdicts.size() == 1) {
      return "The shipped " + beaten.get(0).replace(" by ", " is beaten outright by ");
    }
    String count = "Of " + verdicts.size() + " shipped defaults " + beaten.size();
    String head = count + (beaten.size() == 1 ? " is beaten outright" : " are beaten outright");
    return beaten.size() > MOST_NAMED ? head : head + ": " + String.join(", ", beaten);
  }

  private String legend() {
    int repeat = result.sweep().options().repeat();
    return "Reductions against "
        + Schemes.BASELINE
        + ", in %; a negative number is an increase. * marks the shipped default. Each value is"
        + " compared with the default on the same jobs with the same slow attempts. A point is a"
        + " hundredth of what "
        + Schemes.BASELINE
        + " takes. "
        + (repeat > 1
            ? "Figures are medians of "
                + repeat
                + " repeats. Beaten: another value is better in every repeat. With few repeats and"
                + " many values, this also happens by chance. Beaten outright: the other value is"
                + " also worse by no other measure."
            : "A single repeat has no spread: use --repeat to see which differences are more than"
                + " chance.");
  }

  private Charts charts() {
    List<Chart> charts =
        verdicts.stream()
            .map(
                verdict ->
                    new Chart(
                        verdict.swept().name(),
                        verdict.swept().key(),
                        verdict(verdict),
                        verdict.beatenBy().isPresent()))
            .toList();
    return new Charts(
        "What another value would win or lose",
        "Points of reduction compared with the shipped default, on the same jobs with the same slow"
            + " attempts. The vertical line marks the default (*). Above 0, a value is better than"
            + " the default; below 0, it is worse. Bands reach from the least to the greatest of"
            + " the repeats. Values are evenly spaced, not to scale.",
        true,
        charts,
        "sweep.js",
        data());
  }

  /** Returns the data for the script: gains over the default, in points. */
  private ObjectNode data() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("repeated", result.replays().isRepeated());
    ArrayNode aims = root.putArray("aims");
    Arrays.stream(Aim.values()).map(Aim::label).forEach(aims::add);
    ArrayNode settings = root.putArray("settings");
    for (Swept swept : result.sweep().swept()) {
      ObjectNode node = settings.addObject().put("name", swept.name());
      node.put("usual", swept.values().indexOf(swept.byDefault()));
      ArrayNode values = node.putArray("values");
      swept.values().forEach(values::add);
      ArrayNode gains = node.putArray("gains");
      for (Aim aim : Aim.values()) {
        ObjectNode gain = gains.addObject();
        List.of("least", "median", "greatest").forEach(gain::putArray);
        for (String value : swept.values()) {
          ends(result.gain(swept, value, aim.figure()))
              .forEach(
                  (end, share) ->
                      ((ArrayNode) gain.get(end))
                          .add(share.map(s -> Math.round(s * 1e4) / 1e2).orElse(null)));
        }
      }
    }
    return root;
  }

  private static Map<String, Optional<Double>> ends(Optional<Spread> spread) {
    return Map.of(
        "least", spread.map(Spread::min),
        "median", spread.map(Spread::median),
        "greatest", spread.map(Spread::max));
  }

  private ObjectNode facts() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("scheme", result.sweep().scheme());
    root.put("baseline", Schemes.BASELINE);
    ObjectNode settings = root.putObject("sweep");
    verdicts.forEach(verdict -> facts(settings.putObject(verdict.swept().name()), verdict));
    root.put("headline", headline());
    ReplayFacts.put(root, result.replays());
    return root;
  }

  private void facts(ObjectNode node, SweepVerdict verdict) {
    Swept swept = verdict.swept();
    node.put("key", swept.key());
    node.put("default", swept.byDefault());
    ArrayNode values = node.putArray("values");
    for (String value : swept.values()) {
      ObjectNode one = values.addObject().put("value", value);
      one.put("default", swept.isDefault(value));
      ReplayFacts.figures(one, figure -> result.spread(swept, value, figure).map(Spread::median));
      ObjectNode gains = one.putObject("gain");
      for (Aim aim : Aim.values()) {
        ObjectNode gain = gains.putObject(key(aim));
        Map<String, Optional<Double>> ends = ends(result.gain(swept, value, aim.figure()));
        List.of("median", "least", "greatest")
            .forEach(end -> ReplayFacts.put(gain, end, ends.get(end)));
      }
    }
    ObjectNode standings = node.putObject("standing");
    for (Standing standing : verdict.standings()) {
      ObjectNode one = standings.putObject(key(standing.aim()));
      one.put("default", standing.rank().label());
      one.put("best", standing.best());
    }
    node.put("beatenBy", verdict.beatenBy().orElse(null));
    node.put("verdict", verdict(verdict));
  }

  private static String key(Aim aim) {
    return aim.figure().group() + "." + aim.figure().key();
  }
}
