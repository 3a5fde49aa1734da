// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator;

import io.drover.core.model.TaskKind;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.Simulation;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.Overheads;
import io.drover.simulator.world.Slowness;
import java.util.Iterator;
import java.util.List;

/** Creates workloads, slowness and runs for tests. A byte takes a second. */
public final class SampleWorkloads {
  /** No attempt is slow. */
  public static final Slowness EVEN = slowness((phase, task, attempt, machine) -> 1);

  private SampleWorkloads() {}

  /** Determines how slow an attempt is. */
  @FunctionalInterface
  public interface Factor {
    /** As {@link Slowness#of}. */
    double of(long phase, int task, int attempt, int machine);
  }

  /** Creates slowness from a function. */
  public static Slowness slowness(Factor factor) {
    return new Slowness() {
      @Override
      public double of(long phase, int task, int attempt, int machine) {
        return factor.of(phase, task, attempt, machine);
      }

      @Override
      public List<String> provenance() {
        return List.of("made up");
      }
    };
  }

  /** Creates a job of maps only. */
  public static JobSpec maps(String id, double submitted, long... bytes) {
    return new JobSpec(id, submitted, List.of(new PhaseSpec(TaskKind.MAP, bytes, 1)));
  }

  /** Creates a job of maps and reduces. */
  public static JobSpec mapReduce(String id, double submitted, long[] maps, long[] reduces) {
    return new JobSpec(
        id,
        submitted,
        List.of(new PhaseSpec(TaskKind.MAP, maps, 1), new PhaseSpec(TaskKind.REDUCE, reduces, 1)));
  }

  /** Creates a workload of the given jobs. */
  public static Workload workload(List<JobSpec> jobs) {
    return new Workload() {
      @Override
      public String name() {
        return "given";
      }

      @Override
      public int size() {
        return jobs.size();
      }

      @Override
      public Iterator<JobSpec> jobs() {
        return jobs.iterator();
      }

      @Override
      public List<String> provenance() {
        return List.of("made up");
      }
    };
  }

  /** Runs jobs without overheads. */
  public static SchemeOutcome run(
      List<JobSpec> jobs, ClusterShape shape, Slowness slowness, Scheme scheme) {
    return run(workload(jobs), shape, slowness, scheme, settings());
  }

  /** Runs a workload. */
  public static SchemeOutcome run(
      Workload workload,
      ClusterShape shape,
      Slowness slowness,
      Scheme scheme,
      SimulationSettings settings) {
    return new Simulation(workload, shape, slowness, scheme, settings, ended -> {}).run();
  }

  /** Runs jobs without overheads on a cluster that loses things. */
  public static SchemeOutcome run(
      List<JobSpec> jobs, ClusterShape shape, Slowness slowness, Losses losses, Scheme scheme) {
    return new Simulation(workload(jobs), shape, slowness, losses, scheme, settings(), ended -> {})
        .run();
  }

  /** Returns settings with seed 1 and no overheads. */
  public static SimulationSettings settings() {
    return SimulationSettings.defaults(1).with(Overheads.NONE);
  }
}
