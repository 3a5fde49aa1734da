// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import io.drover.core.machine.OutlierRule;

/**
 * How many times as long as usual attempts take on one machine: the geometric mean of what was
 * seen, shrunk by one attempt that is as earlier jobs suggest. No paper has this; Mantri's
 * locationFactor (section 5.5) is for new attempts.
 */
final class MachineSlowness {
  private static final double OF_AN_OUTLIER = Math.log(OutlierRule.DOLLY.slowness());

  private int count;
  private double logs;

  /** Adds an attempt, if its pace is known; one that has stopped has none, nor has a small task. */
  void add(AttemptModel attempt, double now) {
    PhaseModel phase = attempt.task().phase();
    double usual = phase.usualSecondsOrNaN(phase.kind().main(), 1);
    double rate = phase.sizes().rate(attempt.task(), attempt.pace().mainSecondsOrNaN(now));
    double log = Math.log(rate / usual);
    if (Double.isFinite(log)) {
      count++;
      logs += log;
    }
  }

  /** Adds what was seen of other attempts. */
  void add(MachineSlowness others) {
    count += others.count;
    logs += others.logs;
  }

  /**
   * Returns the mean, at least 1.
   *
   * @param outlierProbability of an attempt on the machine, by earlier jobs
   */
  double mean(double outlierProbability) {
    double earlier = (outlierProbability - PhaseModel.OUTLIERS) * OF_AN_OUTLIER;
    return Math.exp(Math.max(0, (logs + earlier) / (count + 1)));
  }
}
