// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures behind a decision. Each pass creates one of these for each running task. So it holds
 * plain numbers, with NaN for a figure that was not known or not needed, and wraps them when a
 * caller asks.
 *
 * @param copies c, the attempts of the task that held a container or waited for one
 * @param kills how often the task had been killed and restarted before
 * @param tasksWait whether tasks of the phase were waiting for slots
 * @param work fraction of the present sub-phase that the best attempt had done
 * @param tRem t_rem of the best attempt, seconds; infinite if it has stopped; NaN if not known
 * @param by what t_rem is based on; null if t_rem is not known
 * @param tNew E[t_new], seconds; NaN if not known
 * @param chance P(t_new &lt; c/(c+1) t_rem); NaN if the rule did not need it
 * @param limit the value that the deciding quantity was compared with: seconds for t_rem and for
 *     savings, a probability if a probability decides; NaN if nothing was compared
 * @param observations attempts behind the distribution of t_new
 */
public record Evidence(
    int copies,
    int kills,
    boolean tasksWait,
    double work,
    double tRem,
    Basis by,
    double tNew,
    double chance,
    double limit,
    int observations) {

  /** Creates the evidence about a task; for the figures see above. */
  public Evidence(
      TaskModel task,
      boolean tasksWait,
      double work,
      double tRem,
      Basis by,
      double tNew,
      double chance,
      double limit,
      int observations) {
    this(task.copies(), task.kills(), tasksWait, work, tRem, by, tNew, chance, limit, observations);
  }

  /** Creates the evidence of a rule that does not use times. */
  public static Evidence withoutEstimates(TaskModel task, boolean tasksWait, double work) {
    return new Evidence(
        task, tasksWait, work, Double.NaN, null, Double.NaN, Double.NaN, Double.NaN, 0);
  }

  /**
   * Creates the evidence against an attempt that is slower than others of its task.
   *
   * @param limit t_rem of those others, seconds
   */
  public static Evidence ofSlower(
      AttemptModel attempt, boolean tasksWait, double tRem, Basis by, double limit) {
    TaskModel task = attempt.task();
    double work = attempt.work();
    return new Evidence(
        task, tasksWait, work, tRem, by, Double.NaN, Double.NaN, limit, task.copies());
  }

  /** Returns the best attempt's t_rem, seconds; infinite if it has stopped. */
  public OptionalDouble remaining() {
    return known(tRem);
  }

  /** Returns what t_rem is based on. */
  public Optional<Basis> basis() {
    return Optional.ofNullable(by);
  }

  /** Returns E[t_new], seconds. */
  public OptionalDouble fresh() {
    return known(tNew);
  }

  /** Returns P(t_new &lt; c/(c+1) t_rem). */
  public OptionalDouble probability() {
    return known(chance);
  }

  /** Returns the value that the deciding quantity was compared with. */
  public OptionalDouble threshold() {
    return known(limit);
  }

  /** Returns E[t_rem - t_new], the seconds that a new attempt is expected to save. */
  public OptionalDouble saving() {
    return known(tRem - tNew);
  }

  private static OptionalDouble known(double value) {
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** What an estimate is based on. */
  public enum Basis {
    /** Bytes read out of a known number of bytes: Mantri section 5.5, equation (2). */
    BYTES,
    /** The fraction that the task reports, if the bytes are unknown or contradict it. */
    PROGRESS,
    /** The time that other attempts of the phase took for the same sub-phase. */
    PEERS
  }
}
