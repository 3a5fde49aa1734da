// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.special.Erf;

/**
 * Lognormal durations, fitted to the tasks that have finished and to those that have not:
 *
 * <pre>
 *   log duration ~ Normal(mu, sigma)
 *   likelihood:   density at each duration, times P(longer) at each time elapsed
 * </pre>
 *
 * <p>Source: KMN section 4.3 ("fit the tasks length distribution using the first few task finish
 * times"), which does not name a distribution. Lognormal fits because the effects that slow a task
 * down multiply. Its tail is longer than an exponential one, and it has two parameters, which a few
 * finished tasks can determine. The running tasks must be part of the fit. Without them the first
 * tasks to finish would stand for all, and every forecast would be too early.
 *
 * <p>Expectation maximisation (Dempster et al. 1977) finds the maximum of the likelihood. A running
 * task counts as the mean and the mean square of the normal distribution above the logarithm of its
 * elapsed time. If most of a stage has finished, little is missing and the method converges
 * quickly.
 *
 * <p>It does not model two kinds of tasks, or outliers unlike any finished task: a task that
 * outlasts the whole fit gets no forecast.
 */
public final class LogNormalDurations implements TaskDurations {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
  private static final int MOST_STEPS = 500;
  private static final double PRECISION = 1e-7;

  /** Tasks are never exactly alike; a sigma of 0 would make the others impossible. */
  private static final double LEAST_SIGMA = 1e-6;

  /** A task that takes so long is one in a trillion: the fit says nothing about it. */
  private static final double LEAST_PROBABILITY = 1e-12;

  private final double mu;
  private final double sigma;

  LogNormalDurations(double mu, double sigma) {
    this.mu = mu;
    this.sigma = sigma;
  }

  /**
   * Fits the distribution.
   *
   * @param finished durations of the tasks that have finished, seconds, at least 0; those of 0 are
   *     left out
   * @param elapsed how long each of the other tasks has been running, seconds
   * @param leastFinished the number of durations that are needed, at least 2
   * @return empty if there are fewer
   */
  public static Optional<LogNormalDurations> fit(
      double[] finished, double[] elapsed, int leastFinished) {
    double[] done = logarithms(finished);
    double[] open = logarithms(elapsed);
    if (done.length < Math.max(2, leastFinished)) {
      return Optional.empty();
    }
    double mean = Arrays.stream(done).average().orElseThrow();
    double square = Arrays.stream(done).map(y -> (y - mean) * (y - mean)).sum();
    LogNormalDurations fit = of(mean, square / done.length);
    for (int step = 0; step < MOST_STEPS; step++) {
      LogNormalDurations next = fit.next(done, mean, square, open);
      boolean still =
          Math.abs(next.mu - fit.mu) + Math.abs(next.sigma - fit.sigma) < PRECISION * fit.sigma;
      fit = next;
      if (still) {
        break;
      }
    }
    return Optional.of(fit);
  }

  private static LogNormalDurations of(double mu, double variance) {
    return new LogNormalDurations(mu, Math.max(LEAST_SIGMA, Math.sqrt(variance)));
  }

  private static double[] logarithms(double[] seconds) {
    for (double duration : seconds) {
      if (!Double.isFinite(duration)) {
        throw new IllegalArgumentException("a task cannot take " + duration + " seconds");
      }
    }
    return Arrays.stream(seconds).filter(duration -> duration > 0).map(Math::log).toArray();
  }

  /** Makes one step, with deviations from the mean of the finished tasks. */
  private LogNormalDurations next(double[] done, double mean, double square, double[] open) {
    double centre = mu - mean;
    double sum = 0;
    double sumOfSquares = square;
    for (double y : open) {
      double z = (y - mu) / sigma;
      double hazard = hazard(z);
      sum += centre + sigma * hazard;
      sumOfSquares +=
          centre * centre + 2 * centre * sigma * hazard + sigma * sigma * (1 + z * hazard);
    }
    int tasks = done.length + open.length;
    double shift = sum / tasks;
    return of(mean + shift, Math.max(0, sumOfSquares / tasks - shift * shift));
  }

  /** Returns the mean of a standard normal variable above z: its density there over P(above z). */
  private static double hazard(double z) {
    return z > 25
        ? z + 1 / z // within 1e-4; erfc is near its underflow here
        : NORMAL.density(z) / above(z);
  }

  private static double above(double z) {
    return Erf.erfc(z / Math.sqrt(2)) / 2;
  }

  @Override
  public OptionalDouble quantile(double p, double elapsed) {
    double longer = elapsed > 0 ? above((Math.log(elapsed) - mu) / sigma) : 1;
    if (longer < LEAST_PROBABILITY) {
      return OptionalDouble.empty();
    }
    double z = -NORMAL.inverseCumulativeProbability(longer * (1 - p));
    return OptionalDouble.of(Math.max(elapsed, Math.exp(mu + sigma * z)));
  }

  @Override
  public Basis basis() {
    return Basis.FITTED;
  }

  /** Returns the mean of the logarithm of a duration in seconds. */
  public double mu() {
    return mu;
  }

  /** Returns the standard deviation of the logarithm. */
  public double sigma() {
    return sigma;
  }
}
