// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import io.drover.testbed.job.Scenario;

/** What goes wrong with both jobs of a pair. */
enum SoakFault {
  /** Nothing. */
  NONE(Scenario.NONE),
  /** All tasks on one node are slow. */
  SLOW_NODE(Scenario.SLOW_NODE),
  /** The first attempt of a task is slow. */
  SLOW_ATTEMPT(Scenario.SLOW_ATTEMPT),
  /** The first attempt of a map falls silent. */
  SILENT_ATTEMPT(Scenario.SILENT_ATTEMPT),
  /** The first attempt of a map stands still at 90 %. */
  STALLED_ATTEMPT(Scenario.STALL_90),
  /** One map has six times the data. */
  SKEW(Scenario.SKEW),
  /** The process of a map's first attempt is killed: the attempt FAILS. */
  DEAD_PROCESS(Scenario.NONE),
  /** Another queue wants its share back, by preemption. */
  RIVAL(Scenario.NONE),
  /** The user kills the job in the middle. */
  KILLED_JOB(Scenario.SLOW_NODE),
  /** A node dies, and stays dead: the last of its cluster. */
  NODE_DEATH(Scenario.NODE_DEATH);

  private final Scenario scenario;

  SoakFault(Scenario scenario) {
    this.scenario = scenario;
  }

  /** What of it happens within the job. */
  Scenario scenario() {
    return scenario;
  }

  /** Whether an attempt makes no progress until somebody gives it up. */
  boolean waitsForTimeOut() {
    return this == SILENT_ATTEMPT || this == STALLED_ATTEMPT;
  }
}
