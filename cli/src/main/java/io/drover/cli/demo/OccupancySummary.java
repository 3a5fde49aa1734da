// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.simulator.result.Spread;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Describes the result of {@link Scenario#CEILING} in sentences. */
final class OccupancySummary {
  private OccupancySummary() {}

  /** Describes how clones affected the big job. */
  static String verdict(ScenarioResult result) {
    OptionalDouble more = more(result);
    if (more.isEmpty()) {
      return "A run to compare with is missing.";
    }
    return clones(result)
        + String.format(
            Locale.ROOT,
            " The big job took %.1f s under Drover and %.1f s under stock Hadoop, %s.",
            result.jobSeconds(RunMode.DROVER).orElseThrow().median(),
            result.jobSeconds(RunMode.STOCK).orElseThrow().median(),
            compared(more.getAsDouble()));
  }

  private static String clones(ScenarioResult result) {
    Optional<Spread> peak = result.known(RunMode.DROVER, DemoRun::peakClones);
    Optional<Spread> reclaim = result.known(RunMode.DROVER, DemoRun::reclaimSeconds);
    if (peak.isEmpty() || peak.get().max() < 1) {
      return "No clone ran, so no clone had to make room.";
    }
    int most = (int) Math.round(peak.get().median());
    String ran = "Small jobs ran " + DemoSummary.count(most, "clone", "clones") + " at once; ";
    String tau = DemoSummary.percent(tau(result));
    if (reclaim.isEmpty()) {
      return ran
          + (isCrowded(result) ? "their end was not observed." : "no other job needed their room.");
    }
    double time = reclaim.get().median();
    return isAtOnce(time)
        ? ran + "none was left when the big job brought utilisation above " + tau + "."
        : ran
            + DemoSummary.seconds(time)
            + " after the big job had brought utilisation above "
            + tau
            + ", none was left.";
  }

  /** Returns whether clones were gone before utilisation showed the demand that killed them. */
  static boolean isAtOnce(double seconds) {
    return seconds < 0.05;
  }

  private static boolean isCrowded(ScenarioResult result) {
    return result.of(RunMode.DROVER).stream()
        .flatMap(run -> run.result().occupancy().stream())
        .anyMatch(occupancy -> occupancy.crossedAt().isPresent());
  }

  private static double tau(ScenarioResult result) {
    return result.of(RunMode.DROVER).stream()
        .flatMap(run -> run.result().occupancy().stream())
        .mapToDouble(occupancy -> occupancy.tau())
        .findFirst()
        .orElseThrow();
  }

  /** Returns by which share the big job took longer under Drover than under stock Hadoop. */
  private static OptionalDouble more(ScenarioResult result) {
    Optional<Spread> stock = result.jobSeconds(RunMode.STOCK);
    Optional<Spread> drover = result.jobSeconds(RunMode.DROVER);
    return stock.isEmpty() || drover.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(drover.get().median() / stock.get().median() - 1);
  }

  private static String compared(double more) {
    return String.format(
        Locale.ROOT, "%.1f %% %s", Math.abs(more) * 100, more < 0 ? "less" : "longer");
  }

  /** Describes the result, short enough for a heading. */
  static String headline(ScenarioResult result) {
    Optional<Spread> reclaim = result.known(RunMode.DROVER, DemoRun::reclaimSeconds);
    OptionalDouble more = more(result);
    if (reclaim.isEmpty() || more.isEmpty()) {
      return DemoSummary.noun(result.scenario());
    }
    double time = reclaim.get().median();
    return (isAtOnce(time)
            ? "Clones leave at once"
            : "Clones leave within " + DemoSummary.seconds(time).replace(" s", " seconds"))
        + ", and a big job takes "
        + compared(more.getAsDouble())
        + " than without them";
  }
}
