// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What came of an experiment.
 *
 * @param rows one for each figure
 * @param why the two differ: sentences
 * @param provenance what was real, what modelled, and by what: sentences
 */
public record ExperimentResult(List<Row> rows, List<String> why, List<String> provenance) {
  /** Copies. */
  public ExperimentResult {
    rows = List.copyOf(rows);
    why = List.copyOf(why);
    provenance = List.copyOf(provenance);
  }

  /**
   * One figure.
   *
   * @param label what it is
   * @param paper as the paper prints it, or as its formula gives it; empty where it gives none
   * @param ours as it came out here; empty where there was nothing to be measured
   * @param unit of both
   */
  public record Row(String label, OptionalDouble paper, OptionalDouble ours, FigureUnit unit) {
    /** A share or a reduction, given as a fraction. */
    static Row ofShare(String label, OptionalDouble paper, OptionalDouble ours) {
      return new Row(label, hundredfold(paper), hundredfold(ours), FigureUnit.PERCENT);
    }

    /** The same where both are known. */
    static Row ofShare(String label, double paper, double ours) {
      return ofShare(label, OptionalDouble.of(paper), OptionalDouble.of(ours));
    }

    private static OptionalDouble hundredfold(OptionalDouble share) {
      return share.isPresent() ? OptionalDouble.of(100 * share.getAsDouble()) : share;
    }
  }

  /** What the numbers of a row are of. */
  public enum FigureUnit {
    /** Hundredths: reductions, shares and probabilities. */
    PERCENT("%", 1),
    /** Differences of shares, in hundredths. */
    POINTS("points", 1),
    /** Ratios, such as that of the most to the least loaded. */
    TIMES("times", 2),
    /** Copies and restarts for each task. */
    PER_TASK("per task", 2),
    /** Attempts of a task that start together, the first one included. */
    COPIES("copies", 0);

    private final String label;
    private final int decimals;

    FigureUnit(String label, int decimals) {
      this.label = label;
      this.decimals = decimals;
    }

    /** For people. */
    public String label() {
      return label;
    }

    /** How many digits after the point mean something. */
    public int decimals() {
      return decimals;
    }
  }
}
