// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import java.time.Duration;

/**
 * The constants of protection.
 *
 * @param replicatedShare bytes that may be replicated for each byte that the job has processed, in
 *     [0,1]; 0.1, Mantri section 5.3. 0 never replicates
 * @param suspectAfter r: a machine is suspect after this many recomputations within the window, at
 *     least 1; 2, Mantri section 6.5, where 93 % of the re-runs turn out to be needed, and 76 %
 *     with 1
 * @param window the time within which these recomputations fall, at least 1 ms. Mantri's slide 12
 *     calls it t and gives no value; 5 minutes here. That is long beside the backoff after which a
 *     stock reduce tries a host again (at most 60 s, {@code
 *     mapreduce.reduce.shuffle.retry-delay.max.ms}), so the window covers all outputs missed by one
 *     wave of readers. And it is half of the 10 minutes ({@code
 *     yarn.nm.liveness-monitor.expiry-interval-ms}) after which a stock ResourceManager gives up a
 *     silent machine and all its outputs are made again anyway
 * @param extraTimeShare seconds of running that may be spent on pre-computation for each second
 *     that the job's tasks have run, in [0,1]. Mantri section 6.5 has "no more than a few
 *     percentage extra cluster resources"; 0.05 here, the share of one machine in a job that is
 *     spread over 20. The cluster pays far less than that, because most jobs lose no output. 0
 *     never pre-computes
 * @param silentAfter for how long a machine must have failed to answer before its outputs count as
 *     out of reach, at least 1 ms. It is not from Mantri. 6 s here: a busy or collecting
 *     NodeManager answers sooner, and a stock reduce tries a host again after 13 s at the earliest
 *     (ShuffleSchedulerImpl), so that most readers do not miss the output of a short task twice
 * @param replicaBytesPerSecond how much one worker reads in a second at most to make replicas,
 *     above 0. It is not from Mantri, which only has a budget of bytes. 20 MB/s here: a sixth of a
 *     link of 1 Gbit/s, and less than one disk writes, so that neither the reduces nor the maps
 *     there notice
 */
public record ProtectSettings(
    double replicatedShare,
    int suspectAfter,
    Duration window,
    double extraTimeShare,
    Duration silentAfter,
    double replicaBytesPerSecond,
    Duration workerStart) {
  /** The values above. */
  public static final ProtectSettings DEFAULT =
      new ProtectSettings(
          0.1, 2, Duration.ofMinutes(5), 0.05, Duration.ofSeconds(6), 20e6, Duration.ofSeconds(5));

  /** Checks the ranges above. */
  public ProtectSettings {
    if (!(replicatedShare >= 0 && replicatedShare <= 1)) {
      throw new IllegalArgumentException(
          "replicatedShare must lie in [0,1], was " + replicatedShare);
    }
    if (suspectAfter < 1) {
      throw new IllegalArgumentException("suspectAfter must be at least 1, was " + suspectAfter);
    }
    if (window.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("window must be at least 1 ms, was " + window);
    }
    if (!(extraTimeShare >= 0 && extraTimeShare <= 1)) {
      throw new IllegalArgumentException("extraTimeShare must lie in [0,1], was " + extraTimeShare);
    }
    if (silentAfter.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("silentAfter must be at least 1 ms, was " + silentAfter);
    }
    if (!(replicaBytesPerSecond > 0 && replicaBytesPerSecond < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "replicaBytesPerSecond must be above 0 and finite, was " + replicaBytesPerSecond);
    }
    if (workerStart.isNegative()) {
      throw new IllegalArgumentException("workerStart must be at least 0, was " + workerStart);
    }
  }

  double windowSeconds() {
    return window.toMillis() / 1000.0;
  }

  double silentSeconds() {
    return silentAfter.toMillis() / 1000.0;
  }

  /** Returns the same with another number of recomputations that make a machine suspect. */
  public ProtectSettings suspectAfter(int recomputations) {
    return new ProtectSettings(
        replicatedShare,
        recomputations,
        window,
        extraTimeShare,
        silentAfter,
        replicaBytesPerSecond,
        workerStart);
  }

  /** Returns the same with other shares for replicas and re-runs. */
  public ProtectSettings shares(double replicated, double extraTime) {
    return new ProtectSettings(
        replicated,
        suspectAfter,
        window,
        extraTime,
        silentAfter,
        replicaBytesPerSecond,
        workerStart);
  }

  /** Returns the same with another time for which a machine must have been silent. */
  public ProtectSettings silentAfter(Duration silence) {
    return new ProtectSettings(
        replicatedShare,
        suspectAfter,
        window,
        extraTimeShare,
        silence,
        replicaBytesPerSecond,
        workerStart);
  }

  /** Returns the same with another rate at which replicas are made. */
  public ProtectSettings replicaBytesPerSecond(double rate) {
    return new ProtectSettings(
        replicatedShare, suspectAfter, window, extraTimeShare, silentAfter, rate, workerStart);
  }

  /** Returns the same with another cost of the start of a worker. */
  public ProtectSettings workerStart(Duration cost) {
    return new ProtectSettings(
        replicatedShare,
        suspectAfter,
        window,
        extraTimeShare,
        silentAfter,
        replicaBytesPerSecond,
        cost);
  }

  /** Returns what a worker must be expected to save to be started, seconds. */
  public double workerStartSeconds() {
    return workerStart.toMillis() / 1000.0;
  }

  /** Checks the ranges that this package requires. */
  static final class Checks {
    private Checks() {}

    /** Returns a probability; throws unless it is in [0,1]. */
    static double probability(double p) {
      if (!(p >= 0 && p <= 1)) {
        throw new IllegalArgumentException("a probability must lie in [0,1], was " + p);
      }
      return p;
    }

    /** Returns an amount of seconds or bytes; throws unless it is finite and at least 0. */
    static double amount(String name, double amount) {
      if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(name + " must be finite and at least 0, was " + amount);
      }
      return amount;
    }
  }
}
