// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.estimate.NewAttemptTime.Rates;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.ProcessRates;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Estimates t_new, the time that a new attempt of a task would take from being asked for to its
 * end, as a distribution:
 *
 * <pre>
 *   t_new = processRate * locationFactor * d  +  the other sub-phases, t_wrapup  +  schedLag
 * </pre>
 *
 * <p>Source: Mantri section 5.5, equation (3). processRate is the empirical distribution over the
 * attempts of the phase: those that finished and those that run and have done enough. Departures:
 * the paper leaves out the wrap-up, which t_rem has, so that comparing the two would favour copies;
 * and the merge and copy steps of a reduce enter with their means. And of the machines where the
 * task runs already nothing is taken into the distribution, as long as enough is known of others: a
 * new attempt will run elsewhere. In a phase of four reduces, two of them on a slow machine, the
 * mean of all would say that a new attempt is as slow as the old one. In large phases, where one
 * machine has less than {@value #SHARE_THAT_MATTERS} of the observations, it makes no difference
 * and is not done.
 *
 * <p>One of these is a snapshot of the phase at one moment, for one pass over its tasks.
 */
public final class NewAttemptEstimator {
  /** Rates of a machine are left out if they are at least this share of all. */
  public static final double SHARE_THAT_MATTERS = 0.01;

  private final PhaseModel phase;
  private final ProcessRates observed;
  private final Rates rates;
  private final double fixedSeconds;
  private final double secondsPerUnit;
  private final Map<String, Rates> onMachine = new HashMap<>();

  /**
   * Takes the snapshot.
   *
   * @param tasksWait whether tasks of the phase wait for slots, which a new attempt would feel
   */
  public NewAttemptEstimator(PhaseModel phase, boolean tasksWait) {
    this.phase = phase;
    this.observed = phase.processRates();
    this.rates = new Rates(observed.all());
    double fixed = phase.schedulingLag().seconds(tasksWait).orElse(Double.NaN);
    double perUnit = 0;
    for (SubPhase other : phase.kind().subPhases()) {
      if (other == SubPhase.WRAP_UP) {
        fixed += phase.usualSeconds(other, 1).orElse(0);
      } else if (other != phase.kind().main()) {
        perUnit += phase.usualSeconds(other, 1).orElse(0);
      }
    }
    this.fixedSeconds = fixed;
    this.secondsPerUnit = perUnit;
  }

  /** How many attempts have been observed. */
  public int observations() {
    return rates.count();
  }

  /**
   * The distribution for one task.
   *
   * @param locationFactor how many times longer than elsewhere the candidate machine takes: its own
   *     slowness times the narrowness of its path to the input; 1 where nothing is known, above 0
   * @return empty while fewer attempts than the settings ask for have been observed
   */
  public Optional<NewAttemptTime> estimate(TaskModel task, double locationFactor) {
    if (rates.count() < phase.settings().minObservations() || Double.isNaN(fixedSeconds)) {
      return Optional.empty();
    }
    double size = phase.size(task);
    double offset = fixedSeconds + secondsPerUnit * size;
    return Optional.of(new NewAttemptTime(rates, here(task), size * locationFactor, offset));
  }

  /** The rates of the machines where the task runs; none if too little would be left. */
  private Rates here(TaskModel task) {
    Rates here = Rates.NONE;
    List<AttemptModel> attempts = task.attempts();
    for (int i = 0; i < attempts.size(); i++) {
      AttemptModel attempt = attempts.get(i);
      boolean matters = observed.countOn(attempt) >= SHARE_THAT_MATTERS * rates.count();
      String machine = matters && attempt.state().isLive() ? attempt.machine().orElse(null) : null;
      if (machine != null && !isCounted(attempts, i, machine)) {
        Rates there = on(machine);
        here = here.count() == 0 ? there : here.with(there);
      }
    }
    int elsewhere = rates.count() - here.count();
    return 2 * elsewhere < phase.settings().minObservations() ? Rates.NONE : here;
  }

  private Rates on(String machine) {
    Rates known = onMachine.get(machine);
    if (known == null) {
      known = new Rates(observed.on(machine));
      onMachine.put(machine, known);
    }
    return known;
  }

  private static boolean isCounted(List<AttemptModel> attempts, int before, String machine) {
    for (int i = 0; i < before; i++) {
      AttemptModel earlier = attempts.get(i);
      if (earlier.state().isLive() && machine.equals(earlier.machine().orElse(null))) {
        return true;
      }
    }
    return false;
  }
}
