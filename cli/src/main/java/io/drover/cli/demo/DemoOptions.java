// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is asked of a demo.
 *
 * @param scenarios which faults, in the order of their runs
 * @param job what the jobs compute
 * @param runs how often everything is run
 * @param jobs how many small jobs a run of that scenario is made of
 * @param input a user's text; else text found on this machine
 * @param existing whether the runs are on a cluster that is there already
 * @param report where the page goes
 * @param json whether the result is to be one JSON object
 * @param keep whether the cluster's logs are to be kept
 * @param verbose whether to tell of everything
 */
public record DemoOptions(
    List<Scenario> scenarios,
    DemoWorkload job,
    int runs,
    int jobs,
    Optional<Path> input,
    boolean existing,
    Path report,
    boolean json,
    boolean keep,
    boolean verbose) {

  /** Copies the list. */
  public DemoOptions {
    scenarios = List.copyOf(scenarios);
  }

  /** How many jobs one run of a scenario is made of. */
  int series(Scenario scenario) {
    return scenario == Scenario.SMALL_JOBS ? jobs : 1;
  }

  /** What a run of a scenario is made of. */
  DemoJobSpec spec(Scenario scenario) {
    DemoJobSpec.Builder spec = DemoJobSpec.of(scenario).with();
    if (scenario != Scenario.PLACEMENT) { // which needs maps that give on all they read
      spec.workload(job);
    }
    input.ifPresent(spec::input);
    return spec.build();
  }
}
