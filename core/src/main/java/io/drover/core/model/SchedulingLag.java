// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.OptionalDouble;
import org.apache.commons.math3.stat.descriptive.rank.PSquarePercentile;

/**
 * schedLag of Mantri section 5.5: how long it takes from asking for a container until the attempt
 * in it is first heard of.
 *
 * <p>Most attempts have done some work when they are first heard of, one period after they began.
 * That time is part of what the work takes, so it is taken off the start.
 *
 * <p>The paper has one mean. Here the wait for a slot and the start in the slot are learnt apart,
 * because in a job of many waves the first attempts of the last wave waited for hours, and a copy
 * made when slots idle does not. So it is with the start: many that start at once, at a job's
 * beginning, start several times slower than one. While tasks wait it is an exponential moving
 * average of all starts; when slots idle, that of the starts of copies, and before the first of
 * them the lower quartile of all starts, if it is less. The wait of a copy is taken from recent
 * copies (an exponential moving average, one for those asked for while other tasks waited and one
 * for the others); before the first such copy it is the mean wait of attempts while tasks are
 * waiting, and the shortest wait seen when none is.
 *
 * <p>The first attempt of a reduce is held back until enough maps are done, which says nothing
 * about slots: its wait counts only as one that was not shorter. So the two phases of a job share
 * one of these.
 */
public final class SchedulingLag {
  private static final double RECENT = 0.3;

  private final RunningMean wait = new RunningMean();
  private double recentStart = Double.NaN;
  private double recentCopyStart = Double.NaN;
  private final PSquarePercentile lowerStart = new PSquarePercentile(25);
  private double recentHeadStart = Double.NaN;
  private double longestStart;
  private double shortestWait = Double.POSITIVE_INFINITY;
  private double busyCopyWait = Double.NaN;
  private double idleCopyWait = Double.NaN;

  /** Nothing has been seen yet. */
  public SchedulingLag() {
    // only the initial values
  }

  /**
   * An attempt was launched {@code seconds} after it was asked for.
   *
   * @param isCopy whether its task had an attempt before
   * @param tasksWaited whether other tasks of the phase waited for slots when it was asked for
   */
  void launched(double seconds, boolean isCopy, boolean tasksWaited) {
    if (!Double.isFinite(seconds)) {
      return;
    }
    double waited = Math.max(0, seconds);
    wait.add(waited);
    shortestWait = Math.min(shortestWait, waited);
    if (isCopy && tasksWaited) {
      busyCopyWait = moved(busyCopyWait, waited);
    } else if (isCopy) {
      idleCopyWait = moved(idleCopyWait, waited);
    }
  }

  /** An attempt was launched that had been held back: its slot took no longer than that. */
  void launchedAfterHold(double seconds) {
    if (Double.isFinite(seconds)) {
      shortestWait = Math.min(shortestWait, Math.max(0, seconds));
    }
  }

  private static double moved(double average, double latest) {
    return Double.isNaN(average) ? latest : average + RECENT * (latest - average);
  }

  /** An attempt was first heard of {@code seconds} after its launch. */
  void firstReport(double seconds, boolean isCopy) {
    if (!Double.isFinite(seconds)) {
      return;
    }
    double taken = Math.max(0, seconds);
    recentStart = moved(recentStart, taken);
    recentCopyStart = isCopy ? moved(recentCopyStart, taken) : recentCopyStart;
    lowerStart.increment(taken);
    longestStart = taken > longestStart ? taken : longestStart;
  }

  /**
   * An attempt had been at work for {@code seconds} when it was first heard of. The time that its
   * work takes has them too, so they are no lag.
   */
  void headStart(double seconds) {
    recentHeadStart = moved(recentHeadStart, seconds);
  }

  /** How long attempts had usually been at work when they were first heard of; 0 if unknown. */
  double headStart() {
    return Double.isNaN(recentHeadStart) ? 0 : recentHeadStart;
  }

  /** The longest time from a launch to the first report; infinite before any. */
  double longestStart() {
    return Double.isNaN(recentStart) ? Double.POSITIVE_INFINITY : longestStart;
  }

  /**
   * Seconds from asking for a copy now until it is at work. Where attempts end before they report,
   * the start is part of what their work took, and nothing is added for it here.
   *
   * @param tasksWait whether tasks of the phase are waiting for slots
   * @return empty before any attempt has been launched
   */
  public OptionalDouble seconds(boolean tasksWait) {
    if (Double.isInfinite(shortestWait)) {
      return OptionalDouble.empty();
    }
    double slot = tasksWait ? wait.orElse(shortestWait) : shortestWait;
    double copy = tasksWait ? busyCopyWait : idleCopyWait;
    double start = Math.max(0, untilHeardOf(tasksWait) - headStart());
    return OptionalDouble.of(start + (Double.isNaN(copy) ? slot : copy));
  }

  private double untilHeardOf(boolean tasksWait) {
    if (Double.isNaN(recentStart)) {
      return 0;
    }
    if (tasksWait) {
      return recentStart;
    }
    return Double.isNaN(recentCopyStart)
        ? Math.min(recentStart, lowerStart.getResult())
        : recentCopyStart;
  }
}
