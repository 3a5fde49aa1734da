// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A decision about one task: what to do, why, and on what evidence. Leaving a task alone is a
 * decision too. The log, the metrics, the web page and the tests all use the same value.
 *
 * @param at when the decision was made, seconds
 * @param task the task that it concerns
 * @param attempt the attempt to kill, or the attempt that the decision rests on
 * @param rule the rule that fired
 * @param evidence the figures behind the decision
 */
public record Decision(
    double at, TaskModel task, Optional<AttemptModel> attempt, Rule rule, Evidence evidence) {

  /** Returns the action to take. */
  public Action action() {
    return rule.action();
  }

  /** Returns the same decision for another reason. */
  public Decision because(Rule another) {
    return new Decision(at, task, attempt, another, evidence);
  }

  /** Returns one sentence for people: what, why, and the figures. */
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
    return Double.isInfinite(s) ? "infinite (stopped)" : String.format(Locale.ROOT, "%.1f s", s);
  }

  /** The action that a decision asks for. */
  public enum Action {
    /** Do nothing to the task. */
    LEAVE,
    /** Run one more attempt beside the existing ones. */
    DUPLICATE,
    /** Kill the attempt and start its task again elsewhere. */
    KILL_AND_RESTART,
    /** Kill the attempt; others continue. */
    PRUNE,
    /** Give the next slot to a waiting task. */
    START
  }
}
