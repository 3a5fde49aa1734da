// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * One progress report of a task.
 *
 * @param at when it came, seconds
 * @param subPhase the sub-phase that the attempt says it is in
 * @param fraction how much of that sub-phase it says is done, in [0,1]; other values are clipped,
 *     and what is no finite number says nothing
 * @param bytesRead of a map's input, so far; 0 or less if that is not known
 * @param bytesShuffled by a reduce, so far; 0 or less if that is not known
 * @param mapFinished when a map had read its input, seconds; NaN if it has not, or does not say
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
   * Tells an attempt all of it. Sub-phases whose end is told are ended at that very time; what a
   * reduce has fetched by then is its input.
   */
  public void tell(AttemptModel attempt) {
    endAt(mapFinished, SubPhase.WRAP_UP, attempt);
    attempt.fetched(bytesShuffled, fraction);
    if (!Double.isNaN(shuffleFinished) && bytesShuffled > 0) {
      attempt.task().inputBytes(bytesShuffled);
    }
    endAt(shuffleFinished, SubPhase.SORT, attempt);
    endAt(sortFinished, SubPhase.REDUCE, attempt);
    attempt.report(at, subPhase, fraction, bytesRead);
  }

  /** A time by the task's clock, which may run apart from ours, is put where it must lie. */
  private void endAt(double reportedEnd, SubPhase next, AttemptModel attempt) {
    if (!Double.isNaN(reportedEnd)) {
      double lastReport = attempt.lastReportAt();
      double earliest = Double.isNaN(lastReport) ? attempt.launchedAt() : lastReport;
      attempt.enter(next, Math.min(at, earliest > reportedEnd ? earliest : reportedEnd));
    }
  }
}
