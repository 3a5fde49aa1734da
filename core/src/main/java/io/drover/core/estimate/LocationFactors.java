// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.machine.OutlierRule;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskModel;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * Estimates how many times as long as elsewhere the attempts of a job take on a machine. This is
 * the machine's part of Mantri's locationFactor. A machine with a factor of at least 2 is bad: the
 * job takes no more containers there, be it for first attempts, copies or restarts.
 *
 * <pre>
 *   factor = the median of t / (usual rate * d) over the job's attempts there and over a more,
 *            of which the share p_m takes 2 times as long, and the others 1 times
 * </pre>
 *
 * <p>t is what the main part of the work took or would take, and infinite for an attempt that has
 * stopped. p_m is the probability that an attempt there is an outlier, by earlier jobs. One slow
 * attempt says something about the attempt; several on one machine, which are more than half, say
 * something about the machine. That is why this is a median, and why a attempts are added. They
 * draw it towards what earlier jobs have seen there.
 *
 * <p>A job keeps away from a bad machine until its end. So what may pass does not count at once: if
 * a machine is bad only because attempts there have stopped, it must be so for the length of the
 * moving average. Attempts of a task that is slow on several machines do not count, nor does the
 * pace of one that is small beside others: it takes the time of a start.
 *
 * <p>Source: Mantri section 5.5 has the factor ("whether the candidate machine for running this
 * task is persistently slower than other machines") and does not say how it is computed. The path's
 * part is added where containers are chosen.
 */
public final class LocationFactors {
  /** How many times as long as others an outlier takes, at least. */
  private static final double OUTLIER = OutlierRule.DOLLY.slowness();

  /** The number of observed attempts on other machines that a verdict requires. */
  static final int ENOUGH = 3;

  /** An attempt that is late by fewer Delta counts as one that is not (rho of Mantri's rules). */
  private static final double LATE = 3;

  private final int added;
  private final Set<String> bad = new HashSet<>();

  /** Machines where all attempts are outliers, and one was slow that is not slow elsewhere. */
  private final Set<String> slowSoFar = new HashSet<>();

  /** Machines that are bad because attempts there have stopped, and since when. */
  private final Map<String, Double> suspected = new HashMap<>();

  /**
   * Creates the estimator of a job.
   *
   * @param added a, at least 1. Where nothing else is known, as many slow attempts make a machine
   *     bad
   */
  public LocationFactors(int added) {
    if (added < 1) {
      throw new IllegalArgumentException("added must be at least 1, was " + added);
    }
    this.added = added;
  }

  /**
   * Looks at what the attempts of a job have shown.
   *
   * @param phases the phases of the job
   * @return the machines that are newly found to be bad, each with the median of the ratios of the
   *     job's own attempts there, which may be infinite
   */
  public Map<String, Double> observe(Collection<PhaseModel> phases, double now) {
    Map<String, Double> fresh = new HashMap<>();
    Set<String> stopped = new HashSet<>();
    slowSoFar.clear();
    Map<String, double[]> slow = slowMachines(phases, now);
    slowSoFar.removeIf(m -> !slow.containsKey(m) || countBelow(slow.get(m), OUTLIER) > 0);
    slow.forEach(
        (machine, ratios) -> {
          double outliers = added * phases.iterator().next().outlierProbability(machine);
          boolean isBad = isFactorOfOutlier(ratios, countFinite(ratios), outliers);
          if (!isBad && isFactorOfOutlier(ratios, ratios.length, outliers)) {
            stopped.add(machine);
            isBad = now - suspected.computeIfAbsent(machine, m -> now) >= patience(phases);
          }
          if (isBad) {
            fresh.put(machine, ratios[ratios.length / 2]);
          }
        });
    suspected.keySet().retainAll(stopped);
    bad.addAll(fresh.keySet());
    return fresh;
  }

  private static double patience(Collection<PhaseModel> phases) {
    return phases.stream().mapToDouble(PhaseModel::windowSeconds).max().orElse(0);
  }

  /** Returns the ratios on the machines that have had an outlier and are not known, in order. */
  private Map<String, double[]> slowMachines(Collection<PhaseModel> phases, double now) {
    Map<String, DoubleStream.Builder> found = new HashMap<>();
    phases.forEach(phase -> addRatios(phase, usualRate(phase), now, found));
    Map<String, double[]> slow = new HashMap<>();
    long goOn = 0;
    for (Map.Entry<String, DoubleStream.Builder> machine : found.entrySet()) {
      double[] ratios = machine.getValue().build().toArray();
      goOn += countFinite(ratios);
      if (countBelow(ratios, OUTLIER) < ratios.length && !bad.contains(machine.getKey())) {
        slow.put(machine.getKey(), ratios);
      }
    }
    if (slow.isEmpty() || phases.stream().anyMatch(phase -> standsStill(phase, now))) {
      return Map.of();
    }
    long ofThoseThatGoOn = goOn;
    slow.values().removeIf(there -> ofThoseThatGoOn - countFinite(there) < ENOUGH);
    slow.values().forEach(Arrays::sort);
    return slow;
  }

  /** Returns how many attempts have not stopped. */
  private static long countFinite(double[] ratios) {
    return countBelow(ratios, Double.POSITIVE_INFINITY);
  }

  private static long countBelow(double[] ratios, double limit) {
    return Arrays.stream(ratios).filter(ratio -> ratio < limit).count();
  }

  /** Returns the mean of those that are done; until there are enough, the median of all. */
  private static double usualRate(PhaseModel phase) {
    double ofDone = phase.usualSecondsOrNaN(phase.kind().main(), 1);
    return phase.done() >= ENOUGH && !Double.isNaN(ofDone)
        ? ofDone
        : new Median().evaluate(phase.processRates().all());
  }

  /**
   * Adds by machine how many times as long as usual each attempt takes, as far as that is known,
   * and notes in {@link #slowSoFar} the machines of outliers whose tasks go well elsewhere. A look
   * at a hundred thousand attempts mostly waits for memory, so there is one only.
   */
  private void addRatios(
      PhaseModel phase, double usual, double now, Map<String, DoubleStream.Builder> found) {
    List<TaskModel> tasks = phase.tasks();
    for (int i = 0; i < tasks.size(); i++) {
      TaskModel task = tasks.get(i);
      List<AttemptModel> attempts = task.attempts();
      double seconds = attempts.isEmpty() ? 0 : usual * phase.size(task);
      for (int j = 0; j < attempts.size(); j++) {
        AttemptModel attempt = attempts.get(j);
        double ratio = ratio(attempt, seconds, now);
        String machine = Double.isNaN(ratio) ? null : attempt.machine().orElse(null);
        double elsewhere = ratio >= OUTLIER ? elsewhere(attempt, seconds, now) : Double.NaN;
        boolean isOfTheTask = elsewhere >= OUTLIER;
        if (machine != null && !isOfTheTask) {
          found.computeIfAbsent(machine, m -> DoubleStream.builder()).add(ratio);
        }
        if (machine != null && elsewhere < OUTLIER) {
          slowSoFar.add(machine);
        }
      }
    }
  }

  /** Returns the largest ratio of a task's attempts on other machines; NaN if none is known. */
  private static double elsewhere(AttemptModel attempt, double usual, double now) {
    double largest = Double.NaN;
    for (AttemptModel other : attempt.task().attempts()) {
      boolean isElsewhere = !other.machine().equals(attempt.machine());
      double ratio = isElsewhere ? ratio(other, usual, now) : Double.NaN;
      largest = Double.isNaN(largest) || ratio > largest ? ratio : largest;
    }
    return largest;
  }

  /** Returns an attempt's ratio; NaN if it is not known, or if it says nothing of the machine. */
  private static double ratio(AttemptModel attempt, double usual, double now) {
    PhaseModel phase = attempt.task().phase();
    double seconds = attempt.pace().mainSecondsOrNaN(now);
    boolean saysNothing =
        seconds == Double.POSITIVE_INFINITY
            ? phase.liveness().stall().wasStalledJustNow(attempt, now)
            : attempt.task().isSmall()
                || (attempt.state().isLive() && attempt.work() < EstimatorSettings.MIN_PROGRESS);
    if (saysNothing || Double.isNaN(usual)) {
      return Double.NaN;
    }
    boolean isLate = seconds - usual > LATE * phase.delta();
    return isLate ? seconds / usual : Math.min(1, seconds / usual);
  }

  private static boolean standsStill(PhaseModel phase, double now) {
    return !Double.isNaN(phase.liveness().stall().stalledFor(now));
  }

  /**
   * Returns whether the factor is that of an outlier: whether the attempts that are no outliers are
   * less than half of all.
   *
   * @param count how many of the ratios count, at least those that are below
   * @param outliers how many of those that are added are outliers
   */
  private boolean isFactorOfOutlier(double[] ratios, long count, double outliers) {
    return countBelow(ratios, OUTLIER) + added - outliers < (count + added) / 2.0;
  }

  /** Notes a machine that was found to be bad by an earlier AppMaster of the job. */
  public void known(String machine) {
    bad.add(machine);
  }

  /** Returns whether any machine may be bad. */
  public boolean mayAnyBeBad() {
    return !bad.isEmpty() || !slowSoFar.isEmpty();
  }

  /**
   * Returns whether a machine was found to be bad, or may be: each attempt there that says
   * something is an outlier by now, and one is of a task that goes well elsewhere, so that neither
   * the task nor what passes made it slow. Such machines are no more than copies that have shown
   * themselves better, so the copies of what waits there leave room for others.
   */
  public boolean mayBeBad(String machine) {
    return bad.contains(machine) || slowSoFar.contains(machine);
  }
}
