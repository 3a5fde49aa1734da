// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.replay.ReplayResult;
import io.drover.simulator.replay.Variant;
import io.drover.simulator.report.ReplayFacts.FigureColumn;
import io.drover.simulator.report.SimulationReport.Chart;
import io.drover.simulator.report.SimulationReport.Charts;
import io.drover.simulator.report.SimulationReport.Table;
import io.drover.simulator.result.Comparison.Curve;
import io.drover.simulator.result.Comparison.Figure;
import io.drover.simulator.result.Spread;
import io.drover.simulator.scheme.Schemes;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Compares schemes. In the JSON facts, all reductions and shares are fractions, and unknown numbers
 * are null. With several repeats, {@code schemes} has the medians, and {@code runs} has each
 * repeat.
 */
public final class ComparisonReport {
  /** The oracle that knows every duration beforehand. It shows the most that can be gained. */
  private static final String ORACLE = "clairvoyant";

  /** Smaller numbers are written as 0.0 %. */
  private static final double HARDLY = 0.0005;

  private final ReplayResult result;
  private final List<String> schemes;

  private ComparisonReport(ReplayResult result, List<String> schemes) {
    this.result = result;
    this.schemes = schemes;
  }

  /**
   * Creates the report.
   *
   * @param schemes the variants of the result, the baseline first
   */
  public static SimulationReport of(ReplayResult result, List<String> schemes) {
    return new ComparisonReport(result, List.copyOf(schemes)).report();
  }

  private SimulationReport report() {
    return new SimulationReport(
        "simulate",
        headline(),
        ReplayFacts.subject(result),
        table(),
        conclusion(),
        result.isEmpty() ? "" : legend(),
        List.of(SimulationReport.Section.provenance(result.setup().provenance())),
        Optional.of(charts()),
        ReplayFacts.settings(result.options(), schemes, result.setup().shape()),
        facts());
  }

  private Optional<Spread> spread(String scheme, Figure figure) {
    return result.spread(Variant.of(scheme), figure);
  }

  private Optional<Double> median(String scheme) {
    return spread(scheme, Figure.PHASE_P50).map(Spread::median);
  }

  private Table table() {
    List<Table.Row> rows =
        schemes.stream()
            .filter(scheme -> !result.isEmpty())
            .map(
                scheme ->
                    new Table.Row(
                        style(scheme),
                        scheme,
                        FigureColumn.cells(
                            FigureColumn.ALL,
                            figure -> spread(scheme, figure),
                            result.isRepeated())))
            .toList();
    return new Table(FigureColumn.columns(FigureColumn.ALL), rows, true);
  }

  private static Table.Style style(String scheme) {
    if (Schemes.isIdeal(scheme)) {
      return Table.Style.IDEAL;
    }
    return scheme.equals("drover") ? Table.Style.MARKED : Table.Style.PLAIN;
  }

  /** Returns the schemes of real clusters, the one with the greatest median reduction first. */
  private List<String> ranking() {
    return schemes.stream()
        .filter(scheme -> !Schemes.isIdeal(scheme) && !scheme.equals(Schemes.BASELINE))
        .filter(scheme -> median(scheme).isPresent())
        .sorted(Comparator.comparingDouble(scheme -> -median(scheme).orElseThrow()))
        .toList();
  }

  private String headline() {
    List<String> ranking = ranking();
    if (ranking.isEmpty()) {
      return median(Schemes.BASELINE).isEmpty() ? "Nothing to compare" : "No scheme to compare";
    }
    String best = ranking.get(0);
    double won = median(best).orElseThrow();
    if (won < HARDLY) {
      return "No scheme makes the median phase shorter";
    }
    String name = best.substring(0, 1).toUpperCase(Locale.ROOT) + best.substring(1);
    String head = name + " makes the median phase " + whole(won) + " shorter";
    if (ranking.size() > 1) {
      double next = median(ranking.get(1)).orElseThrow();
      head += ", " + ranking.get(1) + " " + (next < HARDLY ? "not at all" : whole(next));
    }
    return head;
  }

  private static String whole(double share) {
    return Math.round(share * 100) + " %";
  }

  /** Says which scheme has the greatest median reduction, and what the oracle could still gain. */
  private String conclusion() {
    if (median(Schemes.BASELINE).isEmpty()) {
      return "The workload has no phase that takes time: there is nothing to compare.";
    }
    List<String> ranking = ranking();
    if (ranking.isEmpty()) {
      return "There is no scheme to compare with " + Schemes.BASELINE + ".";
    }
    String best = ranking.get(0);
    double won = median(best).orElseThrow();
    StringBuilder text = new StringBuilder();
    if (won < HARDLY) {
      text.append("No scheme makes the median phase shorter");
    } else {
      text.append(best).append(" comes first: it makes the median phase ");
      text.append(Text.percent(won)).append(" shorter");
      if (ranking.size() > 1) {
        String second = ranking.get(1);
        text.append(", followed by ").append(second).append(" with ");
        text.append(Text.percent(median(second).orElseThrow()));
      }
    }
    median(ORACLE).ifPresent(most -> text.append(left(best, won, most)));
    return text.append(".").toString();
  }

  private static String left(String best, double won, double most) {
    String known = "; the " + ORACLE + ", which knows every duration, has " + Text.percent(most);
    if (won >= most) {
      return known + " and leaves nothing to win";
    }
    String points = " and leaves " + Text.points(most - won) + " points to win";
    return won < HARDLY
        ? known + points
        : known + points + ": " + best + " has " + Text.percent(won / most) + " of its gain";
  }

  private String legend() {
    return "Reductions against "
        + Schemes.BASELINE
        + ", in %; a negative number is an increase. Every scheme had the same jobs and the same"
        + " slow attempts. Phases and their slot time are weighted by the phase's lifetime under "
        + Schemes.BASELINE
        + ", as in Mantri (sections 6.1 and 6.3). Of the jobs, mean is the reduction of their mean"
        + " time, p50 is the median of each job's own reduction, and small is the reduction of the"
        + " mean time of the jobs with at most 10 tasks. Restarts include copies. Useful is the"
        + " share of restarts and clones that ended before the first attempt."
        + (result.isRepeated()
            ? " Figures are medians of "
                + result.options().repeat()
                + " repeats, with the least and the greatest of them."
            : "");
  }

  private Charts charts() {
    List<Chart> charts =
        Arrays.stream(Curve.values())
            .map(curve -> new Chart(curve.title(), curve.share(), "", false))
            .toList();
    return new Charts(
        "How much shorter, and for how many",
        "Each curve shows which share got at most a given reduction: the further to the right and"
            + " the lower it runs, the better. Left of the vertical line, things got worse.",
        false,
        charts,
        "curves.js",
        data());
  }

  /** Returns the data for the script in per cent. The baseline is the vertical line at 0. */
  private ObjectNode data() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    List<String> drawn = schemes.stream().filter(s -> !s.equals(Schemes.BASELINE)).toList();
    ArrayNode names = root.putArray("schemes");
    drawn.forEach(names::add);
    double[] points = Curve.points();
    percents(root.putArray("points"), points);
    ArrayNode charts = root.putArray("charts");
    for (Curve curve : Curve.values()) {
      ObjectNode chart = charts.addObject().put("title", curve.title()).put("share", curve.share());
      ObjectNode curves = chart.putObject("curves");
      ObjectNode medians = chart.putObject("medians");
      for (String scheme : drawn) {
        double[] shares = result.curve(Variant.of(scheme), curve);
        if (shares.length > 0) {
          percents(curves.putArray(scheme), shares);
          medians.put(scheme, percent(points[median(shares)]));
        }
      }
    }
    return root;
  }

  /** Returns the first point at or below which half of the weight lies, or the last point. */
  private static int median(double[] shares) {
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] >= 0.5) {
        return i;
      }
    }
    return shares.length - 1;
  }

  private static void percents(ArrayNode array, double[] shares) {
    for (double share : shares) {
      array.add(percent(share));
    }
  }

  private static double percent(double share) {
    return Math.round(share * 1e4) / 1e2;
  }

  private ObjectNode facts() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ObjectNode all = root.putObject("schemes");
    for (String scheme : schemes) {
      facts(
          all.putObject(scheme),
          figure -> spread(scheme, figure).map(Spread::median),
          result.seconds(Variant.of(scheme)).map(Spread::median));
    }
    root.put("baseline", Schemes.BASELINE);
    ReplayFacts.put(root, result);
    if (result.isRepeated()) {
      runs(root.putArray("runs"));
    }
    return root;
  }

  private void runs(ArrayNode all) {
    for (long seed : result.runs().stream().map(ReplayResult.Run::seed).distinct().toList()) {
      ObjectNode ofSeed = all.addObject().put("seed", seed).putObject("schemes");
      result.runs().stream()
          .filter(run -> run.seed() == seed)
          .forEach(
              run ->
                  facts(
                      ofSeed.putObject(run.variant().scheme()),
                      figure -> Optional.ofNullable(run.figures().get(figure)),
                      Optional.of(run.seconds())));
    }
  }

  private static void facts(
      ObjectNode node, Function<Figure, Optional<Double>> figures, Optional<Double> seconds) {
    ReplayFacts.figures(node, figures);
    ReplayFacts.put(node, "seconds", seconds);
  }
}
