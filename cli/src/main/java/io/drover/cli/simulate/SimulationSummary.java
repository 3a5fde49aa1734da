// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.simulator.scheme.Schemes;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Says in sentences what came of the simulations. */
final class SimulationSummary {
  /** What knows everything beforehand: the measure of what can be had at all. */
  static final String ORACLE = "clairvoyant";

  private static final String NOTHING =
      "The workload has no phase that takes time: there is" + " nothing to be compared.";

  /** What is written as 0.0 %. */
  private static final double HARDLY = 0.0005;

  private SimulationSummary() {}

  /** Whether a scheme is none that a real cluster could have. */
  static boolean isIdeal(String scheme) {
    return scheme.equals(ORACLE)
        || scheme.equals("informed")
        || scheme.startsWith("no-skew")
        || scheme.startsWith("ideal-");
  }

  /** The real schemes but the baseline, the one with the greatest median reduction first. */
  private static List<String> ranking(SimulateResult result) {
    return result.options().schemes().stream()
        .filter(scheme -> !isIdeal(scheme) && !scheme.equals(Schemes.BASELINE))
        .filter(scheme -> median(result, scheme).isPresent())
        .sorted(Comparator.comparingDouble(s -> -median(result, s).getAsDouble()))
        .toList();
  }

  private static OptionalDouble median(SimulateResult result, String scheme) {
    return result
        .spread(scheme, Figure.PHASE_P50)
        .map(spread -> OptionalDouble.of(spread.median()))
        .orElse(OptionalDouble.empty());
  }

  /** Who came first at the median, and what the clairvoyant leaves. */
  static String verdict(SimulateResult result) {
    if (median(result, Schemes.BASELINE).isEmpty()) {
      return NOTHING;
    }
    List<String> ranking = ranking(result);
    if (ranking.isEmpty()) {
      return "There is no scheme to be compared with " + Schemes.BASELINE + ".";
    }
    String best = ranking.get(0);
    double won = median(result, best).getAsDouble();
    StringBuilder text = new StringBuilder();
    if (won < HARDLY) {
      text.append("No scheme makes the median phase shorter");
    } else {
      text.append(best).append(" comes first: it makes the median phase ");
      text.append(Figures.percent(won)).append(" shorter");
      if (ranking.size() > 1) {
        String second = ranking.get(1);
        text.append(", before ").append(second).append(" with ");
        text.append(Figures.percent(median(result, second).getAsDouble()));
      }
    }
    median(result, ORACLE).ifPresent(most -> text.append(left(best, won, most)));
    return text.append(".").toString();
  }

  private static String left(String best, double won, double most) {
    String known = "; the " + ORACLE + ", which knows every duration, has " + Figures.percent(most);
    if (won >= most) {
      return known + " and leaves nothing to be had";
    }
    String points = " and leaves " + Figures.points(most - won) + " points to be had";
    return won < HARDLY
        ? known + points
        : known + points + ": " + best + " has " + Figures.percent(won / most) + " of its gain";
  }

  /** The result, short enough for a heading. */
  static String headline(SimulateResult result) {
    List<String> ranking = ranking(result);
    if (ranking.isEmpty()) {
      return median(result, Schemes.BASELINE).isEmpty()
          ? "Nothing to be compared"
          : "Without a scheme to compare";
    }
    String best = ranking.get(0);
    double won = median(result, best).getAsDouble();
    if (won < HARDLY) {
      return "No scheme makes the median phase shorter";
    }
    String head = capital(best) + " makes the median phase " + whole(won) + " shorter";
    if (ranking.size() > 1) {
      String second = ranking.get(1);
      double next = median(result, second).getAsDouble();
      head += ", " + second + " " + (next < HARDLY ? "not at all" : whole(next));
    }
    return head;
  }

  private static String whole(double share) {
    return Math.round(share * 100) + " %";
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  /** What was simulated, in a few words. */
  static String what(SimulateResult result) {
    return what(result.options(), result.scene(), result.size());
  }

  /** The same of any result. */
  static String what(SimulateOptions options, SimulationSetup scene, SimulateResult.Size size) {
    return scene.workload().name()
        + ": "
        + Figures.count(size.jobs(), "job", "jobs")
        + " of "
        + Figures.count(size.tasks(), "task", "tasks")
        + " on "
        + scene.cluster()
        + ", "
        + seeds(options);
  }

  /** Which seeds there were. */
  static String seeds(SimulateOptions options) {
    long seed = options.seed();
    return options.repeat() > 1
        ? "seeds " + seed + " to " + (seed + options.repeat() - 1)
        : "seed " + seed;
  }

  /** How the table is to be read. */
  static String legend(SimulateResult result) {
    return "Less than with "
        + Schemes.BASELINE
        + ", in %; a negative number is more. Phases and their slot time count by the phase's"
        + " lifetime under "
        + Schemes.BASELINE
        + ", as Mantri counts (sections 6.1 and 6.3). Of jobs: the mean is that of their mean time,"
        + " p50 of each one's own; small jobs have at most 10 tasks. Restarts are copies and restarts. Useful: of restarts and clones, those that were done"
        + " before the first attempt."
        + (result.isRepeated()
            ? " Medians of "
                + result.options().repeat()
                + " repeats, with the least and the greatest of them."
            : "");
  }
}
