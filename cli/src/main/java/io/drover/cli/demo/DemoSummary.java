// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.core.model.TaskKind;
import io.drover.simulator.result.Spread;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Describes the result of a demo in sentences. */
final class DemoSummary {
  private static final String MISSING = "a run to compare with is missing.";

  private DemoSummary() {}

  /** Formats a time as {@code 12.3 s}. */
  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }

  /** Formats a share as {@code 94 %}. */
  static String percent(double share) {
    return Math.round(DemoJson.rounded(share) * 100) + " %"; // rounds as the page does
  }

  /** Names a fault as the subject of a sentence. */
  static String noun(Scenario scenario) {
    return switch (scenario) {
      case NONE -> "Nothing wrong";
      case SLOW_NODE -> "One slow node";
      case SLOW_ATTEMPT -> "One slow task";
      case SILENT_ATTEMPT -> "One task that fell silent";
      case STALL_90 -> "One task that stalled at 90 %";
      case SKEW -> "One large split";
      case LONG_TASK -> "One map with more to do";
      case NODE_DEATH -> "One dead node";
      case STARVED_HOST -> "One starved host";
      case STOPPED_TASKS -> "Stopped tasks on one host";
      case PAUSING_TASKS -> "Pausing tasks on one host";
      case SLOW_HOST_LINK -> "One slow link of a host";
      case SLOW_UPLINK -> "One slow uplink";
      case CUT_HOST -> "One host cut off";
      case CUT_RACK -> "One rack cut off";
      case NM_DEATH -> "One dead NodeManager";
      case HOST_DEATH -> "One dead host";
      case LOST_OUTPUTS -> "Lost map outputs";
      case FLAKY_NM_DEATH -> "One dead NodeManager that has lost outputs before";
      case FLAKY_OUTPUTS -> "Lost map outputs of a host that has lost others";
      case FULL_DISK -> "One full disk";
      case WRONG_CLOCK -> "One wrong clock";
      case FAULTS -> "Faults of hosts and racks";
      case SMALL_JOBS -> "One slow task in each small job";
      case PLACEMENT -> "Data that lies unevenly";
      case CEILING -> "A big job beside small cloned ones";
      case SAMPLING -> "A sample of the input";
      case FAILING_JOBS -> "A program that always fails";
    };
  }

  /** Describes what the runs of a scenario showed. Failures and differing outputs come first. */
  static String verdict(ScenarioResult result) {
    return trouble(result).map(t -> t + " ").orElse("")
        + switch (result.scenario()) {
          case NONE -> withoutFault(result);
          case SKEW -> withSkew(result);
          case LONG_TASK -> withLongTask(result);
          case SMALL_JOBS -> withSmallJobs(result);
          case PLACEMENT -> withPlacement(result);
          case CEILING -> OccupancySummary.verdict(result);
          case SAMPLING -> SampleSummary.verdict(result);
          case FAILING_JOBS -> StreamSummary.verdict(result);
          case FLAKY_NM_DEATH, FLAKY_OUTPUTS ->
              withFault(
                  result,
                  RunMode.STOCK,
                  " stock Hadoop",
                  RunMode.REMAKE,
                  ", and without replicas ");
          default -> withFault(result, RunMode.OFF, "", RunMode.STOCK, "; stock Hadoop ");
        };
  }

  /**
   * Describes what a fault cost, and how much of that was won back.
   *
   * @param against the mode that it cost so much
   * @param whom that mode behind a blank; empty for the one without speculation
   * @param other the mode that is named beside Drover
   * @param words what is before its share
   */
  private static String withFault(
      ScenarioResult result, RunMode against, String whom, RunMode other, String words) {
    Optional<Spread> cost = result.cost(against);
    if (cost.isEmpty()) {
      return "What the fault cost" + whom + " is unknown: " + MISSING;
    }
    String fault = "The fault cost" + whom + " ";
    String seconds = seconds(cost.get().median());
    Optional<Spread> drover = result.recovered(RunMode.DROVER, against);
    if (drover.isEmpty()) {
      return result.costsLittle(against)
          ? fault + "next to nothing (" + seconds + ")."
          : fault + seconds + ". What Drover wins back is unknown: " + MISSING;
    }
    return fault
        + seconds
        + ". Drover "
        + wonBack(drover.get().median())
        + " of it"
        + result.recovered(other, against).map(share -> words + wonBack(share.median())).orElse("")
        + (result.of(RunMode.DROVER).size() > 1 ? " (medians)." : ".");
  }

  private static String withSmallJobs(ScenarioResult result) {
    OptionalDouble stock = result.percentile(RunMode.STOCK, 95);
    OptionalDouble drover = result.percentile(RunMode.DROVER, 95);
    if (stock.isEmpty() || drover.isEmpty()) {
      return "A run to compare with is missing.";
    }
    double less = 1 - drover.getAsDouble() / stock.getAsDouble();
    return String.format(
        Locale.ROOT,
        "Of %d jobs, 95 %% ended within %.1f s under Drover, and within %.1f s under stock Hadoop:"
            + " %.0f %% %s.",
        result.of(RunMode.DROVER).size(),
        drover.getAsDouble(),
        stock.getAsDouble(),
        Math.abs(less) * 100,
        less < 0 ? "more" : "less");
  }

  private static String withPlacement(ScenarioResult result) {
    Optional<Spread> stock = result.known(RunMode.STOCK, DemoRun::maxLinkBytes);
    Optional<Spread> drover = result.known(RunMode.DROVER, DemoRun::maxLinkBytes);
    Optional<Spread> match = result.known(RunMode.DROVER, DemoRun::rackMatch);
    if (match.isEmpty()) {
      return result.jobSeconds(RunMode.DROVER).isEmpty()
          ? "A run to compare with is missing."
          : "Drover chose no racks.";
    }
    String chosen =
        percent(match.get().median()) + " of the reduces ran in the rack that Drover had chosen.";
    if (stock.isEmpty() || drover.isEmpty()) {
      return chosen + " The traffic between racks is unknown.";
    }
    double less = 1 - drover.get().median() / stock.get().median();
    return String.format(
        Locale.ROOT,
        "The busiest link between racks carried %.1f MB under Drover and %.1f MB under stock"
            + " Hadoop, %.0f %% %s; %s",
        drover.get().median() / 1e6,
        stock.get().median() / 1e6,
        Math.abs(less) * 100,
        less < 0 ? "more" : "less",
        chosen);
  }

  private static String wonBack(double share) {
    return share < -0.005 ? "added " + percent(-share) : "won back " + percent(share);
  }

  private static String withLongTask(ScenarioResult result) {
    Optional<Spread> stock = result.jobSeconds(RunMode.STOCK);
    Optional<Spread> drover = result.jobSeconds(RunMode.DROVER);
    if (stock.isEmpty() || drover.isEmpty()) {
      return "A run to compare with is missing.";
    }
    return String.format(
        Locale.ROOT,
        "The long map has more to do, and no attempt of it is faster. The job took %s under Drover"
            + " and %s under stock Hadoop (%.2f times as long). Copies and restarts: %d and %d.",
        seconds(drover.get().median()),
        seconds(stock.get().median()),
        drover.get().median() / stock.get().median(),
        interventions(result, RunMode.DROVER),
        interventions(result, RunMode.STOCK));
  }

  private static String withSkew(ScenarioResult result) {
    String why = "The large split is slow for a good reason, and a copy could not help. ";
    if (result.jobSeconds(RunMode.DROVER).isEmpty()) {
      return why + "What Drover did is unknown: " + MISSING;
    }
    int stock = interventions(result, RunMode.STOCK);
    return why
        + "Drover started "
        + (interventions(result, RunMode.DROVER) == 0
            ? "none, and restarted nothing"
            : count(
                interventions(result, RunMode.DROVER), "copy or restart", "copies and restarts"))
        + (stock == 0
            ? "."
            : "; stock Hadoop started " + count(stock, "copy", "copies") + " in vain.");
  }

  private static String withoutFault(ScenarioResult result) {
    Optional<Spread> stock = result.jobSeconds(RunMode.STOCK);
    Optional<Spread> drover = result.jobSeconds(RunMode.DROVER);
    if (stock.isEmpty() || drover.isEmpty()) {
      return "A run to compare with is missing.";
    }
    double more = drover.get().median() / stock.get().median() - 1;
    int copies = interventions(result, RunMode.DROVER);
    return String.format(
        Locale.ROOT,
        "With nothing wrong, the job took %.1f %% %s under Drover than under stock Hadoop, and"
            + " Drover started %s.",
        Math.abs(more) * 100,
        more < 0 ? "less" : "longer",
        copies == 0 ? "no copy" : count(copies, "copy", "copies"));
  }

  private static int interventions(ScenarioResult result, RunMode mode) {
    return result.of(mode).stream()
        .mapToInt(run -> run.result().tally().copies() + run.result().tally().restarts())
        .sum();
  }

  private static Optional<String> trouble(ScenarioResult result) {
    long failed = result.runs().stream().filter(run -> !run.result().succeeded()).count();
    long differs =
        result.runs().stream().filter(r -> r.result().succeeded() && !r.outputEqual()).count();
    List<String> parts = new ArrayList<>();
    if (failed > 0) {
      parts.add(count((int) failed, "job", "jobs") + " FAILED.");
    }
    if (differs > 0) {
      parts.add("The output of " + count((int) differs, "run", "runs") + " DIFFERS.");
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", parts));
  }

  static String count(int number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  /** Describes the whole result, short enough for a heading. */
  static String headline(DemoResult result) {
    if (!result.isGood()) {
      return "Something went wrong: a job failed, or an output differs";
    }
    if (result.options().scenarios().equals(List.of(Scenario.SAMPLING))) {
      return SampleSummary.headline(result.scenarios());
    }
    if (result.scenarios().size() == 1) {
      return headline(result.scenarios().get(0));
    }
    List<ScenarioResult> faults =
        result.scenarios().stream().filter(s -> s.recovered(RunMode.DROVER).isPresent()).toList();
    if (faults.size() == 1) {
      return headline(faults.get(0));
    }
    List<Double> drover = shares(result, RunMode.DROVER);
    List<Double> stock = shares(result, RunMode.STOCK);
    if (drover.isEmpty()) {
      return DemoSummary.count(result.scenarios().size(), "scenario", "scenarios")
          + ", all outputs equal";
    }
    return "Drover won back "
        + range(drover)
        + " of what "
        + count(drover.size(), "fault", "faults")
        + " cost"
        + (stock.isEmpty() ? "" : ", stock Hadoop " + range(stock));
  }

  private static String headline(ScenarioResult result) {
    if (result.series() > 1) {
      return ofSeries(result);
    }
    if (result.scenario() == Scenario.PLACEMENT) {
      return ofPlacement(result);
    }
    if (result.scenario() == Scenario.CEILING) {
      return OccupancySummary.headline(result);
    }
    if (result.scenario() == Scenario.FAILING_JOBS) {
      return StreamSummary.headline(result);
    }
    Optional<Spread> cost = result.cost();
    Optional<Spread> drover = result.recovered(RunMode.DROVER);
    if (cost.isEmpty()) {
      return noun(result.scenario()) + ": what Drover does";
    }
    String fault = noun(result.scenario()) + " cost this job ";
    if (result.costsLittle(RunMode.OFF)) {
      return fault + "next to nothing";
    }
    String seconds = fault + Math.round(cost.get().median()) + " seconds";
    if (drover.isEmpty()) {
      return seconds;
    }
    double share = drover.get().median();
    return seconds
        + ". Drover "
        + (share < 0.995 ? wonBack(share) + " of them" : "won all of them back");
  }

  private static String ofSeries(ScenarioResult result) {
    OptionalDouble stock = result.percentile(RunMode.STOCK, 95);
    OptionalDouble drover = result.percentile(RunMode.DROVER, 95);
    return stock.isEmpty() || drover.isEmpty()
        ? noun(result.scenario())
        : String.format(
            Locale.ROOT,
            "Small jobs, each with a slow task: 95 %% of them end in %.0f seconds instead of %.0f",
            drover.getAsDouble(),
            stock.getAsDouble());
  }

  private static String ofPlacement(ScenarioResult result) {
    Optional<Spread> stock = result.known(RunMode.STOCK, DemoRun::maxLinkBytes);
    Optional<Spread> drover = result.known(RunMode.DROVER, DemoRun::maxLinkBytes);
    if (stock.isEmpty() || drover.isEmpty()) {
      return noun(result.scenario());
    }
    double less = 1 - drover.get().median() / stock.get().median();
    return "The busiest link between racks carries "
        + percent(Math.abs(less))
        + (less < 0 ? " more" : " less");
  }

  private static List<Double> shares(DemoResult result, RunMode mode) {
    return result.scenarios().stream()
        .flatMap(s -> s.recovered(mode).stream())
        .map(Spread::median)
        .sorted()
        .toList();
  }

  private static String range(List<Double> sorted) {
    String least = percent(sorted.get(0));
    String most = percent(sorted.get(sorted.size() - 1));
    return least.equals(most) ? most : least.replace(" %", "") + " to " + most;
  }

  /** Describes what was run. */
  static String lede(DemoResult result) {
    DemoOptions options = result.options();
    var spec = options.spec(result.scenarios().get(0).scenario());
    String text = options.input().map(p -> "of " + p).orElse("of text from this machine");
    String title = spec.workload().title();
    long racks = result.hosts().stream().map(h -> h.rack()).distinct().count();
    String cluster =
        racks == 0
            ? ""
            : " on "
                + count(result.hosts().size(), "node", "nodes")
                + " in "
                + count((int) racks, "rack", "racks")
                + (options.existing()
                    ? " of a Hadoop cluster"
                    : " of a real Hadoop cluster, all on this machine");
    String fault =
        result.scenarios().stream()
            .map(ScenarioResult::title)
            .distinct()
            .collect(Collectors.joining("; "));
    return title.substring(0, 1).toUpperCase(Locale.ROOT)
        + title.substring(1)
        + " over "
        + size(spec.maps() * spec.bytesPerMap())
        + " "
        + text
        + ", "
        + spec.sample()
            .map(s -> "any " + s.needed() + " of " + count(spec.maps(), "block", "blocks"))
            .orElse(count(spec.maps(), "map", "maps"))
        + " and "
        + count(spec.reduces(), "reduce", "reduces")
        + cluster
        + (options.scenarios().size() == 1 ? ". " + sentence(result, fault) + "." : ".")
        + (options.runs() > 1 ? " Everything was run " + options.runs() + " times." : "");
  }

  private static String size(long bytes) {
    return bytes < 1_000_000 ? Math.round(bytes / 1e3) + " KB" : Math.round(bytes / 1e6) + " MB";
  }

  private static String sentence(DemoResult result, String title) {
    return switch (result.scenarios().get(0).scenario()) {
      case PLACEMENT, CEILING, SAMPLING -> "No fault, but " + title;
      case FAILING_JOBS -> "Run as " + title;
      default -> "The fault: " + title;
    };
  }

  /** Returns the word for a kind of task. */
  static String kind(TaskKind kind) {
    return kind == TaskKind.MAP ? "map" : "reduce";
  }
}
