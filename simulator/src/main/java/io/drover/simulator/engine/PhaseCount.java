// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

/** Counts the attempts of a phase: why they were asked for, what they took, which won. */
final class PhaseCount {
  private double slotSeconds;
  private int copies;
  private int restarts;
  private int clones;
  private int won;

  void asked(AttemptRun.Kind kind) {
    switch (kind) {
      case COPY -> copies++;
      case RESTART -> restarts++;
      case CLONE -> clones++;
      case ORIGINAL, REPLACEMENT, REQUEUED, RECOMPUTATION -> {}
    }
  }

  /** An attempt that held a slot has ended. */
  void released(AttemptRun attempt) {
    slotSeconds += attempt.slotSeconds();
  }

  /** Counts what a copy of the job took in vain. */
  void add(PhaseCount inVain) {
    slotSeconds += inVain.slotSeconds;
    copies += inVain.copies;
    restarts += inVain.restarts;
    clones += inVain.clones;
  }

  /** A task is done. */
  void done(AttemptRun by, double now) {
    boolean stoodIn =
        switch (by.kind()) {
          case COPY, RESTART, CLONE, REPLACEMENT -> true;
          case ORIGINAL, REQUEUED, RECOMPUTATION -> false;
        };
    if (stoodIn && now < by.task().withoutRestart()) {
      won++;
    }
  }

  /** Seconds that attempts have held slots, of those that have ended. */
  double slotSeconds() {
    return slotSeconds;
  }

  /** Copies that were asked for beside attempts that ran. */
  int copies() {
    return copies;
  }

  /** Attempts that were killed in order to start their tasks anew. */
  int restarts() {
    return restarts;
  }

  /** Clones that were asked for with the first attempts. */
  int clones() {
    return clones;
  }

  /** Tasks that another attempt than the first has done, and sooner than the first would have. */
  int won() {
    return won;
  }
}
