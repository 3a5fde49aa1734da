// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.OptionalDouble;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Decides which attempts are outliers:
 *
 * <pre>
 *   progress rate &lt; median / slowness      that is:      seconds per unit &gt; slowness * median
 * </pre>
 *
 * <p>Source: Dolly section 3.1 and its footnote 4, "less than 2x the median progress rate of tasks
 * in its job". The progress rate is input size by duration. Here it is inverted, as in {@link
 * io.drover.core.model.ProcessRates}. Departure: the median is that of the attempts of one phase,
 * because the rates of maps and reduces cannot be compared.
 *
 * @param slowness how many times slower than the median an outlier is, above 1; Dolly footnote 4: 2
 * @param leastAttempts fewer attempts than this are not judged, because their median says little;
 *     at least 2
 */
public record OutlierRule(double slowness, int leastAttempts) {
  /** The paper's rule. The minimum of 5 attempts is our choice, because the paper gives none. */
  public static final OutlierRule DOLLY = new OutlierRule(2, 5);

  /** Checks the ranges above. */
  public OutlierRule {
    if (!(slowness > 1 && slowness < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("slowness must be above 1, was " + slowness);
    }
    if (leastAttempts < 2) {
      throw new IllegalArgumentException("leastAttempts must be at least 2, was " + leastAttempts);
    }
  }

  /**
   * Returns the median by which attempts are judged.
   *
   * @param secondsPerUnit seconds per unit of the attempts of a phase, in any order; not modified
   * @return empty if there are too few of them
   */
  public OptionalDouble median(double[] secondsPerUnit) {
    return secondsPerUnit.length < leastAttempts
        ? OptionalDouble.empty()
        : OptionalDouble.of(StatUtils.percentile(secondsPerUnit, 50));
  }

  /** Returns whether an attempt is an outlier, given the median of its phase. */
  public boolean isOutlier(double secondsPerUnit, double median) {
    return secondsPerUnit > slowness * median;
  }
}
