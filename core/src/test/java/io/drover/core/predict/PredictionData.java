// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes jobs of which some programs always fail late, and the others succeed. */
public final class PredictionData {
  public static final double DAY = 86_400;

  private PredictionData() {}

  /**
   * Returns jobs that arrive evenly over some days. One in {@code nth} is of a program that fails
   * after an hour; a few good ones run for as long, the others for a minute.
   */
  public static List<EndedJob> jobs(int number, double days, int nth) {
    SplittableRandom random = new SplittableRandom(1);
    List<EndedJob> jobs = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      boolean fails = i % nth == 0;
      double[] features = new double[FeatureSet.total()];
      for (int j = 0; j < features.length; j++) {
        features[j] = random.nextGaussian();
      }
      features[FeatureSet.HISTORY.from()] += fails ? 6 : 0;
      double at = days * DAY * i / number;
      double seconds = fails || i % 20 == 1 ? 3600 : 60;
      jobs.add(
          new EndedJob(
              new EndedJob.Features(features),
              at,
              at + seconds,
              seconds,
              2,
              fails ? JobOutcome.FAILED : JobOutcome.SUCCEEDED));
    }
    return jobs;
  }
}
