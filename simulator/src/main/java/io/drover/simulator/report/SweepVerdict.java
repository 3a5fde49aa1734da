// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import io.drover.simulator.replay.Sweep;
import io.drover.simulator.replay.Swept;
import io.drover.simulator.result.Comparison.Figure;
import io.drover.simulator.result.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Judges the shipped default of a setting against the other values that were tried.
 *
 * <pre>
 *   gain              a value's reduction minus the default's with the same seed
 *   better            a value gains at least 0.05 points (written as 0.1) in every repeat
 *   worse             it loses as much in the median, or in some repeat without gaining it in any
 *   beaten            by one aim: some value is better
 *   beaten outright   some value is better by one aim, and worse by none
 * </pre>
 *
 * @param swept the setting
 * @param standings the standing of the default by each aim that is known
 * @param beatenBy the value that beats the default outright; of several, the one with the greatest
 *     sum of median gains
 */
record SweepVerdict(Swept swept, List<Standing> standings, Optional<String> beatenBy) {
  /** Smaller numbers are written as 0.0 %. */
  private static final double HARDLY = 0.0005;

  /** The measures by which a value is judged. For each, a higher value is better. */
  enum Aim {
    /** Mantri's measure (section 6.3): the median over phases, weighted by their lifetimes. */
    PHASES("the median phase", Figure.PHASE_P50),
    /** Dolly's measure (section 3.3): the mean time of the small jobs. */
    SMALL_JOBS("small jobs", Figure.JOB_SMALL),
    /** The cost: the total time for which slots were held. */
    SLOT_TIME("slot time", Figure.RESOURCE_TOTAL);

    private final String label;
    private final Figure figure;

    Aim(String label, Figure figure) {
      this.label = label;
      this.figure = figure;
    }

    String label() {
      return label;
    }

    /** Returns the figure that holds the reduction. */
    Figure figure() {
      return figure;
    }
  }

  /** The rank of the default. */
  enum Rank {
    /** All values give the same result. */
    SAME("no difference"),
    /** No other value has a greater median. */
    BEST("best"),
    /** Some value has a greater median, but no value is better in every repeat. */
    WITHIN_SPREAD("within the spread of the best"),
    /** Some value is better in every repeat. */
    BEATEN("beaten");

    private final String label;

    Rank(String label) {
      this.label = label;
    }

    /** Returns the label in reports and JSON. */
    String label() {
      return label;
    }
  }

  /**
   * The standing of the default by one aim.
   *
   * @param aim the aim
   * @param rank the rank of the default
   * @param best the best value, which may be the default itself
   * @param gain the gain of the best value over the default
   */
  record Standing(Aim aim, Rank rank, String best, Spread gain) {}

  /** Judges a setting. */
  static SweepVerdict of(Sweep.Result result, Swept swept) {
    List<Standing> standings = new ArrayList<>();
    for (Aim aim : Aim.values()) {
      standing(result, swept, aim).ifPresent(standings::add);
    }
    Optional<String> beatenBy =
        swept.values().stream()
            .filter(value -> beats(result, swept, value))
            .max(Comparator.comparingDouble(value -> sumOfGains(result, swept, value)));
    return new SweepVerdict(swept, standings, beatenBy);
  }

  /** Returns whether all values give the same result by every aim. */
  boolean isIndifferent() {
    return standings.stream().allMatch(standing -> standing.rank() == Rank.SAME);
  }

  private static Optional<Standing> standing(Sweep.Result result, Swept swept, Aim aim) {
    Optional<Spread> own = result.gain(swept, swept.byDefault(), aim.figure());
    if (own.isEmpty()) {
      return Optional.empty();
    }
    String best = best(result, swept, aim);
    Spread gain = gain(result, swept, best, aim);
    boolean ahead = gain.median() >= HARDLY;
    Rank rank = isBetter(gain) ? Rank.BEATEN : Rank.WITHIN_SPREAD;
    if (!ahead) {
      rank = isSame(result, swept, aim) ? Rank.SAME : Rank.BEST;
    }
    return Optional.of(
        ahead
            ? new Standing(aim, rank, best, gain)
            : new Standing(aim, rank, swept.byDefault(), own.get()));
  }

  /** Returns the best value: values better in every repeat come first, then the greatest median. */
  private static String best(Sweep.Result result, Swept swept, Aim aim) {
    return swept.values().stream()
        .max(
            Comparator.<String, Boolean>comparing(
                    value -> isBetter(gain(result, swept, value, aim)))
                .thenComparing(value -> gain(result, swept, value, aim).median()))
        .orElseThrow();
  }

  private static boolean beats(Sweep.Result result, Swept swept, String value) {
    boolean better = false;
    for (Aim aim : Aim.values()) {
      Spread gain = gain(result, swept, value, aim);
      if (isWorse(gain)) {
        return false;
      }
      better |= isBetter(gain);
    }
    return better;
  }

  private static double sumOfGains(Sweep.Result result, Swept swept, String value) {
    double sum = 0;
    for (Aim aim : Aim.values()) {
      sum += gain(result, swept, value, aim).median();
    }
    return sum;
  }

  private static boolean isSame(Sweep.Result result, Swept swept, Aim aim) {
    return swept.values().stream()
        .map(value -> gain(result, swept, value, aim))
        .allMatch(gain -> Math.max(gain.max(), -gain.min()) < HARDLY);
  }

  private static boolean isBetter(Spread gain) {
    return gain.min() >= HARDLY;
  }

  private static boolean isWorse(Spread gain) {
    return gain.median() <= -HARDLY || (gain.min() <= -HARDLY && gain.max() < HARDLY);
  }

  /** Returns a gain; an unknown one counts as 0. */
  private static Spread gain(Sweep.Result result, Swept swept, String value, Aim aim) {
    return result.gain(swept, value, aim.figure()).orElse(new Spread(0, 0, 0));
  }
}
