// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.util.Locale;

/** How a demo job runs: which fault is injected, and who may start copies. */
public enum RunMode {
  /** No fault and no speculation: how long the job takes when nothing goes wrong. */
  CLEAN(false, false, "no fault, no speculation"),
  /** The fault, and no help: both speculation flags are off. */
  OFF(true, false, "fault, no speculation"),
  /**
   * The fault, under Drover, which does nothing but record what it hears: how every attempt goes on
   * if it is left alone.
   */
  RECORD(true, true, "fault, Drover records"),
  /** The fault, with Hadoop's own {@code DefaultSpeculator}. */
  STOCK(true, true, "fault, Hadoop's speculation"),
  /** The fault, with Drover but without clones: shows what restarts alone achieve. */
  RESTART(true, true, "fault, Drover without clones"),
  /** The fault, with Drover but without replicas: shows what making outputs again achieves. */
  REMAKE(true, true, "fault, Drover without replicas"),
  /** The fault, with Drover's AppMaster and its speculator. */
  DROVER(true, true, "fault, Drover");

  private final boolean fault;
  private final boolean speculation;
  private final String title;

  RunMode(boolean fault, boolean speculation, String title) {
    this.fault = fault;
    this.speculation = speculation;
    this.title = title;
  }

  /** Returns whether the scenario's fault is injected. */
  public boolean hasFault() {
    return fault;
  }

  /** Returns whether map and reduce speculation are switched on in the job. */
  public boolean hasSpeculation() {
    return speculation;
  }

  /** Returns whether the job runs under Drover. */
  public boolean hasDrover() {
    return this == RECORD || this == RESTART || this == REMAKE || this == DROVER;
  }

  /** Returns a description of a few words. */
  public String title() {
    return title;
  }

  /** Returns the name as typed on a command line. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
