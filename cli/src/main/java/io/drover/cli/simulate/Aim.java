// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

/** What a value of a setting is judged by. More is better of each. */
enum Aim {
  /** Mantri's measure (section 6.3): the median phase, each with the weight of its lifetime. */
  PHASES("the median phase", Figure.PHASE_P50),
  /** Dolly's measure (section 3.3): the mean time of the small jobs. */
  SMALL_JOBS("small jobs", Figure.JOB_SMALL),
  /** What it costs: all seconds for which slots were held. */
  SLOT_TIME("slot time", Figure.RESOURCE_TOTAL);

  private final String label;
  private final Figure figure;

  Aim(String label, Figure figure) {
    this.label = label;
    this.figure = figure;
  }

  /** For people. */
  String label() {
    return label;
  }

  /** The reduction by it. */
  Figure figure() {
    return figure;
  }
}
