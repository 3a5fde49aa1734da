// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * A job's claim about its attempts on one machine, from the start of the job until now. Totals and
 * not differences, so that a claim that is lost, repeated or out of order does no harm.
 *
 * @param judged attempts that ended and could be judged, at least 0
 * @param outliers of those judged, at most all of them
 * @param outputs attempts whose output was kept there, at least 0
 * @param lost of those outputs, how many were lost and made again (recomputations, Mantri section
 *     3.2), at most all of them
 */
public record Claim(int judged, int outliers, int outputs, int lost) {
  /** Checks the ranges above: a claim comes from another process. */
  public Claim {
    check("outliers", outliers, "judged", judged);
    check("lost", lost, "outputs", outputs);
  }

  private static void check(String part, int few, String whole, int many) {
    if (few < 0 || few > many) {
      throw new IllegalArgumentException(
          String.format("%s must lie between 0 and %s, %d, was %d", part, whole, many, few));
    }
  }

  /** A claim of judged attempts only. */
  public static Claim ofAttempts(int judged, int outliers) {
    return new Claim(judged, outliers, 0, 0);
  }

  /** A claim of outputs only. */
  public static Claim ofOutputs(int outputs, int lost) {
    return new Claim(0, 0, outputs, lost);
  }

  /** Both together: of two phases of a job, say. */
  public Claim plus(Claim other) {
    return new Claim(
        sum(judged, other.judged),
        sum(outliers, other.outliers),
        sum(outputs, other.outputs),
        sum(lost, other.lost));
  }

  /** The largest number stands for all larger ones: what another process says throws nothing. */
  private static int sum(int one, int other) {
    return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
  }
}
