// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.OptionalDouble;
import org.apache.commons.math3.stat.descriptive.rank.PSquarePercentile;

/**
 * Measures schedLag of Mantri section 5.5: the time from the request for a container to the first
 * report of the attempt in it.
 *
 * <p>Most attempts have already done some work at their first report, one period after they began.
 * That time is part of what the work takes, so it is subtracted from the start.
 *
 * <p>The paper has one mean. This class learns the wait for a slot and the start in the slot
 * separately. In a job of many waves the first attempts of the last wave wait for hours, but a copy
 * made while slots are idle does not. Starts differ as well: many at once, at a job's beginning,
 * take several times longer than a single one. While tasks wait, the start is an exponential moving
 * average of all starts. When slots are idle, it is that of the starts of copies; before the first
 * of them it is the lower quartile of all starts, or their average if that is less. The wait of a
 * copy is an exponential moving average over copies, one for those requested while other tasks
 * waited and one for the rest. An attempt that replaces one which was killed or has failed is no
 * copy: while no task waits, a preempted one may wait for as long as others need the cluster.
 * Before the first such copy it is the mean wait of attempts while tasks wait, and the shortest
 * wait seen otherwise.
 *
 * <p>The first attempt of a reduce is held back until enough maps are done, which says nothing
 * about slots. Its wait is only an upper limit for the shortest wait. So both phases of a job can
 * share one instance.
 */
public final class SchedulingLag {
  private static final double RECENT = 0.3;

  private final RunningMean wait = new RunningMean();
  private double recentStart = Double.NaN;
  private double recentCopyStart = Double.NaN;
  private final PSquarePercentile lowerStart = new PSquarePercentile(25);
  private final LogNormal starts = new LogNormal();
  private double recentHeadStart = Double.NaN;
  private double shortestWait = Double.POSITIVE_INFINITY;
  private boolean isAnyOlder;
  private double busyCopyWait = Double.NaN;
  private double idleCopyWait = Double.NaN;

  /**
   * Notes that an attempt was launched {@code seconds} after its request.
   *
   * @param isCopy whether another attempt of its task was live at the request
   * @param tasksWaited whether tasks of the phase waited for slots at the request
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

  /** Notes the launch of an attempt that was held back: a slot was free by then at the latest. */
  void launchedAfterHold(double seconds) {
    if (Double.isFinite(seconds)) {
      shortestWait = Math.min(shortestWait, Math.max(0, seconds));
    }
  }

  /**
   * Notes the launch of an attempt whose request was not seen. How long it waited is not known; it
   * counts as no wait until that of another one is known that was not held back.
   */
  void launchedBefore() {
    isAnyOlder = true;
  }

  private static double moved(double average, double latest) {
    return Double.isNaN(average) ? latest : average + RECENT * (latest - average);
  }

  /** Notes that an attempt first reported {@code seconds} after its launch. */
  void firstReport(double seconds, boolean isCopy) {
    if (!Double.isFinite(seconds)) {
      return;
    }
    double taken = Math.max(0, seconds);
    recentStart = moved(recentStart, taken);
    recentCopyStart = isCopy ? moved(recentCopyStart, taken) : recentCopyStart;
    lowerStart.increment(taken);
    starts.add(taken);
  }

  /**
   * Notes that an attempt had worked for {@code seconds} at its first report. That time is part of
   * what its work takes, so it is not part of the lag.
   */
  void headStart(double seconds) {
    recentHeadStart = moved(recentHeadStart, seconds);
  }

  /** Returns how long attempts have usually worked before their first report; 0 if not known. */
  double headStart() {
    return Double.isNaN(recentHeadStart) ? 0 : recentHeadStart;
  }

  /** Returns the times from a launch to the first report. */
  LogNormal starts() {
    return starts;
  }

  /**
   * Returns the seconds from the request for a copy now until it works. If attempts end before they
   * report, the start is part of what their work took and adds nothing here.
   *
   * @param tasksWait whether tasks of the phase are waiting for slots
   * @return empty before any attempt has been launched
   */
  public OptionalDouble seconds(boolean tasksWait) {
    boolean isAnySeen = !Double.isNaN(wait.orElse(Double.NaN));
    double shortest = isAnyOlder && !isAnySeen ? 0 : shortestWait;
    if (Double.isInfinite(shortest)) {
      return OptionalDouble.empty();
    }
    double slot = tasksWait ? wait.orElse(shortest) : shortest;
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
