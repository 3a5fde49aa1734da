// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A decision about one task: what to do, why, and on what evidence. Leaving a task alone is a
 * decision too. The same value feeds the log, the metrics, the page and the tests.
 *
 * @param at when it was taken, seconds
 * @param task the task it concerns
 * @param attempt the attempt that is to be killed, or that was found wanting
 * @param rule why
 * @param evidence on what
 */
public record Decision(
    double at, TaskModel task, Optional<AttemptModel> attempt, Rule rule, Evidence evidence) {

  /** What is to be done. */
  public Action action() {
    return rule.action();
  }

  /** One sentence for people: what, why, and the figures. */
  public String explain() {
    StringBuilder text = new StringBuilder(160);
    text.append(action()).append(": ").append(rule.sentence());
    evidence.remaining().ifPresent(s -> text.append("; t_rem ").append(seconds(s)));
    evidence.basis().ifPresent(b -> text.append(" by ").append(b));
    evidence.fresh().ifPresent(s -> text.append(", E[t_new] ").append(seconds(s)));
    append(text, ", P ", evidence.probability());
    append(text, ", threshold ", evidence.threshold());
    return text.append(", copies ").append(evidence.copies()).toString();
  }

  private static void append(StringBuilder text, String name, OptionalDouble value) {
    value.ifPresent(v -> text.append(name).append(String.format(Locale.ROOT, "%.2f", v)));
  }

  private static String seconds(double s) {
    return Double.isInfinite(s) ? "without end (stopped)" : String.format(Locale.ROOT, "%.1f s", s);
  }

  /** What a decision asks for. */
  public enum Action {
    /** Nothing is to be done to the task. */
    LEAVE,
    /** One more attempt is to run beside those that are there. */
    DUPLICATE,
    /** The attempt is to be killed and its task started again elsewhere. */
    KILL_AND_RESTART,
    /** The attempt is to be killed; others go on. */
    PRUNE,
    /** A waiting task is to get the next slot. */
    START
  }
}
