// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.List;

/**
 * Decides which outputs are lost, which machines fail and which attempts are evicted. Like {@link
 * Slowness}, it is a function of its arguments: a machine fails at the same times under every
 * scheme, and an output that the same attempt made on the same machine at the same time is lost at
 * the same time.
 */
public interface Losses {
  /** Loses nothing: no output is lost, no machine fails, no attempt is evicted. */
  Losses NONE = new NoLosses();

  /** Returns whether outputs can be lost. */
  boolean concernOutputs();

  /**
   * Returns when a machine loses an output that it keeps. A lost output does not come back.
   *
   * @param phase key of the phase in the whole workload, the same in each run
   * @param task index in the phase
   * @param attempt number of the attempt that made the output, from 0
   * @param machine that keeps the output, from 0
   * @param keptSince seconds
   * @return seconds, at least {@code keptSince}; infinite if the output is never lost
   */
  double lostAt(long phase, int task, int attempt, int machine, double keptSince);

  /**
   * Returns when a machine next fails. Its attempts then end, and the outputs that it keeps are
   * lost.
   *
   * @param after seconds, a time at which the machine is up
   * @return seconds, later than {@code after}; infinite if it never fails
   */
  double failsAfter(int machine, double after);

  /**
   * Returns when a machine that has failed is up again.
   *
   * @param failedAt seconds, as returned by {@link #failsAfter}
   * @return seconds, later than {@code failedAt}
   */
  double isBackAt(int machine, double failedAt);

  /**
   * Returns the share of its work after which an attempt is evicted because the cluster needs its
   * slot for other tenants.
   *
   * @return in (0,1); infinite for an attempt that is not evicted
   */
  double evictedAfter(long phase, int task, int attempt);

  /**
   * Returns how often a machine loses an output that it keeps, which is what observing the machine
   * "over a long period of time" (Mantri section 5.3) would show.
   *
   * @return losses per output and second, at least 0
   */
  double lossesPerSecond(int machine);

  /** Returns sentences for reports that say what is real, what is modelled, and how. */
  List<String> provenance();

  /** The losses of a cluster that loses nothing. */
  final class NoLosses implements Losses {
    @Override
    public boolean concernOutputs() {
      return false;
    }

    @Override
    public double lostAt(long phase, int task, int attempt, int machine, double keptSince) {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double failsAfter(int machine, double after) {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double isBackAt(int machine, double failedAt) {
      throw new IllegalArgumentException("machine " + machine + " has not failed");
    }

    @Override
    public double evictedAfter(long phase, int task, int attempt) {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double lossesPerSecond(int machine) {
      return 0;
    }

    @Override
    public List<String> provenance() {
      return List.of("Losses: none; no output is lost, no machine fails, no attempt is evicted.");
    }
  }

  /**
   * Settings that say how much is lost.
   *
   * @param published whether outputs are lost by the figures that Mantri publishes
   * @param failuresPerDay how often a machine fails in a day, in [0,10]. Mantri's simulator has
   *     "cluster characteristics like machine failures" (section 6.1) without a figure
   * @param evictedShare share of the attempts that are evicted, in [0,0.5]. Mantri's simulator
   *     repeats "fairness based evictions" (section 6.1) without a figure
   */
  record LossSettings(boolean published, double failuresPerDay, double evictedShare) {
    /** The upper limit, above which a long task would hardly ever end. */
    public static final double MOST_FAILURES_PER_DAY = 10;

    /** The upper limit, above which most of the cluster's work would be wasted. */
    public static final double MOST_EVICTED = 0.5;

    /** Nothing is lost. */
    public static final LossSettings NONE = new LossSettings(false, 0, 0);

    /** Outputs are lost as published; no machine fails and no attempt is evicted. */
    public static final LossSettings PUBLISHED = new LossSettings(true, 0, 0);

    /** Checks the ranges above. */
    public LossSettings {
      if (!(failuresPerDay >= 0 && failuresPerDay <= MOST_FAILURES_PER_DAY)) {
        throw new IllegalArgumentException("failuresPerDay must lie in [0,10]: " + failuresPerDay);
      }
      if (!(evictedShare >= 0 && evictedShare <= MOST_EVICTED)) {
        throw new IllegalArgumentException("evictedShare must lie in [0,0.5]: " + evictedShare);
      }
    }

    /** Returns the losses of a run with this seed. */
    public Losses with(long seed) {
      return equals(NONE) ? Losses.NONE : new ModelledLosses(this, seed);
    }

    /** Returns the text that users type on the command line: {@code published,failures=0.1}. */
    @Override
    public String toString() {
      return (published ? "published" : "none")
          + (failuresPerDay > 0 ? ",failures=" + failuresPerDay : "")
          + (evictedShare > 0 ? ",evictions=" + evictedShare : "");
    }
  }
}
