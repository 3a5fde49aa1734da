// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A decision about one kept output: what to do, why, and on what figures. Leaving an output alone
 * is a decision too.
 *
 * @param at when the decision was made, seconds
 * @param output the output that it concerns, with its t_redo and bytes
 * @param rule the rule that fired
 * @param loss r, the probability that all present copies get lost; empty if it was not needed or is
 *     not known
 * @param replicateSeconds t_rep; empty if it was not needed or is not known
 * @param recomputations recomputations within the window, of the machine with the fewest among
 *     those that keep the output; empty unless the decision is about suspicion
 * @param silentSeconds for how long the machine that was silent last has not answered; empty unless
 *     the decision is about machines that do not answer
 * @param fetchSeconds how long readers will take to fetch all that its machine keeps; empty unless
 *     the decision is about machines from which outputs crawl
 * @param budgetLeft what is left after this decision: bytes that may still be replicated or, for a
 *     decision about suspicion, seconds that may still be spent on re-runs
 */
public record Protection(
    double at,
    KeptOutput output,
    ProtectionRule rule,
    OptionalDouble loss,
    OptionalDouble replicateSeconds,
    OptionalInt recomputations,
    OptionalDouble silentSeconds,
    OptionalDouble fetchSeconds,
    double budgetLeft) {
  /** Returns the action to take. */
  public ProtectionRule.Action action() {
    return rule.action();
  }

  /**
   * Returns the expected cost of the output's loss, r t_redo, in seconds, which is also what a
   * replica is expected to save.
   *
   * @return empty if r is not known
   */
  public OptionalDouble expectedRedoSeconds() {
    return loss.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(output.redo().expectedSeconds(loss.getAsDouble()));
  }

  /** Returns one sentence for people: what, to which output, why, and the figures. */
  public String explain() {
    StringBuilder text = new StringBuilder(240);
    text.append(action()).append(' ').append(output.task()).append(" on ");
    text.append(String.join(", ", output.machines()));
    text.append(": ").append(rule.sentence());
    text.append(format("; t_redo %.1f s", output.redo().seconds()));
    loss.ifPresent(r -> text.append(format(", r %.4f", r)));
    expectedRedoSeconds().ifPresent(s -> text.append(format(", r t_redo %.2f s", s)));
    replicateSeconds.ifPresent(s -> text.append(format(", t_rep %.2f s", s)));
    recomputations.ifPresent(n -> text.append(", recomputations ").append(n));
    silentSeconds.ifPresent(s -> text.append(format(", silent for %.1f s", s)));
    fetchSeconds.ifPresent(s -> text.append(format(", t_fetch %.1f s", s)));
    text.append(", ").append(output.bytes()).append(" bytes");
    boolean isOfTime =
        recomputations.isPresent() || silentSeconds.isPresent() || fetchSeconds.isPresent();
    String unit = isOfTime ? "; %.1f s of re-runs left" : "; %.0f bytes left";
    return text.append(format(unit, budgetLeft)).toString();
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
