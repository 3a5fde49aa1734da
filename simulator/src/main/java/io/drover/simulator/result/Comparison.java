// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Compares the outcome of a workload under a scheme with its outcome under another one, the
 * baseline. A reduction is a fraction; it is negative if the scheme made things worse.
 *
 * <pre>
 *   reduction = (baseline - scheme) / baseline
 * </pre>
 *
 * <p>Reductions of phases, in time and in slot seconds, are weighted by the phase's lifetime in the
 * baseline, as Mantri weights them (sections 6.1 and 6.3): a long phase counts for more than a
 * short one. All jobs have the same weight. A phase or job that took no time in the baseline cannot
 * be reduced and is left out.
 *
 * @param scheme name of the scheme
 * @param baseline name of the scheme that it is compared with
 * @param phaseTime reductions of the phases' completion times
 * @param phaseSlots reductions of the phases' slot seconds
 * @param slots reduction of the total slot seconds; empty if the baseline used none
 * @param jobTime reductions of the jobs' completion times
 * @param smallJobTime the same for jobs of at most {@value #MOST_TASKS_OF_A_SMALL_JOB} tasks
 * @param meanJobTime reduction of the mean completion time of the jobs, by which Dolly is compared
 *     with LATE (Dolly section 3.3); empty if there are no jobs
 * @param meanSmallJobTime the same for small jobs
 * @param utilisation share of the slots that were busy, in [0,1]
 * @param restartsPerTask copies and restarts per task. Mantri section 6.3 counts both, because both
 *     are extra attempts; clones are counted apart, because they start with the task and not
 *     because of an outlier
 * @param clonesPerTask clones per task
 * @param restartSuccess share of the copies, restarts and clones that were done before the attempt
 *     that they stood in for; empty if there were none
 * @param recomputationsPerTask how often, per task, a reader missed an output, which was then made
 *     again
 */
public record Comparison(
    String scheme,
    String baseline,
    WeightedQuantiles phaseTime,
    WeightedQuantiles phaseSlots,
    OptionalDouble slots,
    WeightedQuantiles jobTime,
    WeightedQuantiles smallJobTime,
    OptionalDouble meanJobTime,
    OptionalDouble meanSmallJobTime,
    double utilisation,
    double restartsPerTask,
    double clonesPerTask,
    OptionalDouble restartSuccess,
    double recomputationsPerTask) {

  /** The most tasks of a small job: Dolly's limit (section 2.2), used by {@code smallJobTime}. */
  public static final int MOST_TASKS_OF_A_SMALL_JOB = 10;

  /**
   * Compares two outcomes of one workload.
   *
   * @throws IllegalArgumentException if they do not have the same jobs and phases
   */
  public static Comparison of(SchemeOutcome baseline, SchemeOutcome outcome) {
    checkSameWork(baseline, outcome);
    List<PhaseOutcome> before = baseline.phases();
    List<PhaseOutcome> after = outcome.phases();
    double[] lifetimes = before.stream().mapToDouble(PhaseOutcome::seconds).toArray();
    double[] alike = baseline.jobs().stream().mapToDouble(job -> 1).toArray();
    double[] small = baseline.jobs().stream().mapToDouble(job -> isSmall(job) ? 1 : 0).toArray();
    double[] ofJobs = reductions(baseline.jobs(), outcome.jobs(), JobOutcome::seconds);
    long tasks = sum(after, PhaseOutcome::tasks);
    long copiesAndRestarts = sum(after, p -> (long) p.copies() + p.restarts());
    long clones = sum(after, PhaseOutcome::clones);
    return new Comparison(
        outcome.scheme(),
        baseline.scheme(),
        distribution(reductions(before, after, PhaseOutcome::seconds), lifetimes),
        distribution(reductions(before, after, PhaseOutcome::slotSeconds), lifetimes),
        ratio(baseline.slotSeconds() - outcome.slotSeconds(), baseline.slotSeconds()),
        distribution(ofJobs, alike),
        distribution(ofJobs, small),
        meanReduction(baseline.jobs(), outcome.jobs(), alike),
        meanReduction(baseline.jobs(), outcome.jobs(), small),
        outcome.utilisation(),
        ratio(copiesAndRestarts, tasks).orElse(0),
        ratio(clones, tasks).orElse(0),
        ratio(sum(after, PhaseOutcome::won), copiesAndRestarts + clones),
        ratio(outcome.rework().recomputations(), tasks).orElse(0));
  }

  private static boolean isSmall(JobOutcome job) {
    return job.tasks() <= MOST_TASKS_OF_A_SMALL_JOB;
  }

  private static void checkSameWork(SchemeOutcome baseline, SchemeOutcome outcome) {
    List<PhaseOutcome> before = baseline.phases();
    List<PhaseOutcome> after = outcome.phases();
    boolean same = before.size() == after.size() && baseline.jobs().size() == outcome.jobs().size();
    for (int i = 0; same && i < before.size(); i++) {
      PhaseOutcome one = before.get(i);
      PhaseOutcome other = after.get(i);
      same =
          one.job() == other.job() && one.phase() == other.phase() && one.tasks() == other.tasks();
    }
    for (int i = 0; same && i < baseline.jobs().size(); i++) {
      same = baseline.jobs().get(i).job() == outcome.jobs().get(i).job();
    }
    if (!same) {
      throw new IllegalArgumentException(
          "the outcomes of "
              + baseline.scheme()
              + " and "
              + outcome.scheme()
              + " do not have the same jobs and phases");
    }
  }

  /** Returns the reduction of each figure; NaN if the baseline is 0. */
  private static <T> double[] reductions(
      List<T> before, List<T> after, ToDoubleFunction<T> figure) {
    double[] reductions = new double[before.size()];
    for (int i = 0; i < reductions.length; i++) {
      double base = figure.applyAsDouble(before.get(i));
      double other = figure.applyAsDouble(after.get(i));
      reductions[i] = base > 0 ? (base - other) / base : Double.NaN;
    }
    return reductions;
  }

  private static OptionalDouble meanReduction(
      List<JobOutcome> before, List<JobOutcome> after, double[] weights) {
    double base = 0;
    double other = 0;
    for (int i = 0; i < weights.length; i++) {
      base += weights[i] * before.get(i).seconds();
      other += weights[i] * after.get(i).seconds();
    }
    return ratio(base - other, base);
  }

  private static WeightedQuantiles distribution(double[] reductions, double[] weights) {
    double[] counting = weights.clone();
    for (int i = 0; i < counting.length; i++) {
      counting[i] = Double.isNaN(reductions[i]) ? 0 : counting[i];
    }
    return WeightedQuantiles.of(reductions, counting);
  }

  private static <T> long sum(List<T> all, ToLongFunction<T> figure) {
    return all.stream().mapToLong(figure).sum();
  }

  private static OptionalDouble ratio(long part, long whole) {
    return ratio((double) part, (double) whole);
  }

  private static OptionalDouble ratio(double part, double whole) {
    return whole > 0 ? OptionalDouble.of(part / whole) : OptionalDouble.empty();
  }

  /** A distribution that the page draws: the share of phases or jobs up to each reduction. */
  public enum Curve {
    PHASE_TIME(
        "Completion time of phases",
        "share of phases, weighted by lifetime",
        Comparison::phaseTime),
    PHASE_SLOTS(
        "Resource usage of phases: slot time",
        "share of phases, weighted by lifetime",
        Comparison::phaseSlots),
    JOB_TIME("Completion time of all jobs", "share of jobs", Comparison::jobTime),
    SMALL_JOB_TIME(
        "Completion time of small jobs, at most " + Comparison.MOST_TASKS_OF_A_SMALL_JOB + " tasks",
        "share of small jobs",
        Comparison::smallJobTime);

    /** The number of steps, half a point each, from a reduction of -100 % to one of 100 %. */
    private static final int STEPS = 400;

    private final String title;
    private final String share;
    private final Function<Comparison, WeightedQuantiles> source;

    Curve(String title, String share, Function<Comparison, WeightedQuantiles> source) {
      this.title = title;
      this.share = share;
      this.source = source;
    }

    /** Returns the title, which names what is reduced. */
    public String title() {
      return title;
    }

    /** Returns the label of the vertical axis. */
    public String share() {
      return share;
    }

    /** Returns the reductions at which the curve is computed, in rising order. */
    public static double[] points() {
      return IntStream.rangeClosed(0, STEPS).mapToDouble(i -> 2.0 * i / STEPS - 1).toArray();
    }

    /** Returns the share at or below each of the points; empty if there is nothing to reduce. */
    public double[] in(Comparison comparison) {
      WeightedQuantiles reductions = source.apply(comparison);
      return reductions.isEmpty() ? new double[0] : reductions.shareUpTo(points());
    }
  }

  /** One number that says how well a scheme did: its key in the JSON, and how it is computed. */
  public enum Figure {
    PHASE_P25("phaseReduction", "p25", of -> of.phaseTime().at(0.25)),
    PHASE_P50("phaseReduction", "p50", of -> of.phaseTime().at(0.5)),
    PHASE_P75("phaseReduction", "p75", of -> of.phaseTime().at(0.75)),
    PHASE_P90("phaseReduction", "p90", of -> of.phaseTime().at(0.9)),
    RESOURCE_P25("resourceReduction", "p25", of -> of.phaseSlots().at(0.25)),
    RESOURCE_P50("resourceReduction", "p50", of -> of.phaseSlots().at(0.5)),
    RESOURCE_P75("resourceReduction", "p75", of -> of.phaseSlots().at(0.75)),
    RESOURCE_P90("resourceReduction", "p90", of -> of.phaseSlots().at(0.9)),
    RESOURCE_TOTAL("resourceReduction", "total", Comparison::slots),
    JOB_MEAN("jobReduction", "mean", Comparison::meanJobTime),
    JOB_SMALL("jobReduction", "small", Comparison::meanSmallJobTime),
    JOB_P50("jobReduction", "p50", of -> of.jobTime().at(0.5)),
    UTILISATION("", "utilisation", of -> OptionalDouble.of(of.utilisation())),
    RESTARTS_PER_TASK("", "restartsPerTask", of -> OptionalDouble.of(of.restartsPerTask())),
    RESTART_SUCCESS("", "restartSuccess", Comparison::restartSuccess),
    CLONES_PER_TASK("", "clonesPerTask", of -> OptionalDouble.of(of.clonesPerTask())),
    RECOMPUTATIONS_PER_TASK(
        "", "recomputationsPerTask", of -> OptionalDouble.of(of.recomputationsPerTask()));

    private final String group;
    private final String key;
    private final Function<Comparison, OptionalDouble> source;

    Figure(String group, String key, Function<Comparison, OptionalDouble> source) {
      this.group = group;
      this.key = key;
      this.source = source;
    }

    /** Returns the key of the JSON object that holds it; empty for the scheme's own object. */
    public String group() {
      return group;
    }

    /** Returns the key of the figure in that object. */
    public String key() {
      return key;
    }

    /** Returns the value of each figure that is not empty. */
    public static Map<Figure, Double> of(Comparison comparison) {
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      for (Figure figure : values()) {
        figure.in(comparison).ifPresent(value -> figures.put(figure, value));
      }
      return Collections.unmodifiableMap(figures);
    }

    /** Returns the value of the figure; empty if there was nothing to measure. */
    public OptionalDouble in(Comparison comparison) {
      return source.apply(comparison);
    }
  }
}
