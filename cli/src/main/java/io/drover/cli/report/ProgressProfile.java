// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.StatUtils;

/**
 * How an attempt progressed, from the time that it spent in each part of its progress.
 *
 * <p>The AppMaster keeps these times for parts of equal share (Hadoop's {@code
 * ProgressSplitsBlock}). Between two reports it divides the time equally among the parts that were
 * passed. So the first parts contain the time before the first report. And when an attempt ends
 * that was not done, the time since its last report is divided among all parts that it had not
 * reached: they are equal.
 */
final class ProgressProfile {
  /** So many parts tell what a part usually takes. */
  private static final int ENOUGH = 4;

  /** A first part that took more than this many times as long contains a wait. */
  private static final double WAITED = 2;

  private final double[] parts;
  private final int reached;
  private final double start;

  /** How long each part would have taken without the wait for the start. */
  private final double[] work;

  private ProgressProfile(double[] parts, int reached, double usualPart) {
    this.parts = parts;
    this.reached = reached;
    this.work = parts.clone();
    double part = partSeconds().orElse(usualPart);
    for (int i = 0; i < reached && parts[i] > WAITED * part; i++) {
      work[i] = part;
    }
    double waited = Arrays.stream(parts).sum() - Arrays.stream(work).sum();
    this.start = reached == 0 ? Arrays.stream(parts).sum() : waited;
  }

  /**
   * Returns the profile of an attempt.
   *
   * @param usualPart the seconds that a part usually takes in the phase; NaN if not known
   * @return empty if the history does not tell
   */
  static Optional<ProgressProfile> of(AttemptRecord attempt, double usualPart) {
    List<Integer> splits = attempt.figures().clockSplits();
    if (splits.size() < 2) {
      return Optional.empty();
    }
    double[] parts = splits.stream().mapToDouble(millis -> millis / 1e3).toArray();
    int reached = reached(splits);
    if (isDone(attempt) && reached == 0) {
      return Optional.empty(); // it reported only once, so nothing is known but its end
    }
    return Optional.of(
        new ProgressProfile(parts, isDone(attempt) ? parts.length : reached, usualPart));
  }

  private static boolean isDone(AttemptRecord attempt) {
    return attempt.won() || attempt.outcome() == Outcome.OUTPUT_LOST;
  }

  /** Returns how many parts come before those at the end that are equal. */
  private static int reached(List<Integer> splits) {
    int last = splits.get(splits.size() - 1);
    int equal = splits.size() - 1;
    while (equal > 0 && Math.abs(splits.get(equal - 1) - last) <= 1) {
      equal--;
    }
    return equal == splits.size() - 1 ? splits.size() : equal;
  }

  /** Returns the seconds from the launch until work began. */
  double startSeconds() {
    return start;
  }

  /** Returns the median time of a part; empty if too few were reached. */
  OptionalDouble partSeconds() {
    return reached >= ENOUGH
        ? OptionalDouble.of(StatUtils.percentile(parts, 0, reached, 50))
        : OptionalDouble.empty();
  }

  /**
   * Returns the longest time without progress after the work had begun: in one part, or from the
   * last report to the end of an attempt that was not done. Empty if it had not begun.
   */
  Optional<Stop> longestStop() {
    if (reached == 0) {
      return Optional.empty();
    }
    Stop longest = new Stop(share(reached), Arrays.stream(parts, reached, parts.length).sum());
    for (int i = 1; i < reached; i++) {
      if (parts[i] > longest.seconds() && parts[i - 1] <= parts[i] / WAITED) {
        longest = new Stop(share(i), parts[i]);
      }
    }
    return Optional.of(longest);
  }

  /**
   * A time without progress.
   *
   * @param progress how much was done, in [0,1]
   * @param seconds how long it was
   */
  record Stop(double progress, double seconds) {}

  private double share(int part) {
    return (double) part / parts.length;
  }

  /** Returns the progress so many seconds after the launch, in [0,1]. */
  double at(double age) {
    double from = start;
    for (int i = 0; i < reached; i++) {
      if (from + work[i] > age) {
        return age <= from ? share(i) : (i + (age - from) / work[i]) / parts.length;
      }
      from += work[i];
    }
    return share(reached);
  }
}
