// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * One progress report of a task.
 *
 * @param at when it came, seconds
 * @param subPhase the sub-phase that the attempt says it is in
 * @param fraction the part of that sub-phase that the attempt says is done, in [0,1]; other values
 *     are clipped, and NaN or an infinite value says nothing about progress
 * @param bytesRead the bytes of a map's input read so far; 0 or less if not known
 * @param bytesShuffled the bytes that a reduce has fetched so far; 0 or less if not known
 * @param mapFinished when a map had read its input, seconds; NaN if it has not or does not say
 * @param shuffleFinished when a reduce had fetched all map outputs, seconds; NaN as above
 * @param sortFinished when a reduce had merged them, seconds; NaN as above
 */
public record ProgressReport(
    double at,
    SubPhase subPhase,
    double fraction,
    long bytesRead,
    long bytesShuffled,
    double mapFinished,
    double shuffleFinished,
    double sortFinished) {

  /**
   * Passes the whole report to an attempt. A sub-phase with a reported end is ended at that time,
   * and the bytes that a reduce has fetched by then are its input.
   */
  public void tell(AttemptModel attempt) {
    endAt(mapFinished, SubPhase.WRAP_UP, attempt);
    if (attempt.state() == AttemptState.RUNNING && attempt.subPhase() == SubPhase.SHUFFLE) {
      attempt.task().fetched(bytesShuffled, fraction);
    }
    if (!Double.isNaN(shuffleFinished) && bytesShuffled > 0) {
      attempt.task().inputBytes(bytesShuffled);
    }
    endAt(shuffleFinished, SubPhase.SORT, attempt);
    endAt(sortFinished, SubPhase.REDUCE, attempt);
    attempt.report(at, subPhase, fraction, bytesRead);
  }

  /** Clips the time, which is by the task's clock, to the span since the last report. */
  private void endAt(double reportedEnd, SubPhase next, AttemptModel attempt) {
    if (!Double.isNaN(reportedEnd)) {
      double lastReport = attempt.lastReportAt();
      double earliest = Double.isNaN(lastReport) ? attempt.launchedAt() : lastReport;
      attempt.enter(next, Math.min(at, earliest > reportedEnd ? earliest : reportedEnd));
    }
  }
}
