// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.Simulation;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.engine.StepProgress;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.Slowness;
import java.util.ArrayList;
import java.util.List;

/** Everything that the compared runs of an experiment have in common, except the scheme. */
record ExperimentSetup(Workload workload, ClusterShape shape, Slowness slowness, Losses losses) {
  /** Creates a setup without losses. */
  ExperimentSetup(Workload workload, ClusterShape shape, Slowness slowness) {
    this(workload, shape, slowness, Losses.NONE);
  }

  /** Returns the same setup with other losses. */
  ExperimentSetup with(Losses others) {
    return new ExperimentSetup(workload, shape, slowness, others);
  }

  /** Runs a scheme as a step of an experiment. */
  SchemeOutcome run(
      String step, Scheme scheme, SimulationSettings settings, StepProgress progress) {
    progress.begin(workload.size());
    SchemeOutcome outcome =
        new Simulation(workload, shape, slowness, losses, scheme, settings, progress::ended).run();
    progress.end(step);
    return outcome;
  }

  /** Returns sentences for reports that say what is real and what is modelled. */
  List<String> provenance() {
    List<String> all = new ArrayList<>(workload.provenance());
    all.addAll(slowness.provenance());
    if (!losses.equals(Losses.NONE)) {
      all.addAll(losses.provenance());
    }
    all.add(shape.provenance());
    return all;
  }
}
