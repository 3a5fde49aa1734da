// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

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
