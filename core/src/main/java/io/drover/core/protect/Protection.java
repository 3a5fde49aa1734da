// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A decision about one kept output: what to do, why, and on what figures. Leaving an output alone
 * is a decision too.
 *
 * @param at when the decision was made, seconds
 * @param output the output that it concerns, with its t_redo and bytes
 * @param rule the rule that fired
 * @param figures what it rests on, as far as it was needed and is known
 * @param budgetLeft what is left after this decision: bytes that may still be replicated or, for a
 *     decision about making it again, seconds that may still be spent on re-runs
 */
public record Protection(
    double at,
    KeptOutput output,
    ProtectionRule rule,
    Map<Figure, Double> figures,
    double budgetLeft) {

  /** What a decision may rest on. */
  public enum Figure {
    /** r, the probability that all present copies get lost. */
    LOSS("r", "r %.4f", false),
    /** t_rep, seconds. */
    REPLICATE_SECONDS("tRep", "t_rep %.2f s", false),
    /**
     * Recomputations within the window, of the machine with the fewest among those that keep the
     * output.
     */
    RECOMPUTATIONS("recomputations", "recomputations %.0f", true),
    /** For how long the machine that was silent last has not answered, seconds. */
    SILENT_SECONDS("silent", "silent for %.1f s", true),
    /** How long readers will take to fetch all that its machine keeps, seconds. */
    FETCH_SECONDS("tFetch", "t_fetch %.1f s", true);

    private final String field;
    private final String text;
    private final boolean isOfReruns;

    Figure(String field, String text, boolean isOfReruns) {
      this.field = field;
      this.text = text;
      this.isOfReruns = isOfReruns;
    }
  }

  /** Copies the figures. */
  public Protection {
    Map<Figure, Double> sorted = new EnumMap<>(Figure.class);
    sorted.putAll(figures);
    figures = Collections.unmodifiableMap(sorted);
  }

  /** Returns the action to take. */
  public ProtectionRule.Action action() {
    return rule.action();
  }

  /** Returns a figure; empty if it was not needed or is not known. */
  public OptionalDouble figure(Figure figure) {
    Double value = figures.get(figure);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /**
   * Returns the expected cost of the output's loss, r t_redo, in seconds, which is also what a
   * replica is expected to save.
   *
   * @return empty if r is not known
   */
  public OptionalDouble expectedRedoSeconds() {
    Double loss = figures.get(Figure.LOSS);
    return loss == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(output.redo().expectedSeconds(loss));
  }

  /** Returns the rule and all figures by the names that they have in the decision log. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("rule", rule.name());
    figures.forEach((figure, value) -> fields.put(figure.field, value));
    fields.put("tRedo", output.redo().seconds());
    fields.put("bytes", output.bytes());
    fields.put("budgetLeft", budgetLeft);
    return fields;
  }

  /** Returns one sentence for people: what, to which output, why, and the figures. */
  public String explain() {
    StringBuilder text = new StringBuilder(240);
    text.append(action()).append(' ').append(output.task()).append(" on ");
    text.append(String.join(", ", output.machines()));
    text.append(": ").append(rule.sentence());
    text.append(format("; t_redo %.1f s", output.redo().seconds()));
    expectedRedoSeconds().ifPresent(s -> text.append(format(", r t_redo %.2f s", s)));
    figures.forEach((figure, value) -> text.append(", ").append(format(figure.text, value)));
    text.append(", ").append(output.bytes()).append(" bytes");
    boolean isOfTime = figures.keySet().stream().anyMatch(figure -> figure.isOfReruns);
    String unit = isOfTime ? "; %.1f s of re-runs left" : "; %.0f bytes left";
    return text.append(format(unit, budgetLeft)).toString();
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
