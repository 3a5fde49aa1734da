// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

/** Lets the scheme look at each phase from time to time while tasks of it are to be done. */
final class Scans {
  private final Simulation simulation;
  private final Scheme scheme;

  Scans(Simulation simulation, Scheme scheme) {
    this.simulation = simulation;
    this.scheme = scheme;
  }

  /** A phase begins. */
  void begin(PhaseRun phase) {
    double delay = scheme.firstScan(phase);
    if (delay < Double.POSITIVE_INFINITY) {
      await(phase, delay);
    }
  }

  /** A task of a phase is run again: the scheme looks at it as before, if it did. */
  void beginAgain(PhaseRun phase) {
    if (phase.wasScanned() && !phase.isScanned()) {
      await(phase, phase.period());
    }
  }

  private void await(PhaseRun phase, double delay) {
    phase.isScanned(true);
    simulation.at(simulation.now() + delay, at -> scan(phase));
  }

  private void scan(PhaseRun phase) {
    if ((phase.isDone() && phase.remaking().isEmpty()) || phase.job().isOver()) {
      phase.isScanned(false);
      return;
    }
    if (phase.running().isEmpty() && !phase.job().wantsSlots()) {
      throw new IllegalStateException("a task of " + phase + " is lost: nobody runs it");
    }
    if (scheme.asksCore()) {
      for (TaskRun task : phase.running()) {
        for (AttemptRun attempt : task.live()) {
          attempt.report(simulation.now());
        }
      }
    }
    double delay = scheme.scan(phase, simulation.actions());
    await(phase, delay);
  }
}
