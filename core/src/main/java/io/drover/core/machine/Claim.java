// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * A job's claim about its attempts on one machine, from the start of the job until now. Claims are
 * totals and not differences, so a claim that is lost, repeated or out of order does no harm.
 *
 * @param judged the number of attempts that ended and could be judged, at least 0
 * @param outliers how many of the judged attempts were outliers, 0 to {@code judged}
 * @param outputs the number of attempts whose output was kept on the machine, at least 0
 * @param lost how many of these outputs were lost and made again (recomputations, Mantri section
 *     3.2), 0 to {@code outputs}
 */
public record Claim(int judged, int outliers, int outputs, int lost) {
  /** Checks the ranges above, because a claim comes from another process. */
  public Claim {
    check("outliers", outliers, "judged", judged);
    check("lost", lost, "outputs", outputs);
  }

  private static void check(String part, int few, String whole, int many) {
    if (few < 0 || few > many) {
      throw new IllegalArgumentException(
          String.format("%s must lie between 0 and %s (%d), was %d", part, whole, many, few));
    }
  }

  /** Creates a claim about judged attempts only. */
  public static Claim ofAttempts(int judged, int outliers) {
    return new Claim(judged, outliers, 0, 0);
  }

  /** Creates a claim about outputs only. */
  public static Claim ofOutputs(int outputs, int lost) {
    return new Claim(0, 0, outputs, lost);
  }

  /** Returns the sum of both claims, for example those of two phases of a job. */
  public Claim plus(Claim other) {
    return new Claim(
        sum(judged, other.judged),
        sum(outliers, other.outliers),
        sum(outputs, other.outputs),
        sum(lost, other.lost));
  }

  /** Limits the sum to the largest int, so that numbers of another process cause no exception. */
  private static int sum(int one, int other) {
    return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
  }
}
