// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The options of a demo.
 *
 * @param scenarios the faults in the order of their runs
 * @param modes how the jobs run; if empty, in every way that the scenario has
 * @param job what the jobs compute
 * @param faults what goes wrong with hosts and racks in {@link Scenario#FAULTS}
 * @param runs how often everything is run
 * @param jobs number of small jobs in a run of {@link Scenario#SMALL_JOBS}
 * @param input the user's text; if empty, text found on this machine
 * @param hosts what the hosts are of the cluster that is started; empty if the runs are on one that
 *     exists already
 * @param report the file that the page is written to
 * @param record the directory for recordings of what Drover's AppMaster heard; empty if there are
 *     to be none
 * @param json whether to print the result as one JSON object
 * @param keep whether to keep the cluster's logs
 * @param verbose whether to show Hadoop's log and stack traces
 */
public record DemoOptions(
    List<Scenario> scenarios,
    Set<RunMode> modes,
    DemoWorkload job,
    List<FaultPlan> faults,
    int runs,
    int jobs,
    Optional<Path> input,
    Optional<HostKind> hosts,
    Path report,
    Optional<Path> record,
    boolean json,
    boolean keep,
    boolean verbose) {

  /** Copies the list. */
  public DemoOptions {
    scenarios = List.copyOf(scenarios);
    modes = Set.copyOf(modes);
    faults = List.copyOf(faults);
  }

  /** Returns whether jobs run in a mode, if their scenario has it. */
  boolean wants(RunMode mode) {
    return modes.isEmpty() || modes.contains(mode);
  }

  /** Returns whether the runs are on a cluster that exists already. */
  boolean existing() {
    return hosts.isEmpty();
  }

  /** Returns the number of jobs in one run of a scenario. */
  int series(Scenario scenario) {
    return scenario == Scenario.SMALL_JOBS ? jobs : 1;
  }

  /** Returns the specification of a scenario's jobs. */
  DemoJobSpec spec(Scenario scenario) {
    boolean hasLinks = hosts.equals(Optional.of(HostKind.NAMESPACES));
    boolean overLinks = scenario == Scenario.SAMPLING && hasLinks;
    if (!job.isPaced()) {
      return finished(DemoJobSpec.atFullSpeed(job, scenario).with());
    }
    DemoJobSpec.Builder spec =
        (overLinks ? DemoJobSpec.samplingOverSlowUplinks() : DemoJobSpec.of(scenario)).with();
    // Placement needs maps that pass on all they read, and links jobs that are not busy elsewhere.
    if (scenario != Scenario.PLACEMENT && !overLinks) {
      spec.workload(job);
    }
    return finished(spec);
  }

  private DemoJobSpec finished(DemoJobSpec.Builder spec) {
    input.ifPresent(spec::input);
    if (!faults.isEmpty()) {
      spec.faults(faults);
    }
    return spec.build();
  }
}
