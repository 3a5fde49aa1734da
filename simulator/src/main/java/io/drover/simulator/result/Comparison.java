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
 * What a scheme made of a workload, beside what came of the same workload under another one, the
 * baseline. A reduction is a fraction, and negative where the scheme made things worse.
 *
 * <pre>
 *   reduction = (baseline - scheme) / baseline
 * </pre>
 *
 * <p>Those of phases, in time and in slot seconds, are weighted by the phase's lifetime in the
 * baseline, as Mantri weights them (sections 6.1 and 6.3): a long phase counts for more than a
 * short one. All jobs count alike. What took no time in the baseline cannot be reduced, and counts
 * for nothing.
 *
 * @param scheme what was done about outliers
 * @param baseline what it is compared with
 * @param phaseTime reductions of the phases' completion times
 * @param phaseSlots reductions of the phases' slot seconds
 * @param slots reduction of all slot seconds in one; empty if there were none
 * @param jobTime reductions of the jobs' completion times
 * @param smallJobTime the same of jobs of at most {@value #MOST_TASKS_OF_A_SMALL_JOB} tasks
 * @param meanJobTime reduction of the mean completion time of the jobs, which is what Dolly and
 *     LATE are compared by (Dolly section 3.3); empty if there are none
 * @param meanSmallJobTime the same of small jobs
 * @param utilisation share of the slots that were busy, in [0,1]
 * @param restartsPerTask copies and restarts for each task. Mantri section 6.3 counts both, since
 *     both are attempts that would not have been; clones are counted apart, since they start with
 *     the task and not for an outlier
 * @param clonesPerTask clones for each task
 * @param restartSuccess of the copies, restarts and clones, the share that was done before the
 *     attempt that it was to stand in for; empty if there were none
 * @param recomputationsPerTask for each task, how often a reader missed an output, which was made
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

  /** What Dolly calls small (section 2.2), and what {@code smallJobTime} is about. */
  public static final int MOST_TASKS_OF_A_SMALL_JOB = 10;

  /**
   * Compares two outcomes of one workload.
   *
   * @throws IllegalArgumentException if they have not the same jobs and phases
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
              + " are not of the same phases");
    }
  }

  /** NaN where the baseline is 0. */
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

  /** A distribution that the page draws: which share got a reduction of at most so much. */
  public enum Curve {
    PHASE_TIME(
        "Completion time of phases", "share of phases, by their lifetime", Comparison::phaseTime),
    PHASE_SLOTS(
        "Resource usage of phases: slot time",
        "share of phases, by their lifetime",
        Comparison::phaseSlots),
    JOB_TIME("Completion time of all jobs", "share of jobs", Comparison::jobTime),
    SMALL_JOB_TIME(
        "Completion time of small jobs, at most " + Comparison.MOST_TASKS_OF_A_SMALL_JOB + " tasks",
        "share of small jobs",
        Comparison::smallJobTime);

    /** Steps of half a point from a reduction of -100 % to one of 100 %. */
    private static final int STEPS = 400;

    private final String title;
    private final String share;
    private final Function<Comparison, WeightedQuantiles> source;

    Curve(String title, String share, Function<Comparison, WeightedQuantiles> source) {
      this.title = title;
      this.share = share;
      this.source = source;
    }

    /** What is reduced. */
    public String title() {
      return title;
    }

    /** What the height means. */
    public String share() {
      return share;
    }

    /** Reductions for which the curve is known, in rising order. */
    public static double[] points() {
      return IntStream.rangeClosed(0, STEPS).mapToDouble(i -> 2.0 * i / STEPS - 1).toArray();
    }

    /** The share at or below each of the points; no shares if there is nothing to be reduced. */
    public double[] in(Comparison comparison) {
      WeightedQuantiles reductions = source.apply(comparison);
      return reductions.isEmpty() ? new double[0] : reductions.shareUpTo(points());
    }
  }

  /** One number that says how well a scheme did: its place in the JSON, and where it comes from. */
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

    /** The JSON object that it stands in; empty for the scheme's own. */
    public String group() {
      return group;
    }

    /** Its key in that object. */
    public String key() {
      return key;
    }

    /** All that are known. */
    public static Map<Figure, Double> of(Comparison comparison) {
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      for (Figure figure : values()) {
        figure.in(comparison).ifPresent(value -> figures.put(figure, value));
      }
      return Collections.unmodifiableMap(figures);
    }

    /** Its value; empty where there was nothing to be measured. */
    public OptionalDouble in(Comparison comparison) {
      return source.apply(comparison);
    }
  }
}
