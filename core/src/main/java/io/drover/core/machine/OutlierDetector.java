// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Judges the ended attempts of one phase of one job by {@link OutlierRule}. Each is judged once, by
 * the median of those that have succeeded until then.
 *
 * <p>Attempts that were killed or failed count too, if they were already outliers by then. Outliers
 * are copied and the slower attempt is killed, so hardly any outlier ever succeeds. Nothing is
 * known about the others that were killed or failed, so p is a little too high, by at most their
 * share. Some attempts, clones for example, are ended because they are the slower ones, and hardly
 * any of them would be known to be an outlier. They are judged by the time that they were expected
 * to take.
 *
 * @param <A> the type by which the caller names an attempt
 */
public final class OutlierDetector<A> {
  private final OutlierRule rule;
  private final List<Double> rates = new ArrayList<>();
  private final List<Ended<A>> unjudged = new ArrayList<>();

  /**
   * An attempt that has ended.
   *
   * @param spent seconds for each unit of its input; for one that was ended as the slower one, the
   *     seconds that it was expected to take in all
   * @param pace seconds per unit that it was heading for; {@code spent} if it succeeded
   * @param isKnown whether the pace is certain, so that it can be judged not to be an outlier
   */
  private record Ended<A>(
      A attempt, double spent, double pace, boolean isKnown, boolean provenOutlier) {}

  /**
   * The judgement of an attempt.
   *
   * @param relativeRate its progress rate over the median, above 0; empty if it made no progress
   */
  public record Judgement<A>(A attempt, boolean outlier, OptionalDouble relativeRate) {}

  /** Creates a detector for a phase in which no attempt has ended. */
  public OutlierDetector(OutlierRule rule) {
    this.rule = rule;
  }

  /**
   * Records an attempt that has succeeded.
   *
   * @param secondsPerUnit seconds per unit of its input, above 0; other values are ignored
   */
  public void finished(A attempt, double secondsPerUnit) {
    if (secondsPerUnit > 0 && secondsPerUnit < Double.POSITIVE_INFINITY) {
      rates.add(secondsPerUnit);
      unjudged.add(new Ended<>(attempt, secondsPerUnit, secondsPerUnit, true, false));
    }
  }

  /**
   * Records an attempt that was ended because another attempt of its task was expected to finish
   * sooner. It is judged by the time that it would have taken, and does not count in the median.
   *
   * @param secondsPerUnit what it took and was expected to take in addition, for each unit of its
   *     input, above 0; other values are ignored
   */
  public void endedAsSlower(A attempt, double secondsPerUnit) {
    if (secondsPerUnit > 0 && !Double.isNaN(secondsPerUnit)) {
      unjudged.add(new Ended<>(attempt, secondsPerUnit, secondsPerUnit, true, false));
    }
  }

  /**
   * Records an attempt that was killed or failed. It is an outlier if it ran for longer than the
   * rule allows, or for at least the median at a pace that is too slow by the rule.
   *
   * @param spent seconds that it took until then, for each unit of all of its input; above 0
   * @param progress the share of its work that it had done, in [0,1]; other values are ignored
   */
  public void gaveUp(A attempt, double spent, double progress) {
    gaveUp(attempt, spent, progress, false);
  }

  /**
   * Records an attempt that was given up because it had been identified as an outlier by more than
   * its progress rate. It counts as an outlier, whatever it had done by then.
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

  /** Judges what has ended since the last call, in order; nothing while too few have succeeded. */
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
