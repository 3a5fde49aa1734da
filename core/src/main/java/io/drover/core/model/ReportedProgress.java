// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * Judges whether the progress that the attempts of a phase report in the main sub-phase means
 * anything, by those that have done it. An attempt is belied if its last report before the end
 * showed less than half of the share of time that had passed by then. Progress says nothing while
 * more attempts were belied than not.
 *
 * <p>No paper has this: Mantri and Hadoop believe what is reported.
 */
final class ReportedProgress {
  /** The last reports of attempts that are belied differ by less than this factor. */
  private static final double FURTHER = 1.5;

  private int belied;
  private int believed;
  private double upTo;
  private boolean bytesMislead;

  /** Notes that the bytes read by some attempt do not show its progress. */
  void bytesMislead() {
    bytesMislead = true;
  }

  /** Returns whether bytes read do not show progress in this phase. */
  boolean doBytesMislead() {
    return bytesMislead;
  }

  /** Judges an attempt that was in the main sub-phase from {@code began} to {@code at}. */
  void judge(WorkPace pace, double began, double at) {
    if (!pace.isJudgeable()) {
      return;
    }
    if (pace.isBelied(began, at)) {
      belied++;
      upTo = Math.max(upTo, pace.workBeforeDone());
    } else {
      believed++;
    }
  }

  /** Returns whether a report of so much work says nothing: it is no more than that of others. */
  boolean isMisleading(double work) {
    return belied > believed && work < 1 && work <= FURTHER * upTo;
  }
}
