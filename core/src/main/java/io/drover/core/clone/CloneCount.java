// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

/**
 * Computes how many copies of a task start together, including the first one, so that a job meets
 * an outlier with a probability of at most eps:
 *
 * <pre>
 *   task-level: 1 - (1 - p^c)^n &lt;= eps   =&gt;   c_o = log(1 - (1 - eps)^(1/n)) / log p
 *   job-level:  (1 - (1 - p)^n)^c &lt;= eps  =&gt;   c   = log eps / log(1 - (1 - p)^n)
 * </pre>
 *
 * <p>p is the probability that one copy of one task is an outlier, and n is the job's number of
 * tasks.
 *
 * <p>Source: Dolly section 3.1 and pseudocode 1. The printed formula for c_o is garbled (the
 * exponent is 1/n), so it is derived here from the paper's own probability. The paper does not
 * round. Here, a count is rounded up to a whole number.
 *
 * <p>Beyond the paper, a task that is alone in its phase can have a lower eps. If other tasks
 * become outliers in spite of their clones, they are restarted. A task that is alone cannot be
 * compared with anything, so only its clones can rescue it.
 *
 * <p>If the outlier probabilities of the machines are known, the combined probability of a task's
 * copies counts. Departure: the paper chooses the smallest set of machines beforehand. YARN hands
 * out machines one by one, so the copies that have a machine count with its probability, and the
 * others count with the cluster's p ({@link #ofTask}).
 */
public final class CloneCount {
  private final double eps;
  private final double singleTaskEps;
  private final int most;

  /**
   * Creates Dolly's rule, with the same eps for all tasks.
   *
   * @param eps the accepted probability that a job meets an outlier, in (0,1); 0.05 in Dolly
   *     section 3.1
   * @param most the maximum number of copies, including the first one, at least 1
   */
  public CloneCount(double eps, int most) {
    this(eps, eps, most);
  }

  /**
   * Creates the rule with a separate eps for a task that is alone in its phase.
   *
   * @param eps as above; with 1 no task has clones
   * @param singleTaskEps the accepted probability that a task alone in its phase meets an outlier,
   *     in (0,1]; values from {@code eps} upwards make no difference
   * @param most as above
   */
  public CloneCount(double eps, double singleTaskEps, int most) {
    checkAim(eps);
    checkAim(singleTaskEps);
    if (most < 1) {
      throw new IllegalArgumentException("most must be at least 1, was " + most);
    }
    this.eps = eps;
    this.singleTaskEps = singleTaskEps;
    this.most = most;
  }

  private static void checkAim(double eps) {
    if (!(eps > 0 && eps <= 1)) {
      throw new IllegalArgumentException("eps must lie in (0,1], was " + eps);
    }
  }

  /**
   * Returns the number of copies of each task of a phase.
   *
   * @param tasks n, at least 1
   * @param inPhase how many of the n tasks are in the phase, at least 1
   * @param p in [0,1]
   * @return 1 to {@code most}; {@code most} if no number of copies is enough
   */
  public int ofEachTask(int tasks, int inPhase, double p) {
    return wholeCopies(Math.log(accepted(tasks, inPhase)), p);
  }

  /**
   * Returns the number of copies of a task when some of them have a machine and it is not known
   * where the others will run. This is the smallest number whose combined outlier probability is at
   * most the accepted one. A copy on a bad machine is worth less, so such a task gets more copies.
   *
   * @param tasks n, at least 1
   * @param inPhase how many of the n tasks are in the task's phase, at least 1
   * @param p the cluster-wide probability, in [0,1]
   * @param placed p_m of the machine of each copy that has one, in [0,1]
   * @return 1 to {@code most}, but not less than the number of placed copies
   */
  public int ofTask(int tasks, int inPhase, double p, double[] placed) {
    check(tasks, p);
    double combined = 1;
    for (double machine : placed) {
      check(tasks, machine);
      combined *= machine;
    }
    double missing = accepted(tasks, inPhase) / combined;
    boolean enough = placed.length > 0 && missing >= 1 - 1e-9;
    int more = enough ? 0 : wholeCopies(Math.log(missing), p);
    return Math.max(placed.length, Math.min(most, placed.length + more));
  }

  /**
   * Returns the number of copies of the whole job.
   *
   * @param tasks n, at least 1
   * @param p in [0,1]
   * @return 1 to {@code most}; {@code most} if no number of copies is enough
   */
  public int ofWholeJob(int tasks, double p) {
    check(tasks, p);
    return wholeCopies(Math.log(eps), -Math.expm1(tasks * Math.log1p(-p)));
  }

  /** Returns the accepted probability that all copies of a task of a phase are outliers. */
  private double accepted(int tasks, int inPhase) {
    double usual = outlierPerTask(tasks);
    return inPhase == 1 ? Math.min(usual, singleTaskEps) : usual;
  }

  /** Returns the paper's accepted probability for each task of a job: 1 - (1 - eps)^(1/n). */
  private double outlierPerTask(int tasks) {
    return -Math.expm1(Math.log1p(-eps) / tasks);
  }

  /** Returns the smallest c for which the log of {@code probability^c} is at most {@code log}. */
  private int wholeCopies(double log, double probability) {
    if (probability <= 0 || log >= 0) {
      return 1;
    }
    if (probability >= 1) {
      return most;
    }
    double copies = Math.ceil(log / Math.log(probability) - 1e-9);
    return (int) Math.max(1, Math.min(most, copies));
  }

  private static void check(int tasks, double p) {
    if (tasks < 1) {
      throw new IllegalArgumentException("tasks must be at least 1, was " + tasks);
    }
    if (!(p >= 0 && p <= 1)) {
      throw new IllegalArgumentException("a probability must lie in [0,1], was " + p);
    }
  }
}
