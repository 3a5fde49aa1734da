// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import java.util.OptionalInt;

/**
 * Decides which copy of an upstream task's output each attempt of a downstream task reads, and how
 * long the attempt waits for a copy of its own:
 *
 * <pre>
 *   omega = share * t             t: the job's time so far when the first copy exists
 *   reader i reads copy i         as soon as it exists; the first attempt is reader 0
 *   reader i reads copy i mod k   of the k existing copies, after omega or if no more are expected
 *   a further copy is expected    if t_rem &lt;= omega for the attempt that makes it
 * </pre>
 *
 * <p>Source: Dolly (HotCloud 2012) section 4 raises the question. Cloned reduces must not overwhelm
 * the machine they fetch from, and the risk of waiting for a map's clone must be balanced against
 * the contention. The authors' full paper ("Effective Straggler Mitigation: Attack of the Clones",
 * NSDI 2013, on intermediate data) answers it with delay assignment: wait for a small window omega,
 * then share. This lies between letting each clone wait for its own copy (contention avoidance) and
 * letting all clones read the first copy (contention cloning).
 *
 * <p>Departures: omega is a share of the job's own time, because a small job ends before its
 * bandwidths are known. This also bounds the cost of waiting. The first attempt never waits, so a
 * reduce can be late only if its clone would have finished first. If an attempt's own reports show
 * that it is an outlier, no reader waits for its copy, and it gives its slot back at once.
 */
public final class DelayAssignment {
  private final double share;

  /**
   * Creates the rule.
   *
   * @param share how long a reader waits at most, as a share of the job's time so far, in [0,1];
   *     with 0 readers never wait
   */
  public DelayAssignment(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share must lie in [0,1], was " + share);
    }
    this.share = share;
  }

  /** Returns whether readers ever wait. */
  public boolean waits() {
    return share > 0;
  }

  /**
   * Returns omega.
   *
   * @param jobMillis the job's time so far, at least 0
   */
  public long omegaMillis(long jobMillis) {
    return (long) (share * jobMillis);
  }

  /**
   * Returns when an attempt is expected to end if it continues at its pace between two moments.
   *
   * @param since the first moment, in milliseconds: the first report, which leaves out the start of
   *     the process, or the launch if there is only one report
   * @param doneThen the share of the work that was done at that moment, in [0,1]
   * @param reported when the attempt reported last, in milliseconds
   * @param done the share of the work that was done at the last report, in [0,1]
   * @return milliseconds; infinite if the attempt made no progress
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
   * Returns the copy that a reader reads now.
   *
   * @param reader the number of the reader, from 0
   * @param copies the number of existing copies, at least 1
   * @param moreExpected whether another copy is expected and omega is not over
   * @return the number of the copy, from 0; empty if the reader waits
   */
  public static OptionalInt copyFor(int reader, int copies, boolean moreExpected) {
    if (reader >= copies && moreExpected) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(reader % copies);
  }
}
