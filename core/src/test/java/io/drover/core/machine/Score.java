// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Measures how good predictions of outliers are.
 *
 * @param logLoss mean of -log of the probability given to the actual outcome, in nats; predictions
 *     are clipped to [0.001, 0.999] because some estimators predict 0 or 1
 * @param gain log loss minus that of the baseline; below 0 is better. The attempts of a job share
 *     its fate, so the standard error is computed over jobs
 * @param brier mean squared error
 * @param withinJob for two attempts of one job that started in one window, one an outlier and one
 *     not: how often the outlier was on the machine with the higher p_m; ties count half. This is
 *     the AUC without the effect of jobs and times, which differ far more than machines; 0.5 is
 *     chance
 * @param called how well p_m tells whether a machine with attempts in a window will be worse than
 *     the cluster: the mean of the share that is right among those that were and among those that
 *     were not; 0.5 is chance
 * @param bestTold mean p_m of the tenth of attempts with the lowest p_m, window by window: these
 *     are on the machines that a clone would get
 * @param bestReal share of outliers among these attempts
 * @param bestRatio number of outliers among these attempts, relative to that expected from the
 *     attempts of the same jobs in the same windows; 1 is chance, less is better
 * @param worstRatio the same for the hundredth with the highest p_m; more is better
 */
record Score(
    double logLoss,
    Figure gain,
    double brier,
    Figure withinJob,
    double called,
    double bestTold,
    double bestReal,
    Figure bestRatio,
    Figure worstRatio) {

  /** A figure and its standard error over jobs. */
  record Figure(double value, double error) {}

  private static final double CLIP = 0.001;

  /**
   * Scores the predictions of one of the statistics.
   *
   * @param which its index
   * @param baseline the index of the baseline
   */
  static Score of(List<Replay.Prediction> predictions, int which, int baseline) {
    double loss = 0;
    double squares = 0;
    Ratio gain = new Ratio();
    for (Replay.Prediction x : predictions) {
      loss += loss(x, which);
      squares += Math.pow(x.p()[which] - (x.outlier() ? 1 : 0), 2);
      gain.add(x.job(), loss(x, which) - loss(x, baseline), 1);
    }
    Map<Long, List<Replay.Prediction>> siblings =
        grouped(predictions, x -> x.job() * 1_000_000L + x.window());
    Map<Replay.Prediction, Double> expected = new IdentityHashMap<>();
    Ratio order = new Ratio();
    for (List<Replay.Prediction> group : siblings.values()) {
      double share =
          group.stream().filter(Replay.Prediction::outlier).count() / (double) group.size();
      group.forEach(x -> expected.put(x, share));
      double pairs = share * (1 - share) * group.size();
      if (pairs > 0) {
        order.add(group.get(0).job(), pairs * orderedPairs(group, which), pairs);
      }
    }
    Ratio best = new Ratio();
    Ratio worst = new Ratio();
    double told = 0;
    double real = 0;
    int chosen = 0;
    Random ties = new Random(1);
    for (List<Replay.Prediction> window : grouped(predictions, x -> (long) x.window()).values()) {
      List<Replay.Prediction> ascending = new ArrayList<>(window);
      Collections.shuffle(ascending, ties);
      ascending.sort(Comparator.comparingDouble(x -> x.p()[which]));
      int tenth = ascending.size() / 10;
      for (Replay.Prediction x : ascending.subList(0, tenth)) {
        best.add(x.job(), x.outlier() ? 1 : 0, expected.get(x));
        told += x.p()[which];
        real += x.outlier() ? 1 : 0;
      }
      chosen += tenth;
      for (Replay.Prediction x :
          ascending.subList(ascending.size() - ascending.size() / 100, ascending.size())) {
        worst.add(x.job(), x.outlier() ? 1 : 0, expected.get(x));
      }
    }
    return new Score(
        loss / predictions.size(),
        gain.figure(),
        squares / predictions.size(),
        order.figure(),
        called(predictions, which),
        told / chosen,
        real / chosen,
        best.figure(),
        worst.figure());
  }

  private static double loss(Replay.Prediction x, int which) {
    double p = Math.max(CLIP, Math.min(1 - CLIP, x.p()[which]));
    return -Math.log(x.outlier() ? p : 1 - p);
  }

  private static Map<Long, List<Replay.Prediction>> grouped(
      Collection<Replay.Prediction> predictions, Function<Replay.Prediction, Long> key) {
    Map<Long, List<Replay.Prediction>> groups = new TreeMap<>();
    predictions.forEach(x -> groups.computeIfAbsent(key.apply(x), k -> new ArrayList<>()).add(x));
    return groups;
  }

  /** Returns how often an outlier of the group has a higher p than another attempt of it. */
  private static double orderedPairs(List<Replay.Prediction> group, int which) {
    TreeMap<Double, int[]> byP = new TreeMap<>();
    for (Replay.Prediction x : group) {
      byP.computeIfAbsent(x.p()[which], p -> new int[2])[x.outlier() ? 1 : 0]++;
    }
    double ordered = 0;
    int othersBelow = 0;
    int outliers = 0;
    for (int[] counts : byP.values()) {
      ordered += counts[1] * (othersBelow + counts[0] / 2.0);
      othersBelow += counts[0];
      outliers += counts[1];
    }
    return ordered / ((double) othersBelow * outliers);
  }

  /** Computes {@link #called}. "Worse" means above the share of outliers in all predictions. */
  private static double called(List<Replay.Prediction> predictions, int which) {
    double p = predictions.stream().filter(Replay.Prediction::outlier).count();
    p /= predictions.size();
    int[][] counts = new int[2][2];
    for (List<Replay.Prediction> here :
        grouped(predictions, x -> x.machine() * 1_000_000L + x.window()).values()) {
      double share =
          here.stream().filter(Replay.Prediction::outlier).count() / (double) here.size();
      counts[share > p ? 1 : 0][here.get(0).p()[which] > p ? 1 : 0]++;
    }
    double ofWorse = counts[1][1] / (double) (counts[1][0] + counts[1][1]);
    double ofOthers = counts[0][0] / (double) (counts[0][0] + counts[0][1]);
    return (ofWorse + ofOthers) / 2;
  }

  /** A ratio of sums over jobs, with its standard error by the delta method. */
  private static final class Ratio {
    private final Map<Integer, double[]> ofJob = new HashMap<>();

    void add(int job, double above, double below) {
      double[] sums = ofJob.computeIfAbsent(job, j -> new double[2]);
      sums[0] += above;
      sums[1] += below;
    }

    Figure figure() {
      double above = 0;
      double below = 0;
      for (double[] sums : ofJob.values()) {
        above += sums[0];
        below += sums[1];
      }
      double ratio = above / below;
      double squares = 0;
      for (double[] sums : ofJob.values()) {
        squares += Math.pow(sums[0] - ratio * sums[1], 2);
      }
      return new Figure(ratio, Math.sqrt(squares) / below);
    }
  }
}
