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
 * <p>where p is the probability that one copy of one task is an outlier and n the number of the
 * job's tasks.
 *
 * <p>Source: Dolly section 3.1 and pseudocode 1. The print of c_o is garbled (its exponent is 1/n);
 * the form here is solved from the paper's own probability. The paper does not round; a count is
 * the next whole number.
 *
 * <p>Beyond the paper, a task that is alone in its phase may be held to a lower eps of its own. The
 * others are looked after by restarts if they become outliers all the same; this one nobody can
 * compare with anything, so that its clones are all that can rescue it.
 *
 * <p>Where the machines' own probabilities are known, the combined one of a task's copies counts.
 * Departure: the paper has the smallest set of machines for them chosen beforehand; YARN gives
 * machines one by one, so those that have come are counted with what they are worth, and the rest
 * with the cluster's p ({@link #ofTask}).
 */
public final class CloneCount {
  private final double eps;
  private final double singleTaskEps;
  private final int most;

  /**
   * Dolly's rule for a given aim.
   *
   * @param eps the probability of an outlier that is accepted for a job, in (0,1); 0.05 in Dolly
   *     section 3.1
   * @param most copies at most, the first one included, at least 1
   */
  public CloneCount(double eps, int most) {
    this(eps, eps, most);
  }

  /**
   * The rule for given aims.
   *
   * @param eps as above
   * @param singleTaskEps the probability of an outlier that is accepted for a task alone in its
   *     phase, in (0,1); from {@code eps} upwards it makes no difference
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
    if (!(eps > 0 && eps < 1)) {
      throw new IllegalArgumentException("eps must lie in (0,1), was " + eps);
    }
  }

  /**
   * Copies of each task of a phase.
   *
   * @param tasks n, at least 1
   * @param inPhase how many of them are in the phase, at least 1
   * @param p in [0,1]
   * @return 1 to {@code most}; {@code most} if no number of copies is enough
   */
  public int ofEachTask(int tasks, int inPhase, double p) {
    return wholeCopies(Math.log(accepted(tasks, inPhase)), p);
  }

  /**
   * Copies of a task of which some have got their machines, while it is not known where the others
   * will run: the fewest whose combined probability of an outlier is at most that of c_o copies
   * anywhere. On a machine that is worse than others a copy is worth less, so there are more.
   *
   * @param tasks n, at least 1
   * @param inPhase how many of them are in the task's phase, at least 1
   * @param p the cluster-wide probability, in [0,1]
   * @param placed p_m of the machine of each copy that has one, in [0,1]
   * @return 1 to {@code most}, but no fewer than are placed
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
   * Copies of the whole job.
   *
   * @param tasks n, at least 1
   * @param p in [0,1]
   * @return 1 to {@code most}; {@code most} if no number of copies is enough
   */
  public int ofWholeJob(int tasks, double p) {
    check(tasks, p);
    return wholeCopies(Math.log(eps), -Math.expm1(tasks * Math.log1p(-p)));
  }

  /** The probability with which all copies of a task of a phase may be outliers. */
  private double accepted(int tasks, int inPhase) {
    double usual = outlierPerTask(tasks);
    return inPhase == 1 ? Math.min(usual, singleTaskEps) : usual;
  }

  /** The same for any task of a job, by the paper: 1 - (1 - eps)^(1/n). */
  private double outlierPerTask(int tasks) {
    return -Math.expm1(Math.log1p(-eps) / tasks);
  }

  /** The smallest c of which {@code probability^c} has a logarithm of at most {@code log}. */
  private int wholeCopies(double log, double probability) {
    if (probability <= 0) {
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
      throw new IllegalArgumentException("a job has at least 1 task, not " + tasks);
    }
    if (!(p >= 0 && p <= 1)) {
      throw new IllegalArgumentException("a probability lies in [0,1], not " + p);
    }
  }
}
