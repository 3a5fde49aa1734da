// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures behind a decision. Whatever was not known, or not needed, is empty.
 *
 * <p>One is made for each running task in each pass, so it keeps plain numbers, NaN inside for what
 * is not known, and wraps them when they are asked for.
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
   * The evidence about a task.
   *
   * @param tasksWait whether tasks of the phase were waiting for slots
   * @param work fraction of the present sub-phase that was done by the best attempt
   * @param remaining t_rem of the best attempt, seconds; infinite if it has stopped moving; NaN if
   *     not known
   * @param basis what t_rem rests on; null if it is not known
   * @param fresh E[t_new], seconds; NaN if not known
   * @param probability P(t_new &lt; c/(c+1) t_rem); NaN if not asked for
   * @param threshold what the deciding quantity was compared with: seconds for t_rem and for
   *     savings, a probability where a probability decides; NaN if nothing was compared
   * @param observations attempts on which the distribution of t_new rests
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

  /** The evidence of a rule that does not look at times. */
  public static Evidence withoutEstimates(TaskModel task, boolean tasksWait, double work) {
    return new Evidence(
        task, tasksWait, work, Double.NaN, null, Double.NaN, Double.NaN, Double.NaN, 0);
  }

  /** Attempts of the task, c, that held or waited for a container. */
  public int copies() {
    return copies;
  }

  /** How often the task had been killed and restarted before. */
  public int kills() {
    return kills;
  }

  /** Whether tasks of the phase were waiting for slots. */
  public boolean tasksWait() {
    return tasksWait;
  }

  /** Fraction of the present sub-phase that was done by the best attempt. */
  public double work() {
    return work;
  }

  /** The best attempt's t_rem, seconds; infinite if it has stopped moving. */
  public OptionalDouble remaining() {
    return known(remaining);
  }

  /** What t_rem rests on. */
  public Optional<Basis> basis() {
    return Optional.ofNullable(basis);
  }

  /** E[t_new], seconds. */
  public OptionalDouble fresh() {
    return known(fresh);
  }

  /** P(t_new &lt; c/(c+1) t_rem). */
  public OptionalDouble probability() {
    return known(probability);
  }

  /**
   * What the deciding quantity was compared with: seconds for t_rem and for savings, a probability
   * where a probability decides.
   */
  public OptionalDouble threshold() {
    return known(threshold);
  }

  /** Attempts on which the distribution of t_new rests. */
  public int observations() {
    return observations;
  }

  /** E[t_rem - t_new]: seconds by which the task is expected to end sooner with a new attempt. */
  public OptionalDouble saving() {
    return known(remaining - fresh);
  }

  /**
   * The slot-seconds that a copy is expected to cost over leaving the task alone: (c+1) t_new - c
   * t_rem. Below zero it saves them.
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

  /** What an estimate rests on. */
  public enum Basis {
    /** Bytes read out of a known number of bytes: Mantri section 5.5, equation (2). */
    BYTES,
    /** The fraction that the task itself reports, where the bytes are unknown or contradict it. */
    PROGRESS,
    /** The durations that other attempts of the phase took for the same stretch. */
    PEERS
  }
}
