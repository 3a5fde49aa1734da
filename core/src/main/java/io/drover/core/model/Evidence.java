// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures behind a decision. A figure that was not known or not needed is empty.
 *
 * <p>Each pass creates one of these for each running task. So it keeps plain numbers, with NaN for
 * an unknown figure, and wraps them when a caller asks.
 */
public final class Evidence {
  private final int copies;
  private final int kills;
  private final boolean tasksWait;
  private final double work;
  private final double remaining;
  private final Basis basis;
  private final double fresh;
  private final double probability;
  private final double threshold;
  private final int observations;

  /**
   * Creates the evidence about a task.
   *
   * @param tasksWait whether tasks of the phase were waiting for slots
   * @param work fraction of the present sub-phase that the best attempt had done
   * @param remaining t_rem of the best attempt, seconds; infinite if it has stopped; NaN if not
   *     known
   * @param basis what t_rem is based on; null if t_rem is not known
   * @param fresh E[t_new], seconds; NaN if not known
   * @param probability P(t_new &lt; c/(c+1) t_rem); NaN if the rule did not need it
   * @param threshold the value that the deciding quantity was compared with: seconds for t_rem and
   *     for savings, a probability if a probability decides; NaN if nothing was compared
   * @param observations attempts behind the distribution of t_new
   */
  public Evidence(
      TaskModel task,
      boolean tasksWait,
      double work,
      double remaining,
      Basis basis,
      double fresh,
      double probability,
      double threshold,
      int observations) {
    this.copies = task.copies();
    this.kills = task.kills();
    this.tasksWait = tasksWait;
    this.work = work;
    this.remaining = remaining;
    this.basis = basis;
    this.fresh = fresh;
    this.probability = probability;
    this.threshold = threshold;
    this.observations = observations;
  }

  /** Creates the evidence of a rule that does not use times. */
  public static Evidence withoutEstimates(TaskModel task, boolean tasksWait, double work) {
    return new Evidence(
        task, tasksWait, work, Double.NaN, null, Double.NaN, Double.NaN, Double.NaN, 0);
  }

  /** Returns c, the attempts of the task that held a container or waited for one. */
  public int copies() {
    return copies;
  }

  /** Returns how often the task had been killed and restarted before. */
  public int kills() {
    return kills;
  }

  /** Returns whether tasks of the phase were waiting for slots. */
  public boolean tasksWait() {
    return tasksWait;
  }

  /** Returns the fraction of the present sub-phase that the best attempt had done. */
  public double work() {
    return work;
  }

  /** Returns the best attempt's t_rem, seconds; infinite if it has stopped. */
  public OptionalDouble remaining() {
    return known(remaining);
  }

  /** Returns what t_rem is based on. */
  public Optional<Basis> basis() {
    return Optional.ofNullable(basis);
  }

  /** Returns E[t_new], seconds. */
  public OptionalDouble fresh() {
    return known(fresh);
  }

  /** Returns P(t_new &lt; c/(c+1) t_rem). */
  public OptionalDouble probability() {
    return known(probability);
  }

  /**
   * Returns the value that the deciding quantity was compared with: seconds for t_rem and for
   * savings, a probability if a probability decides.
   */
  public OptionalDouble threshold() {
    return known(threshold);
  }

  /** Returns the number of attempts behind the distribution of t_new. */
  public int observations() {
    return observations;
  }

  /** Returns E[t_rem - t_new], the seconds that a new attempt is expected to save. */
  public OptionalDouble saving() {
    return known(remaining - fresh);
  }

  /**
   * Returns the slot-seconds that a copy is expected to cost compared with leaving the task alone:
   * (c+1) t_new - c t_rem. A negative value is a saving.
   */
  public OptionalDouble cost() {
    return known((copies + 1) * fresh - copies * remaining);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Evidence e
        && copies == e.copies
        && kills == e.kills
        && tasksWait == e.tasksWait
        && observations == e.observations
        && basis == e.basis
        && Arrays.equals(figures(), e.figures());
  }

  @Override
  public int hashCode() {
    return Objects.hash(copies, kills, tasksWait, observations, basis, Arrays.hashCode(figures()));
  }

  @Override
  public String toString() {
    return String.format(
        "copies %d, kills %d, tasksWait %b, by %s, observations %d,"
            + " [work, t_rem, t_new, P, threshold] %s",
        copies, kills, tasksWait, basis, observations, Arrays.toString(figures()));
  }

  private double[] figures() {
    return new double[] {work, remaining, fresh, probability, threshold};
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
