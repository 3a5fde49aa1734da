// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Spread;
import io.drover.simulator.scheme.Schemes;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in sentences what came of a sweep. */
final class SweepSummary {
  /** More than so many do not go into a heading by name. */
  private static final int MOST_NAMED = 3;

  private static final String NOTHING =
      "The workload has no phase that takes time: there is nothing to be compared.";

  private SweepSummary() {}

  /** What was simulated, in a few words. */
  static String what(SweepResult result) {
    return SimulationSummary.what(result.options().common(), result.scene(), result.size())
        + ", under "
        + result.options().scheme();
  }

  /** What the default of one setting is worth. */
  static String verdict(SweepResult result, Swept swept) {
    SweepVerdict verdict = SweepVerdict.of(result, swept);
    String head = swept.name() + ", " + swept.byDefault() + " by default: ";
    if (result.isEmpty()) {
      return head + "nothing to be compared.";
    }
    if (verdict.isIndifferent()) {
      return head + "makes no difference here.";
    }
    String standings =
        verdict.standings().stream()
            .map(standing -> standing(result, standing))
            .collect(Collectors.joining("; "));
    return head + standings + ". " + end(verdict);
  }

  private static String standing(SweepResult result, SweepVerdict.Standing standing) {
    String label = standing.aim().label();
    return switch (standing.rank()) {
      case SAME -> "no difference for " + label;
      case BEST -> "the best for " + label;
      case WITHIN_SPREAD ->
          "for " + label + " within the spread of the best, " + best(result, standing);
      case BEATEN -> "for " + label + " beaten by " + best(result, standing);
    };
  }

  private static String best(SweepResult result, SweepVerdict.Standing standing) {
    Spread gain = standing.gain();
    String ends =
        result.isRepeated() ? "; " + signed(gain.min()) + " to " + signed(gain.max()) : "";
    return standing.best() + " (" + points(gain.median()) + ends + ")";
  }

  private static String end(SweepVerdict verdict) {
    return verdict
        .beatenBy()
        .map(value -> value + " beats it outright: better by one measure, worse by none.")
        .orElse("No value is better by one measure and worse by none.");
  }

  private static String points(double gain) {
    return signed(gain) + " points";
  }

  /** {@code +0.4}. */
  static String signed(double gain) {
    String points = Figures.points(gain);
    return points.startsWith("-") || points.equals("0.0") ? points : "+" + points;
  }

  /** By which setting each aim is moved most; empty if there is nothing to choose from. */
  static Optional<String> most(SweepResult result) {
    if (result.isEmpty() || result.options().swept().size() < 2) {
      return Optional.empty();
    }
    String each =
        Arrays.stream(Aim.values())
            .map(aim -> most(result, aim))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return Optional.of("What moves most, of the values tried: " + each + ".");
  }

  private record Moved(Swept swept, String value, double gain) {}

  private static Optional<String> most(SweepResult result, Aim aim) {
    return result.options().swept().stream()
        .flatMap(swept -> swept.values().stream().map(value -> moved(result, swept, value, aim)))
        .max(Comparator.comparingDouble(moved -> Math.abs(moved.gain())))
        .map(
            moved ->
                String.format(
                    Locale.ROOT,
                    "%s by %s (%s at %s)",
                    aim.label(),
                    moved.swept().name(),
                    points(moved.gain()),
                    moved.value()));
  }

  private static Moved moved(SweepResult result, Swept swept, String value, Aim aim) {
    double gain = result.gain(swept, value, aim.figure()).map(Spread::median).orElse(0.0);
    return new Moved(swept, value, gain);
  }

  /** The result, short enough for a heading. */
  static String headline(SweepResult result) {
    if (result.isEmpty()) {
      return "Nothing to be compared";
    }
    List<SweepVerdict> verdicts =
        result.options().swept().stream().map(swept -> SweepVerdict.of(result, swept)).toList();
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

  /** How it is to be read. */
  static String legend(SweepResult result) {
    int repeat = result.options().common().repeat();
    return "Less than with "
        + Schemes.BASELINE
        + ", in %; a negative number is more. * marks what ships. Each value is compared with the"
        + " default on the same jobs with the same ill luck; points are hundredths of what "
        + Schemes.BASELINE
        + " takes. "
        + (repeat > 1
            ? "Figures are medians of "
                + repeat
                + " repeats. Beaten: another value is better in every repeat, which happens by"
                + " chance, too, the sooner the fewer the repeats and the more the values; outright:"
                + " and by no other measure it is worse."
            : "One repeat has no spread: --repeat tells which differences are more than chance.");
  }

  /** What is to be said of all of it. */
  static String summary(SweepResult result) {
    return result.isEmpty() ? NOTHING : most(result).orElse("");
  }
}
