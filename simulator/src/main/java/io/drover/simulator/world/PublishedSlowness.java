// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;

/**
 * Draws slowness from the distributions that Mantri section 4.1 publishes for a Bing cluster. An
 * outlier there is a task that takes more than 1.5 times the median of its phase.
 *
 * <pre>
 *   q of a phase       exponential, mean 0.15 / ln 4, at most 0.5:  P(q &gt; 0.15) = 1/4
 *   e of a phase       1 for 40 %, 0 for 18 %, else uniform in [0, 1]; 0 if data do not differ
 *   slow attempts      q (1 - e) of the phase's; the other outliers of q have more data
 *   a slow attempt     80 %  uniform in [1.5, 2.5]
 *                      10 %  log-uniform in [2.5, 10]
 *                      10 %  Pareto from 10, shape 1.5, up to the cap
 *   another attempt    uniform in [0.8, 1.2]
 *   all, times         lognormal of the machine, median 1, sigma 0.09
 * </pre>
 *
 * <p>Published: 25 % of the phases have more than 15 % outliers; 80 % of the outliers are uniform
 * below 2.5; 10 % take more than 10 times the median; a task in [.8, 1.2] of the prediction counts
 * as explained; the data that they read explain all outliers of 40 % of the phases and no outliers
 * of 18 % (section 4.2). The rest is chosen. An exponential is the simplest distribution of the
 * share with the published quantile. It is cut at one half because more outliers than that would
 * themselves be the median. A log-uniform joins the two published ends, 2.5 and 10. The shape 1.5
 * is the middle one of Mantri's table 3: the mean is finite and the variance is not ("heavy and
 * long"). The cap keeps a single attempt from outlasting the whole run; the 3 % of the tail beyond
 * 100 are spread over the values below it.
 *
 * <p>The factor of machines is that of the Google cell of 2011: a machine's mean log ratio spreads
 * by 0.09, while single attempts spread by 0.49 (traces/google2011/README.md). It hardly changes
 * the figures above.
 *
 * <p>The workload decides which tasks have more data. If all tasks of a phase have equal data, as
 * maps of one block each do, then all outliers are slow for other reasons. Departures: the number
 * of tasks that are long because of their data follows from the sizes, whose spread is published,
 * too (section 4.2, see {@code DataSkew}), so the share of all long tasks may exceed q. Outliers
 * that cluster in time (section 4.2, figure 7) are not modelled: how slow an attempt is depends
 * neither on when it runs nor on what else runs.
 */
public final class PublishedSlowness implements Slowness {
  private static final double QUARTER_OF_PHASES_ABOVE = 0.15;
  private static final double MEAN_SHARE = QUARTER_OF_PHASES_ABOVE / Math.log(4);
  private static final double MOST_SHARE = 0.5;
  private static final double PHASES_ALL_EXPLAINED = 0.40;
  private static final double PHASES_NONE_EXPLAINED = 0.18;
  private static final double SHAPE = 1.5;
  private static final double DEFAULT_CAP = 100;
  private static final double DEFAULT_MACHINE_SIGMA = 0.09;

  private static final int OF_PHASE = 1;
  private static final int OF_ATTEMPT = 2;
  private static final int OF_MACHINE = 3;
  private static final int OF_EXPLAINED = 4;

  private final long seed;
  private final double cap;
  private final double machineSigma;
  private final LongPredicate dataDiffer;

  /** Creates the distributions for phases whose tasks have equal data; all outliers are slow. */
  public PublishedSlowness(long seed) {
    this(seed, phase -> false);
  }

  /**
   * Creates the published distributions, with a cap of 100 and machines that spread by 0.09.
   *
   * @param dataDiffer whether the tasks of the phase with a key have different amounts of data, so
   *     that data explain some of its outliers
   */
  public PublishedSlowness(long seed, LongPredicate dataDiffer) {
    this(seed, dataDiffer, DEFAULT_CAP, DEFAULT_MACHINE_SIGMA);
  }

  /**
   * Creates the published distributions.
   *
   * @param dataDiffer whether the tasks of the phase with a key have different amounts of data
   * @param cap largest factor of an attempt before its machine's factor, above 10
   * @param machineSigma spread of the logarithm of machines' factors, at least 0; 0 makes all
   *     machines alike
   */
  public PublishedSlowness(long seed, LongPredicate dataDiffer, double cap, double machineSigma) {
    if (!(cap > 10 && cap < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the cap must be above 10, was " + cap);
    }
    if (!(machineSigma >= 0 && machineSigma < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("machineSigma must be at least 0, was " + machineSigma);
    }
    this.seed = seed;
    this.dataDiffer = dataDiffer;
    this.cap = cap;
    this.machineSigma = machineSigma;
  }

  @Override
  public double of(long phase, int task, int attempt, int machine) {
    long key = Draws.key(seed, OF_ATTEMPT, phase, task, attempt);
    double share = shareOfOutliers(phase) * (1 - explainedByData(phase));
    boolean slow = Chance.uniform(Chance.mix(key, 0)) < share;
    double factor = slow ? outlier(key) : Draws.uniform(Chance.mix(key, 1), 0.8, 1.2);
    return factor * Draws.logNormal(Draws.key(seed, OF_MACHINE, machine), 1, machineSigma);
  }

  /** Returns the share of a phase's outliers that have more data and are not slow: e above. */
  public double explainedByData(long phase) {
    if (!dataDiffer.test(phase)) {
      return 0;
    }
    double u = Chance.uniform(Draws.key(seed, OF_EXPLAINED, phase));
    double partly = 1 - PHASES_ALL_EXPLAINED - PHASES_NONE_EXPLAINED;
    return Math.max(0, Math.min(1, (u - PHASES_NONE_EXPLAINED) / partly));
  }

  /** Returns the probability that an attempt of a phase is an outlier for any reason: q above. */
  public double shareOfOutliers(long phase) {
    return Math.min(MOST_SHARE, Draws.exponential(Draws.key(seed, OF_PHASE, phase), MEAN_SHARE));
  }

  private double outlier(long key) {
    double which = Chance.uniform(Chance.mix(key, 2));
    long value = Chance.mix(key, 3);
    if (which < 0.8) {
      return Draws.uniform(value, 1.5, 2.5);
    }
    return which < 0.9 ? Draws.logUniform(value, 2.5, 10) : Draws.paretoUpTo(value, 10, cap, SHAPE);
  }

  @Override
  public List<String> provenance() {
    return List.of(
        "Slowness of attempts: modelled by the figures of Mantri sections 4.1 (25 % of the phases"
            + " have more than 15 % outliers; 80 % of the outliers take 1.5 to 2.5 times the"
            + " median, 10 % more than 10 times) and 4.2 (if tasks have different amounts of data,"
            + " the data explains all outliers of 40 % of the phases and none of 18 %; an outlier"
            + " that its data explains is not slowed down as well). This model's own choices: the"
            + " share of outliers per phase is exponential, cut off at 0.5; the tail is a Pareto of"
            + " shape "
            + SHAPE
            + " up to "
            + cap
            + " times; the other attempts take 0.8 to 1.2 times the median.",
        String.format(
            Locale.ROOT,
            "Slowness of machines: modelled as lognormal with sigma %.2f (Google 2011: 0.09 for"
                + " machines, 0.49 for attempts).",
            machineSigma),
        "Contention that comes and goes: not modelled; how slow an attempt is does not depend on"
            + " when it runs.");
  }
}
