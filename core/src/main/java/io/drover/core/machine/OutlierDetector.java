// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Judges the ended attempts of one phase of one job by {@link OutlierRule}, each once, by the
 * median of those that have ended until then.
 *
 * <p>Attempts that were given up count too, if what they had done by then made outliers of them:
 * where outliers are copied and the slower attempt is killed, hardly any outlier ever ends well. Of
 * the others that were given up nothing is known, so p comes out a little too high, by no more than
 * the share of attempts that are given up. Where attempts are ended as the slower ones, as clones
 * are, hardly any would be known to be outliers; so these count by what they were expected to take.
 *
 * @param <A> how the caller names an attempt
 */
public final class OutlierDetector<A> {
  private final OutlierRule rule;
  private final List<Double> rates = new ArrayList<>();
  private final List<Ended<A>> unjudged = new ArrayList<>();

  /**
   * What is known of an attempt that has ended.
   *
   * @param spent seconds for each unit of its input; what it was expected to take, if it was ended
   *     as the slower one
   * @param pace seconds per unit that it would have come to, {@code spent} if it has finished
   * @param isKnown whether that is so much as certain, so that it is judged whatever comes out
   */
  private record Ended<A>(
      A attempt, double spent, double pace, boolean isKnown, boolean provenOutlier) {}

  /**
   * What was made of an attempt.
   *
   * @param relativeRate its progress rate over the median, above 0; empty if it made no progress
   */
  public record Judgement<A>(A attempt, boolean outlier, OptionalDouble relativeRate) {}

  /** A phase of which no attempt has ended. */
  public OutlierDetector(OutlierRule rule) {
    this.rule = rule;
  }

  /**
   * An attempt has succeeded.
   *
   * @param secondsPerUnit of its input, above 0; what is no such number is left out
   */
  public void finished(A attempt, double secondsPerUnit) {
    if (secondsPerUnit > 0 && secondsPerUnit < Double.POSITIVE_INFINITY) {
      rates.add(secondsPerUnit);
      unjudged.add(new Ended<>(attempt, secondsPerUnit, secondsPerUnit, true, false));
    }
  }

  /**
   * An attempt was ended because another one of its task was expected to be done sooner. It is
   * judged by the time that it would have taken, but has no part in the median.
   *
   * @param secondsPerUnit what it took and was expected to take on, for each unit of its input,
   *     above 0; what is no such number is left out
   */
  public void endedAsSlower(A attempt, double secondsPerUnit) {
    if (secondsPerUnit > 0 && !Double.isNaN(secondsPerUnit)) {
      unjudged.add(new Ended<>(attempt, secondsPerUnit, secondsPerUnit, true, false));
    }
  }

  /**
   * An attempt was killed or failed. It is an outlier if it had been going on for longer than an
   * outlier takes; or for as long as the median takes, with less than half of its work done.
   *
   * @param spent seconds that it took until then, for each unit of all of its input; above 0
   * @param progress the share of its work that it had done, in [0,1]; what is out of range is left
   *     out
   */
  public void gaveUp(A attempt, double spent, double progress) {
    gaveUp(attempt, spent, progress, false);
  }

  /**
   * An attempt was given up because an outlier had been made out in it, by more than its progress
   * rate. It is one, whatever it had done by then.
   *
   * @param spent as above
   * @param progress as above
   */
  public void gaveUpAsOutlier(A attempt, double spent, double progress) {
    gaveUp(attempt, spent, progress, true);
  }

  private void gaveUp(A attempt, double spent, double progress, boolean provenOutlier) {
    if (spent > 0 && spent < Double.POSITIVE_INFINITY && progress >= 0 && progress <= 1) {
      unjudged.add(new Ended<>(attempt, spent, spent / progress, false, provenOutlier));
    }
  }

  /** Judges what has ended since the last time, in its order; nothing while too few have. */
  public List<Judgement<A>> judge() {
    OptionalDouble median = rule.median(rates.stream().mapToDouble(Double::doubleValue).toArray());
    if (unjudged.isEmpty() || median.isEmpty()) {
      return List.of();
    }
    List<Judgement<A>> judgements = new ArrayList<>();
    for (Ended<A> ended : unjudged) {
      boolean outlier = isOutlier(ended, median.getAsDouble());
      if (outlier || ended.isKnown()) {
        judgements.add(
            new Judgement<>(ended.attempt(), outlier, rate(ended, median.getAsDouble())));
      }
    }
    unjudged.clear();
    return judgements;
  }

  private boolean isOutlier(Ended<A> ended, double median) {
    boolean hadItsTime = ended.spent() >= median;
    return ended.provenOutlier()
        || rule.isOutlier(ended.spent(), median)
        || (hadItsTime && rule.isOutlier(ended.pace(), median));
  }

  private static OptionalDouble rate(Ended<?> ended, double median) {
    return ended.pace() < Double.POSITIVE_INFINITY
        ? OptionalDouble.of(median / ended.pace())
        : OptionalDouble.empty();
  }
}
