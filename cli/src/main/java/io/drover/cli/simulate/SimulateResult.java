// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Spread;
import io.drover.simulator.result.PhaseOutcome;
import io.drover.simulator.result.SchemeOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What has come of all runs.
 *
 * @param options what was asked for
 * @param at when it began
 * @param scene the world of the first seed
 * @param size of the first seed's workload
 * @param runs by seed, and by scheme in the order of the options
 */
record SimulateResult(
    SimulateOptions options, Instant at, SimulationSetup scene, Size size, List<SchemeRun> runs) {

  /** How much work there was. */
  record Size(int jobs, int phases, long tasks) {
    /** Of what was done. */
    static Size of(SchemeOutcome outcome) {
      List<PhaseOutcome> phases = outcome.phases();
      return new Size(
          outcome.jobs().size(),
          phases.size(),
          phases.stream().mapToLong(PhaseOutcome::tasks).sum());
    }
  }

  /** Copies the list. */
  SimulateResult {
    runs = List.copyOf(runs);
  }

  /** Whether there is anything to be compared. */
  boolean isEmpty() {
    return size.phases() == 0;
  }

  /** Whether each figure is the median of several. */
  boolean isRepeated() {
    return options.repeat() > 1;
  }

  /** A figure over the repeats; empty where it is not known. */
  Optional<Spread> spread(String scheme, Figure figure) {
    return Spread.of(
        of(scheme).map(run -> run.figures().get(figure)).filter(value -> value != null).toList());
  }

  /** The seconds that a scheme's simulations took. */
  Optional<Spread> seconds(String scheme) {
    return Spread.of(of(scheme).map(SchemeRun::seconds).toList());
  }

  /** The mean of a curve over the repeats; empty where there is nothing to be reduced. */
  double[] curve(String scheme, Curve curve) {
    List<double[]> all =
        of(scheme).map(run -> run.curves().get(curve)).filter(c -> c.length > 0).toList();
    double[] mean = new double[all.isEmpty() ? 0 : all.get(0).length];
    for (double[] one : all) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += one[i] / all.size();
      }
    }
    return mean;
  }

  private Stream<SchemeRun> of(String scheme) {
    return runs.stream().filter(run -> run.scheme().equals(scheme));
  }
}
