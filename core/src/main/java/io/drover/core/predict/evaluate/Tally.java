// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.evaluate;

import io.drover.core.predict.EndedJob;
import io.drover.core.predict.FeatureSet;
import java.util.Arrays;
import java.util.List;

/** Sums over judged jobs, of which all figures are ratios. */
final class Tally {
  /** The resources whose use is counted. Time is that of jobs; the others are those of tasks. */
  enum Resource {
    CPU,
    RAM,
    DISK,
    TIME
  }

  private static final int[] MEANS = places();

  private final long[] failedByBin;
  private final long[] goodByBin;
  private final double[] used = new double[Resource.values().length];
  private final double[] cut = new double[Resource.values().length];
  private double jobs;
  private double failures;
  private double calledFailures;
  private double calledGood;
  private double endedGood;
  private double saved;
  private double wasted;
  private double savedByTasks;
  private double wastedByTasks;
  private double known;

  Tally(int bins) {
    failedByBin = new long[bins];
    goodByBin = new long[bins];
  }

  private static int[] places() {
    List<String> names = FeatureSet.STATIC.names();
    return new int[] {
      names.indexOf("cpu mean"), names.indexOf("ram mean"), names.indexOf("disk mean")
    };
  }

  /**
   * Adds a job.
   *
   * @param bin of its score; higher scores are in later bins
   */
  void add(JudgedJob judged, int bin, double grace) {
    EndedJob job = judged.job();
    boolean isEnded = judged.isEnded(grace);
    jobs++;
    if (job.hasFailed()) {
      failures++;
      failedByBin[bin]++;
      calledFailures += judged.failing() ? 1 : 0;
      wasted += job.seconds();
      saved += isEnded ? job.seconds() - grace : 0;
      wastedByTasks += job.seconds() * job.tasks();
      savedByTasks += isEnded ? (job.seconds() - grace) * job.tasks() : 0;
    } else {
      goodByBin[bin]++;
      calledGood += judged.failing() ? 1 : 0;
      endedGood += isEnded ? 1 : 0;
    }
    double[] means = job.features().at(MEANS);
    Arrays.setAll(means, i -> Math.expm1(means[i])); // they are kept as logarithms
    known += Double.isNaN(means[0]) ? 0 : 1;
    for (Resource resource : Resource.values()) {
      double rate = resource == Resource.TIME ? 1 : means[resource.ordinal()] * job.tasks();
      if (!Double.isNaN(rate)) {
        used[resource.ordinal()] += rate * job.seconds();
        cut[resource.ordinal()] += isEnded ? rate * (job.seconds() - grace) : 0;
      }
    }
  }

  void add(Tally other) {
    jobs += other.jobs;
    failures += other.failures;
    calledFailures += other.calledFailures;
    calledGood += other.calledGood;
    endedGood += other.endedGood;
    saved += other.saved;
    wasted += other.wasted;
    savedByTasks += other.savedByTasks;
    wastedByTasks += other.wastedByTasks;
    known += other.known;
    for (int i = 0; i < used.length; i++) {
      used[i] += other.used[i];
      cut[i] += other.cut[i];
    }
    for (int bin = 0; bin < failedByBin.length; bin++) {
      failedByBin[bin] += other.failedByBin[bin];
      goodByBin[bin] += other.goodByBin[bin];
    }
  }

  double jobs() {
    return jobs;
  }

  double failures() {
    return failures;
  }

  /** Returns FN: good jobs that are called failing, among all jobs (slides, "Metrics"). */
  double fn() {
    return calledGood / jobs;
  }

  /** Returns MR: jobs that are called wrongly, among all jobs. */
  double mr() {
    return (calledGood + failures - calledFailures) / jobs;
  }

  /** Returns MFN: good jobs that are ended, among all jobs. */
  double mfn() {
    return endedGood / jobs;
  }

  double precision() {
    return calledFailures / (calledFailures + calledGood);
  }

  double recall() {
    return calledFailures / failures;
  }

  /** Returns the share of the time of failing jobs that the policy saves. */
  double savedOfFailing() {
    return saved / wasted;
  }

  /** Returns the same for the time of the jobs' tasks. */
  double savedTaskTimeOfFailing() {
    return savedByTasks / wastedByTasks;
  }

  /** Returns the share of jobs of which it is known what they ask for. */
  double known() {
    return known / jobs;
  }

  /** Returns RRW: 1 - what is used with the policy / what is used without it. */
  double rrw(Resource of) {
    return cut[of.ordinal()] / used[of.ordinal()];
  }

  /**
   * Returns the probability that a failing job has a higher score than a good one; half of it for
   * scores of one bin (Mann and Whitney 1947).
   */
  double auc() {
    double below = 0;
    double good = 0;
    for (int bin = 0; bin < goodByBin.length; bin++) {
      below += failedByBin[bin] * (good + goodByBin[bin] / 2.0);
      good += goodByBin[bin];
    }
    return below / (good * failures);
  }

  /** Returns the jobs of a kind with a score in a bin. */
  long inBin(int bin, boolean failed) {
    return (failed ? failedByBin : goodByBin)[bin];
  }
}
