// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

/** Counts the requested attempts of a phase, their slot seconds, and the tasks that they won. */
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

  /** Adds the slot seconds of an attempt that has ended. */
  void released(AttemptRun attempt) {
    slotSeconds += attempt.slotSeconds();
  }

  /** Adds the counts of a copy of the job that was given up. */
  void add(PhaseCount inVain) {
    slotSeconds += inVain.slotSeconds;
    copies += inVain.copies;
    restarts += inVain.restarts;
    clones += inVain.clones;
  }

  /** Notes that a task is done. */
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

  /** Returns for how many seconds ended attempts have held slots. */
  double slotSeconds() {
    return slotSeconds;
  }

  /** Returns the number of copies that were requested. */
  int copies() {
    return copies;
  }

  /** Returns the number of attempts that were killed in order to start their tasks anew. */
  int restarts() {
    return restarts;
  }

  /** Returns the number of clones, including first attempts in copies of the job. */
  int clones() {
    return clones;
  }

  /** Returns the number of tasks done by another attempt, and sooner than by the first one. */
  int won() {
    return won;
  }
}
