// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import io.drover.core.model.TaskKind;
import io.drover.simulator.replay.ReplayResult;
import io.drover.simulator.replay.SimulationOptions;
import io.drover.simulator.replay.SimulationOptions.SourceChoice;
import io.drover.simulator.replay.SimulationSetup;
import io.drover.simulator.replay.Variant;
import io.drover.simulator.result.Comparison;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.Losses.LossSettings;
import io.drover.simulator.world.PublishedSlowness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Creates results by hand: a large job of 100 s and a small one of 10 s. */
final class ReplaySamples {
  /** A malicious file name. */
  static final String EVIL = "</script><img src=x onerror=alert(1)>{{data}}";

  private ReplaySamples() {}

  /** A scheme that shortens the phases of the large and the small job by a share. */
  record Made(String scheme, double large, double small) {}

  /** Returns the report of one repetition. */
  static SimulationReport report(Made... made) {
    return report(1, made);
  }

  /** Returns a report whose reductions grow by a hundredth with each repetition. */
  static SimulationReport report(int repeat, Made... made) {
    List<ReplayResult.Run> runs = new ArrayList<>();
    for (int i = 0; i < repeat; i++) {
      long seed = 7 + i;
      runs.add(run(outcome("none", 0, 0), outcome("none", 0, 0), seed, 1));
      for (Made one : made) {
        SchemeOutcome outcome = outcome(one.scheme, one.large + 0.01 * i, one.small + 0.01 * i);
        runs.add(run(outcome("none", 0, 0), outcome, seed, 2));
      }
    }
    List<String> schemes = new ArrayList<>(List.of("none"));
    Arrays.stream(made).map(Made::scheme).forEach(schemes::add);
    return ComparisonReport.of(
        new ReplayResult(options(repeat), setup(), new ReplayResult.Size(2, 2, 1045), runs),
        schemes);
  }

  private static ReplayResult.Run run(
      SchemeOutcome baseline, SchemeOutcome outcome, long seed, double seconds) {
    Variant variant = Variant.of(outcome.scheme());
    return ReplayResult.Run.of(variant, seed, seconds, Comparison.of(baseline, outcome));
  }

  /** Returns the report of a workload in which nothing ran. */
  static SimulationReport empty() {
    SchemeOutcome nothing = new SchemeOutcome("none", List.of(), List.of(), 0, 0);
    SchemeOutcome drover = new SchemeOutcome("drover", List.of(), List.of(), 0, 0);
    ReplayResult result =
        new ReplayResult(
            options(1),
            setup(),
            new ReplayResult.Size(0, 0, 0),
            List.of(run(nothing, nothing, 7, 0), run(nothing, drover, 7, 0)));
    return ComparisonReport.of(result, List.of("none", "drover"));
  }

  static SimulationOptions options(int repeat) {
    return new SimulationOptions(
        SourceChoice.of("synthetic"),
        false,
        SourceChoice.of("published"),
        LossSettings.NONE,
        OptionalInt.empty(),
        8,
        OptionalInt.empty(),
        7,
        24,
        2,
        Optional.empty(),
        Optional.empty(),
        Map.of("mapreduce.drover.restart.delta", "0.3<b>"),
        repeat);
  }

  static SimulationSetup setup() {
    return new SimulationSetup(
        new Evil(),
        ClusterShape.of(600, 8, 15),
        new PublishedSlowness(7),
        Losses.NONE,
        Optional.empty(),
        false);
  }

  private static SchemeOutcome outcome(String scheme, double large, double small) {
    int acts = scheme.equals("none") ? 0 : 1;
    double first = 100 * (1 - large);
    double second = 10 * (1 - small);
    return new SchemeOutcome(
        scheme,
        List.of(phase(0, 1040, first, 800, 30 * acts), phase(1, 5, second, 40, 2 * acts)),
        List.of(new JobOutcome(0, 1040, 0, first, 800), new JobOutcome(1, 5, 0, second, 40)),
        0.25,
        840);
  }

  private static PhaseOutcome phase(int job, int tasks, double seconds, double slots, int acts) {
    return new PhaseOutcome(
        job,
        0,
        TaskKind.MAP,
        tasks,
        0,
        seconds,
        slots,
        acts,
        acts,
        acts,
        acts,
        OptionalDouble.empty());
  }

  /** A workload with a malicious file name. */
  private static final class Evil implements Workload {
    @Override
    public String name() {
      return "swim:" + EVIL;
    }

    @Override
    public int size() {
      return 2;
    }

    @Override
    public Iterator<JobSpec> jobs() {
      return Collections.emptyIterator();
    }

    @Override
    public List<String> provenance() {
      return List.of("Arrivals: real, from " + EVIL + ".");
    }
  }
}
