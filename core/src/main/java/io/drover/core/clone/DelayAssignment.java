// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import java.util.OptionalInt;

/**
 * Chooses the copy of an upstream task's output that each attempt of a downstream task reads, and
 * how long the attempt waits for a copy of its own:
 *
 * <pre>
 *   omega = share * t             t: the job's time so far, when the first copy is there
 *   reader i reads copy i         as soon as it is there; readers count from 0, the first attempt
 *   reader i reads copy i mod k   of the k copies there are, after omega, or if no more are expected
 *   a further copy is expected    if t_rem &lt;= omega of the attempt that makes it
 * </pre>
 *
 * <p>Source: Dolly (HotCloud 2012) section 4 poses the question: cloned reduces must not overwhelm
 * the machine they fetch from, and the risk of waiting for a map's clone is to be balanced against
 * the contention. The full paper of the authors ("Effective Straggler Mitigation: Attack of the
 * Clones", NSDI 2013, on intermediate data) answers it by delay assignment, between each clone
 * waiting for a copy of its own (contention avoidance) and all reading the first (contention
 * cloning): wait for a small window omega, then share.
 *
 * <p>Departures: omega is a share of the job's own time, because a small job is over before its
 * bandwidths are known; so it bounds what the waiting can cost. The first attempt never waits, so
 * only a reduce that its clone would have finished first can be late. What is an outlier by its own
 * reports is not waited for at all, and gives its slot back at once.
 */
public final class DelayAssignment {
  private final double share;

  /**
   * The rule.
   *
   * @param share of the job's time so far that a reader waits at most, in [0,1]; 0 shares always
   */
  public DelayAssignment(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a share lies in [0,1], not " + share);
    }
    this.share = share;
  }

  /** Whether anybody ever waits. */
  public boolean waits() {
    return share > 0;
  }

  /**
   * omega.
   *
   * @param jobMillis the job's time so far, at least 0
   */
  public long omegaMillis(long jobMillis) {
    return (long) (share * jobMillis);
  }

  /**
   * When an attempt is expected to end that goes on as it did between two points in time.
   *
   * @param since the first of them, in milliseconds: of its first report, which leaves the start of
   *     its process out, or of its launch if it has reported only once
   * @param doneThen share of its work that was done then, in [0,1]
   * @param reported when it reported last, in milliseconds
   * @param done share of its work that was done then, in [0,1]
   * @return milliseconds; infinite if it stands still
   */
  public static double expectedEnd(long since, double doneThen, long reported, double done) {
    if (done >= 1) {
      return reported;
    }
    return done > doneThen
        ? reported + (1 - done) * (reported - since) / (done - doneThen)
        : Double.POSITIVE_INFINITY;
  }

  /**
   * Which copy a reader reads now.
   *
   * @param reader from 0
   * @param copies that there are, at least 1
   * @param moreExpected whether another is expected, and omega is not over
   * @return the number of the copy, from 0; empty if the reader waits
   */
  public static OptionalInt copyFor(int reader, int copies, boolean moreExpected) {
    if (reader >= copies && moreExpected) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(reader % copies);
  }
}
