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
 * @param at when it was taken, seconds
 * @param output the output it concerns; t_redo and the bytes are its own
 * @param rule why
 * @param loss r, the probability that all copies there are get lost, where that was asked and is
 *     known
 * @param replicateSeconds t_rep, where that was asked and is known
 * @param recomputations within the window, of the machine that has fewest of those that keep it,
 *     where suspicion was asked
 * @param budgetLeft after this decision: bytes that may still be replicated or, where suspicion was
 *     asked, seconds that may still be spent on re-runs
 */
public record Protection(
    double at,
    KeptOutput output,
    ProtectionRule rule,
    OptionalDouble loss,
    OptionalDouble replicateSeconds,
    OptionalInt recomputations,
    double budgetLeft) {
  /** What is to be done. */
  public ProtectionRule.Action action() {
    return rule.action();
  }

  /**
   * What the output's loss is expected to cost, r t_redo, in seconds: what a replica is expected to
   * save.
   *
   * @return empty where r is not known
   */
  public OptionalDouble expectedRedoSeconds() {
    return loss.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(output.redo().expectedSeconds(loss.getAsDouble()));
  }

  /** One sentence for people: what, to whom, why, and the figures. */
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
    text.append(", ").append(output.bytes()).append(" bytes");
    String unit = recomputations.isPresent() ? "; %.1f s of re-runs left" : "; %.0f bytes left";
    return text.append(format(unit, budgetLeft)).toString();
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
