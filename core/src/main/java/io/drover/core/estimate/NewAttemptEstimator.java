// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.estimate.NewAttemptTime.Rates;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.PhaseStall;
import io.drover.core.model.ProcessRates;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * Estimates t_new as a distribution: the time from the request for a new attempt of a task to its
 * end.
 *
 * <pre>
 *   t_new = processRate * d  +  the other sub-phases, t_wrapup  +  schedLag
 * </pre>
 *
 * <p>Source: Mantri section 5.5, equation (3). processRate is the empirical distribution over those
 * attempts of the phase that have left the main sub-phase, or are running and have done enough of
 * it. Departures: the paper multiplies it by a locationFactor; here, machines are told apart where
 * containers are chosen ({@link LocationFactors}). The paper leaves out the wrap-up. It is included
 * here because t_rem includes it, and comparing the two would otherwise favour copies. The shuffle
 * and merge of a reduce count with their means. Rates from machines where the task already runs are
 * left out if enough is known about others, because a new attempt will run elsewhere. In a phase of
 * four reduces, with two of them on a slow machine, the mean of all rates would say that a new
 * attempt is as slow as the old one. The rates of a machine with less than {@value
 * #SHARE_THAT_MATTERS} of the observations stay in, because they make no difference.
 *
 * <p>What makes most attempts slower now than attempts were on average makes a new one slower, too.
 * {@link #slowdown} tells by how much; the estimate itself leaves that out, as the paper does.
 *
 * <p>An instance is a snapshot of the phase at one moment, for one pass over its tasks.
 */
public final class NewAttemptEstimator {
  /** A machine's rates are left out only if they are at least this share of all rates. */
  public static final double SHARE_THAT_MATTERS = 0.01;

  private final PhaseModel phase;
  private final ProcessRates observed;
  private final Rates rates;
  private final double fixedSeconds;
  private final double secondsPerUnit;
  private final Map<Integer, Rates> onMachine = new HashMap<>();

  /**
   * Takes the snapshot.
   *
   * @param tasksWait whether tasks of the phase wait for slots, as a new attempt would have to
   */
  public NewAttemptEstimator(PhaseModel phase, boolean tasksWait) {
    this.phase = phase;
    this.observed = phase.processRates();
    this.rates = new Rates(observed.all());
    double fixed = phase.schedulingLag().seconds(tasksWait).orElse(Double.NaN);
    double perUnit = 0;
    for (SubPhase other : phase.kind().subPhases()) {
      double usual = phase.usualSecondsOrNaN(other, 1);
      boolean counts = other != phase.kind().main() && !Double.isNaN(usual);
      fixed += counts && other == SubPhase.WRAP_UP ? usual : 0;
      perUnit += counts && other != SubPhase.WRAP_UP ? usual : 0;
    }
    this.fixedSeconds = fixed;
    this.secondsPerUnit = perUnit;
  }

  /** Returns the process rates that it has found, with their machines. */
  public ProcessRates observed() {
    return observed;
  }

  /** Returns the mean process rate, seconds per unit of input; NaN before any observation. */
  public double meanRate() {
    return rates.mean();
  }

  /**
   * Returns how many times as long as the mean of all observed attempts those take that run now, at
   * their present pace: the median, at least 1; and 1 if they are on fewer than three machines, or
   * fewer than half of those that run: slow ones have a pace for more of their lives than others.
   */
  public double slowdown(double now) {
    ProcessRates present = phase.presentRates(now);
    double[] paces = present.all();
    double ratio = new Median().evaluate(paces) / meanRate();
    boolean isSlower = ratio > 1 && ratio < Double.POSITIVE_INFINITY;
    boolean areMost =
        present.machines() >= PhaseStall.MACHINES && 2 * paces.length > phase.running().size();
    return isSlower && areMost ? ratio : 1;
  }

  /** Returns the number of observed attempts. */
  public int observations() {
    return rates.count();
  }

  /**
   * Returns the distribution for one task.
   *
   * @return empty while fewer attempts have been observed than the settings require, or while the
   *     scheduling lag is unknown
   */
  public Optional<NewAttemptTime> estimate(TaskModel task) {
    if (rates.count() < phase.settings().minObservations() || Double.isNaN(fixedSeconds)) {
      return Optional.empty();
    }
    double size = phase.size(task);
    double offset = fixedSeconds + secondsPerUnit * size;
    return Optional.of(new NewAttemptTime(rates, here(task), size, offset));
  }

  /** Returns the rates of the machines where the task runs; none if too few others would remain. */
  private Rates here(TaskModel task) {
    Rates here = Rates.NONE;
    List<AttemptModel> attempts = task.attempts();
    for (int i = 0; i < attempts.size(); i++) {
      AttemptModel attempt = attempts.get(i);
      int machine = attempt.state().isLive() ? attempt.machineNumber() : -1;
      boolean matters = observed.countOn(machine) >= SHARE_THAT_MATTERS * rates.count();
      if (matters && !isCounted(attempts, i, machine)) {
        Rates there = onMachine.computeIfAbsent(machine, m -> new Rates(observed.on(m)));
        here = here.count() == 0 ? there : here.with(there);
      }
    }
    int elsewhere = rates.count() - here.count();
    return 2 * elsewhere < phase.settings().minObservations() ? Rates.NONE : here;
  }

  private static boolean isCounted(List<AttemptModel> attempts, int before, int machine) {
    for (int i = 0; i < before; i++) {
      AttemptModel earlier = attempts.get(i);
      if (earlier.state().isLive() && earlier.machineNumber() == machine) {
        return true;
      }
    }
    return false;
  }
}
