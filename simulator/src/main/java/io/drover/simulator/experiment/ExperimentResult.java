// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The result of an experiment.
 *
 * @param rows one row for each figure
 * @param why sentences that explain why the paper's figures and ours differ
 * @param provenance sentences that say what is real, what is modelled, and how
 */
public record ExperimentResult(List<Row> rows, List<String> why, List<String> provenance) {
  /** Copies the lists. */
  public ExperimentResult {
    rows = List.copyOf(rows);
    why = List.copyOf(why);
    provenance = List.copyOf(provenance);
  }

  /**
   * One figure.
   *
   * @param label what the figure is
   * @param paper the figure that the paper prints or that its formula gives; empty if it gives none
   * @param ours the figure measured here; empty if there was nothing to measure
   * @param unit the unit of both
   */
  public record Row(String label, OptionalDouble paper, OptionalDouble ours, FigureUnit unit) {
    /** Creates a row in per cent from shares or reductions, given as fractions. */
    static Row ofShare(String label, OptionalDouble paper, OptionalDouble ours) {
      return new Row(label, hundredfold(paper), hundredfold(ours), FigureUnit.PERCENT);
    }

    /** Creates a row in per cent from two known fractions. */
    static Row ofShare(String label, double paper, double ours) {
      return ofShare(label, OptionalDouble.of(paper), OptionalDouble.of(ours));
    }

    private static OptionalDouble hundredfold(OptionalDouble share) {
      return share.isPresent() ? OptionalDouble.of(100 * share.getAsDouble()) : share;
    }
  }

  /** The unit of the numbers of a row. */
  public enum FigureUnit {
    /** Reductions, shares and probabilities, in per cent. */
    PERCENT("%", 1),
    /** Differences of shares, in percentage points. */
    POINTS("points", 1),
    /** Ratios, for example of the most to the least loaded. */
    TIMES("times", 2),
    /** Copies and restarts per task. */
    PER_TASK("per task", 2),
    /** Attempts of a task that start together, the first one included. */
    COPIES("copies", 0);

    private final String label;
    private final int decimals;

    FigureUnit(String label, int decimals) {
      this.label = label;
      this.decimals = decimals;
    }

    /** Returns the label in reports. */
    public String label() {
      return label;
    }

    /** Returns the number of significant digits after the decimal point. */
    public int decimals() {
      return decimals;
    }
  }
}
