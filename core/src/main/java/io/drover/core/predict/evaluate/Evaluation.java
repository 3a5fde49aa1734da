// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.evaluate;

import io.drover.core.predict.evaluate.Tally.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * The figures of a number of judged jobs: those of Rosa, Chen and Binder ("Metrics of interests"),
 * and the usual ones.
 *
 * <p>Confidence intervals are from 1,000 samples of whole days, drawn with replacement (the block
 * bootstrap). Failures come in bursts of one program, so single jobs would seem to tell far more
 * than they do.
 */
public final class Evaluation {
  private static final int SAMPLES = 1_000;
  private static final int BINS = 4_000;
  private static final int POINTS = 200;
  private static final double DAY = 86_400;

  private final List<JudgedJob> jobs;
  private final double[] edges;
  private final List<Tally> days;
  private final Tally all = new Tally(BINS);
  private final Map<String, Interval> figures = new LinkedHashMap<>();

  /**
   * A point of a curve.
   *
   * @param x from 0 to 1
   * @param y from 0 to 1
   */
  public record Point(double x, double y) {}

  /**
   * Computes figures.
   *
   * @param jobs at least one
   * @param graceSeconds how long a job that is called failing may run
   * @param random draws days
   */
  public Evaluation(List<JudgedJob> jobs, double graceSeconds, RandomGenerator random) {
    this.jobs = jobs;
    this.edges = edges(jobs);
    Map<Long, Tally> byDay = new TreeMap<>();
    for (JudgedJob job : jobs) {
      long day = (long) Math.floor(job.job().submittedAt() / DAY);
      byDay.computeIfAbsent(day, d -> new Tally(BINS)).add(job, bin(job.score()), graceSeconds);
    }
    days = List.copyOf(byDay.values());
    days.forEach(all::add);
    Map<String, ToDoubleFunction<Tally>> of = figures();
    double[][] drawn = new double[of.size()][days.size() > 1 ? SAMPLES : 0];
    for (int i = 0; i < SAMPLES && days.size() > 1; i++) {
      Tally sample = new Tally(BINS);
      for (int day = 0; day < days.size(); day++) {
        sample.add(days.get(random.nextInt(days.size())));
      }
      int figure = 0;
      for (ToDoubleFunction<Tally> function : of.values()) {
        drawn[figure++][i] = function.applyAsDouble(sample);
      }
    }
    int figure = 0;
    for (Map.Entry<String, ToDoubleFunction<Tally>> one : of.entrySet()) {
      figures.put(one.getKey(), interval(one.getValue().applyAsDouble(all), drawn[figure++]));
    }
  }

  private static Map<String, ToDoubleFunction<Tally>> figures() {
    Map<String, ToDoubleFunction<Tally>> figures = new LinkedHashMap<>();
    figures.put("auc", Tally::auc);
    figures.put("fn", Tally::fn);
    figures.put("mr", Tally::mr);
    figures.put("mfn", Tally::mfn);
    figures.put("precision", Tally::precision);
    figures.put("recall", Tally::recall);
    figures.put("saved", Tally::savedOfFailing);
    figures.put("savedTasks", Tally::savedTaskTimeOfFailing);
    for (Resource resource : Resource.values()) {
      figures.put(name(resource), tally -> tally.rrw(resource));
    }
    return figures;
  }

  private static String name(Resource resource) {
    return resource.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the scores at which bins begin, so that all have about as many jobs. */
  private static double[] edges(List<JudgedJob> jobs) {
    double[] scores = jobs.stream().mapToDouble(JudgedJob::score).sorted().toArray();
    double[] edges = new double[BINS];
    Arrays.setAll(edges, bin -> scores[(int) ((long) bin * scores.length / BINS)]);
    return Arrays.stream(edges).distinct().toArray();
  }

  private int bin(double score) {
    int found = Arrays.binarySearch(edges, score);
    return Math.max(0, found >= 0 ? found : -found - 2);
  }

  private static Interval interval(double value, double[] samples) {
    double[] drawn = Arrays.stream(samples).filter(Double::isFinite).sorted().toArray();
    if (!Double.isFinite(value) || drawn.length < SAMPLES / 2) {
      return new Interval(Double.isFinite(value) ? value : Double.NaN, Double.NaN, Double.NaN);
    }
    int off = (int) (0.025 * drawn.length);
    return new Interval(value, drawn[off], drawn[drawn.length - 1 - off]);
  }

  /** Returns how many jobs were judged. */
  public long jobs() {
    return (long) all.jobs();
  }

  /** Returns how many of them failed. */
  public long failures() {
    return (long) all.failures();
  }

  /** Returns the number of days on which jobs were judged. */
  public int days() {
    return days.size();
  }

  /** Returns the share of jobs of which it is known what they asked for. */
  public double known() {
    return all.known();
  }

  /** Returns the probability that a failing job has a higher score than a good one. */
  public Interval auc() {
    return figures.get("auc");
  }

  /** Returns the share of jobs that are good and called failing. */
  public Interval fn() {
    return figures.get("fn");
  }

  /** Returns the share of jobs that are called wrongly. */
  public Interval mr() {
    return figures.get("mr");
  }

  /** Returns the share of jobs that are good and ended by the policy. */
  public Interval mfn() {
    return figures.get("mfn");
  }

  /** Returns the share of failing jobs among those that are called failing. */
  public Interval precision() {
    return figures.get("precision");
  }

  /** Returns the share of failing jobs that are called failing. */
  public Interval recall() {
    return figures.get("recall");
  }

  /** Returns the share of the time of failing jobs that the policy saves. */
  public Interval savedOfFailing() {
    return figures.get("saved");
  }

  /**
   * Returns the same for the time of the jobs' tasks. Jobs whose number of tasks is not known count
   * as one.
   */
  public Interval savedTaskTimeOfFailing() {
    return figures.get("savedTasks");
  }

  /**
   * Returns the share of each resource that the policy saves, RRW, over all jobs of which it is
   * known what they asked for. As in the source, it contains what good jobs do not use because they
   * are ended.
   */
  public Map<String, Interval> rrw() {
    Map<String, Interval> of = new TreeMap<>();
    for (Resource resource : Resource.values()) {
      of.put(name(resource), figures.get(name(resource)));
    }
    return of;
  }

  /** Returns the ROC: for falling thresholds, the shares of good and of failing jobs above them. */
  public List<Point> roc() {
    List<Point> roc = new ArrayList<>();
    roc.add(new Point(0, 0));
    double good = 0;
    double failed = 0;
    double allGood = all.jobs() - all.failures();
    for (int bin = edges.length - 1; bin >= 0; bin--) {
      good += all.inBin(bin, false);
      failed += all.inBin(bin, true);
      Point point = new Point(good / allGood, failed / all.failures());
      Point last = roc.get(roc.size() - 1);
      if (point.x() - last.x() + point.y() - last.y() > 2.0 / POINTS || bin == 0) {
        roc.add(point);
      }
    }
    return roc;
  }

  /**
   * Returns what a grace period would save: for falling thresholds, MFN and the share of the time
   * of failing jobs that is saved.
   *
   * @param mostMfn where the curve ends
   */
  public List<Point> savings(double graceSeconds, double mostMfn) {
    List<JudgedJob> highestFirst = new ArrayList<>(jobs);
    highestFirst.sort((a, b) -> Double.compare(b.score(), a.score()));
    double wasted = 0;
    for (JudgedJob judged : highestFirst) {
      wasted += judged.job().hasFailed() ? judged.job().seconds() : 0;
    }
    List<Point> curve = new ArrayList<>();
    curve.add(new Point(0, 0));
    double saved = 0;
    int ended = 0;
    for (JudgedJob judged : highestFirst) {
      double over = judged.job().seconds() - graceSeconds;
      if (over > 0 && judged.job().hasFailed()) {
        saved += over;
      } else if (over > 0) {
        ended++;
        double mfn = (double) ended / jobs.size();
        if (mfn - curve.get(curve.size() - 1).x() > mostMfn / POINTS) {
          curve.add(new Point(mfn, saved / wasted));
        }
        if (mfn > mostMfn) {
          break;
        }
      }
    }
    return curve;
  }
}
