// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.List;

/**
 * What befalls machines, outputs and attempts beside slowness. Like {@link Slowness} it is a
 * function of who asks: a machine fails at the same times under every scheme, and an output that
 * the same attempt made on the same machine at the same time is lost at the same time.
 */
public interface Losses {
  /** Nothing is ever lost, and nothing fails. */
  Losses NONE = new NoLosses();

  /** Whether outputs can be lost at all. */
  boolean concernOutputs();

  /**
   * When an output that a machine keeps is lost there; what is lost stays lost.
   *
   * @param phase a number that names the phase in the whole workload, the same in each run
   * @param task index in the phase
   * @param attempt that made it, from 0
   * @param machine that keeps it, from 0
   * @param keptSince seconds
   * @return seconds, at least {@code keptSince}; infinite if it is never lost
   */
  double lostAt(long phase, int task, int attempt, int machine, double keptSince);

  /**
   * When a machine next fails: what runs on it dies, and what it keeps is lost.
   *
   * @param after seconds, at which it is up
   * @return seconds, later than {@code after}; infinite if it never fails
   */
  double failsAfter(int machine, double after);

  /**
   * When a machine that has failed is up again.
   *
   * @param failedAt seconds, as {@link #failsAfter} said
   * @return seconds, later than {@code failedAt}
   */
  double isBackAt(int machine, double failedAt);

  /**
   * After which share of its work the cluster takes the slot of an attempt for other tenants.
   *
   * @return in (0,1); infinite for an attempt that is not evicted
   */
  double evictedAfter(long phase, int task, int attempt);

  /**
   * How often an output is lost that a machine keeps: what observing the machine "over a long
   * period of time" (Mantri section 5.3) would tell.
   *
   * @return losses for each second for which an output is kept, at least 0
   */
  double lossesPerSecond(int machine);

  /** What of it is real and what is modelled, and by what: sentences for people. */
  List<String> provenance();

  /** A cluster that loses nothing. */
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
   * How much is lost.
   *
   * @param published whether outputs are lost as Mantri publishes it
   * @param failuresPerDay how often a machine fails in a day, in [0,10]. Mantri's simulator has
   *     "cluster characteristics like machine failures" (section 6.1) without a figure
   * @param evictedShare share of the attempts that are evicted, in [0,0.5]. Mantri's simulator
   *     repeats "fairness based evictions" (section 6.1) without a figure
   */
  record LossSettings(boolean published, double failuresPerDay, double evictedShare) {
    /** Beyond it a long task would hardly ever end. */
    public static final double MOST_FAILURES_PER_DAY = 10;

    /** Beyond it most of the cluster's work would be done in vain. */
    public static final double MOST_EVICTED = 0.5;

    /** Nothing is lost. */
    public static final LossSettings NONE = new LossSettings(false, 0, 0);

    /** Outputs are lost as published; machines and attempts are left alone. */
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

    /** The losses of a run. */
    public Losses with(long seed) {
      return equals(NONE) ? Losses.NONE : new ModelledLosses(this, seed);
    }

    /** As people type it: {@code published,failures=0.1}. */
    @Override
    public String toString() {
      return (published ? "published" : "none")
          + (failuresPerDay > 0 ? ",failures=" + failuresPerDay : "")
          + (evictedShare > 0 ? ",evictions=" + evictedShare : "");
    }
  }
}
