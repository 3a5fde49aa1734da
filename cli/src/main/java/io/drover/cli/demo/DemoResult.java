// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a demo.
 *
 * @param options the options of the demo
 * @param at when the demo began
 * @param hosts the cluster's hosts
 * @param scenarios the faults in the order of their runs; one that is run at several loads is there
 *     once for each
 */
public record DemoResult(
    DemoOptions options, Instant at, List<Host> hosts, List<ScenarioResult> scenarios) {

  /** Stands for the input of the small jobs beside a big one, which is the same for all of them. */
  private static final String SMALL = "small beside big";

  /** Copies the lists. */
  public DemoResult {
    hosts = List.copyOf(hosts);
    scenarios = List.copyOf(scenarios);
  }

  /** Assigns runs to their scenarios, and compares the outputs of runs with the same input. */
  static DemoResult of(
      DemoOptions options, Instant at, List<Host> hosts, Map<PlannedRun, RunResult> done) {
    Map<String, String> expected = new LinkedHashMap<>();
    done.forEach(
        (planned, result) -> {
          if (result.succeeded()) {
            expected.putIfAbsent(input(planned), result.output().sha256());
            small(result).forEach(sha256 -> expected.putIfAbsent(SMALL, sha256));
          }
        });
    List<ScenarioResult> scenarios = new ArrayList<>();
    for (Scenario scenario : options.scenarios()) {
      Map<Optional<Double>, List<DemoRun>> byLoad = new LinkedHashMap<>();
      done.forEach(
          (planned, result) -> {
            if (planned.countsFor(scenario)) {
              boolean equal =
                  result.succeeded()
                      && result.output().sha256().equals(expected.get(input(planned)))
                      && small(result).stream()
                          .allMatch(sha256 -> sha256.equals(expected.get(SMALL)));
              byLoad
                  .computeIfAbsent(
                      planned.spec().sample().map(SampleSpec::load), load -> new ArrayList<>())
                  .add(new DemoRun(planned.repeat(), result, equal));
            }
          });
      byLoad
          .values()
          .forEach(
              runs -> scenarios.add(new ScenarioResult(scenario, options.series(scenario), runs)));
    }
    return new DemoResult(options, at, hosts, scenarios);
  }

  /**
   * Returns the name of a run's input. Some scenarios have inputs of their own. Runs that need a
   * sample each read another one, and their outputs have been checked by themselves.
   */
  private static String input(PlannedRun planned) {
    return switch (planned.scenario()) {
      case FLAKY_NM_DEATH, FLAKY_OUTPUTS -> "flaky";
      case SKEW, LONG_TASK, SMALL_JOBS, PLACEMENT -> planned.scenario().key();
      case SAMPLING -> planned.kind() + " " + planned.repeat();
      default -> "usual";
    };
  }

  /** Returns the digests of what the small jobs beside the run's own job wrote. */
  private static List<String> small(RunResult result) {
    return result.occupancy().stream()
        .flatMap(occupancy -> occupancy.smallJobs().stream())
        .map(job -> job.output().sha256())
        .toList();
  }

  /** Returns whether every job succeeded and all jobs with the same input wrote the same. */
  boolean isGood() {
    return scenarios.stream().allMatch(ScenarioResult::isGood);
  }
}
