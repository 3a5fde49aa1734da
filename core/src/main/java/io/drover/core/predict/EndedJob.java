// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

/**
 * A job that has ended, and all that a model may learn from it.
 *
 * @param features those of all {@link FeatureSet}s, as they were when it arrived
 * @param submittedAt seconds
 * @param endedAt seconds
 * @param seconds how long it has run
 * @param tasks the number of its tasks; 1 if it is not known
 * @param outcome how it ended
 * @param standsFor the number of jobs that it stands for: more than 1 for a control, whose like
 *     were ended, so that nobody knows how they would have turned out
 */
public record EndedJob(
    Features features,
    double submittedAt,
    double endedAt,
    double seconds,
    double tasks,
    JobOutcome outcome,
    int standsFor) {
  /** Creates a job that stands for itself. */
  public EndedJob(
      Features features,
      double submittedAt,
      double endedAt,
      double seconds,
      double tasks,
      JobOutcome outcome) {
    this(features, submittedAt, endedAt, seconds, tasks, outcome, 1);
  }

  /** Returns the same job, which stands for others as well. */
  EndedJob standingFor(int jobs) {
    return new EndedJob(features, submittedAt, endedAt, seconds, tasks, outcome, jobs);
  }

  /** Returns whether it failed. */
  public boolean hasFailed() {
    return outcome == JobOutcome.FAILED;
  }

  /** Returns the machine time that it has used, in seconds of a task. */
  double taskSeconds() {
    return seconds * tasks;
  }

  /** The features of a job. Half as large as an array of doubles, because there are many jobs. */
  public static final class Features {
    /** The number of features of all sets. */
    public static final int SIZE = FeatureSet.total();

    private final float[] values;

    /** Copies features. */
    public Features(double[] features) {
      values = new float[features.length];
      for (int j = 0; j < values.length; j++) {
        values[j] = (float) features[j];
      }
    }

    /** Returns all features. */
    public double[] all() {
      double[] all = new double[values.length];
      for (int j = 0; j < all.length; j++) {
        all[j] = values[j];
      }
      return all;
    }

    /** Returns the features at some places of the order of {@link FeatureSet}s. */
    public double[] at(int[] places) {
      double[] some = new double[places.length];
      for (int j = 0; j < places.length; j++) {
        some[j] = values[places[j]];
      }
      return some;
    }
  }
}
