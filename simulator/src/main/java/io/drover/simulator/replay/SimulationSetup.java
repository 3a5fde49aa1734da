// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.simulator.engine.Simulation;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.replay.SimulationOptions.InputChoice;
import io.drover.simulator.replay.SimulationOptions.SourceChoice;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.workload.CoflowWorkload;
import io.drover.simulator.workload.GoogleAttempts;
import io.drover.simulator.workload.HistoryWorkload;
import io.drover.simulator.workload.SampledWorkload;
import io.drover.simulator.workload.SwimSettings;
import io.drover.simulator.workload.SwimWorkload;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.workload.TraceException;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.Overheads;
import io.drover.simulator.world.PhaseKey;
import io.drover.simulator.world.PublishedSlowness;
import io.drover.simulator.world.Slowness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;

/**
 * Everything that the compared schemes have in common.
 *
 * @param workload the jobs
 * @param shape the cluster
 * @param slowness how slow attempts are
 * @param losses which outputs, machines and attempts are lost
 * @param inputs where the blocks of maps lie; empty if maps read equally fast everywhere
 * @param machinesAreRacks whether each machine stands for all machines of a rack
 */
public record SimulationSetup(
    Workload workload,
    ClusterShape shape,
    Slowness slowness,
    Losses losses,
    Optional<InputChoice> inputs,
    boolean machinesAreRacks) {
  /** The size of Facebook's cluster in the two years, from the README of the SWIM traces. */
  private static final int MACHINES_OF_2009 = 600;

  private static final int MACHINES_OF_2010 = 3000;

  /** 3,000 machines in 150 racks; a task of the coflow trace stands for all tasks of a rack. */
  private static final int MACHINES_OF_A_COFLOW_RACK = 20;

  /**
   * Reads or generates everything.
   *
   * @throws TraceException if a file is malformed
   */
  public static SimulationSetup of(SimulationOptions options, long seed) throws TraceException {
    SimulationSetup all = ofAllBlocks(options, seed);
    return new SimulationSetup(
        options
            .sampling()
            .<Workload>map(sampling -> new SampledWorkload(all.workload, sampling, seed))
            .orElse(all.workload),
        all.shape,
        all.slowness,
        options.losses().with(seed),
        options.inputs(),
        options.workload().kind().equals("coflow"));
  }

  private static SimulationSetup scene(Workload workload, ClusterShape shape, Slowness slowness) {
    return new SimulationSetup(workload, shape, slowness, Losses.NONE, Optional.empty(), false);
  }

  private static SimulationSetup ofAllBlocks(SimulationOptions options, long seed)
      throws TraceException {
    return switch (options.workload().kind()) {
      case "swim" -> ofSwim(options, seed);
      case "coflow" -> ofCoflow(options, seed);
      case "history" -> {
        HistoryWorkload history = HistoryWorkload.read(file(options.workload()), options.skipBad());
        Slowness slowness =
            options.slowness().kind().equals("history")
                ? history.slowness(seed)
                : slowness(options.slowness(), seed, phase -> true);
        yield scene(history, cluster(options, MACHINES_OF_2009), slowness);
      }
      default -> ofSynthetic(options, options.jobs(), seed);
    };
  }

  /**
   * Creates a setup of synthetic jobs. A smaller number of jobs gives the first jobs of a larger
   * one, submitted at other times.
   *
   * @throws TraceException if the slowness file is malformed
   */
  static SimulationSetup ofSynthetic(SimulationOptions options, int jobs, long seed)
      throws TraceException {
    ClusterShape shape = cluster(options, MACHINES_OF_2009);
    SyntheticSettings settings =
        SyntheticSettings.of(shape.machines(), shape.slotsPerMachine())
            .withJobs(jobs)
            .withSeed(seed);
    return scene(
        new SyntheticWorkload(settings), shape, slowness(options.slowness(), seed, phase -> true));
  }

  /**
   * Creates a run of the jobs that has not begun.
   *
   * @param scheme the name of an existing scheme
   * @param progress receives the number of jobs that have ended
   */
  Simulation simulation(String scheme, SimulationSettings settings, IntConsumer progress) {
    return new Simulation(
        workload,
        shape,
        slowness,
        losses,
        Schemes.create(scheme, settings).orElseThrow(),
        settings,
        progress);
  }

  private static SimulationSetup ofSwim(SimulationOptions options, long seed)
      throws TraceException {
    Path file = file(options.workload());
    boolean large = String.valueOf(file.getFileName()).contains("2010");
    ClusterShape shape = cluster(options, large ? MACHINES_OF_2010 : MACHINES_OF_2009);
    SwimSettings settings =
        SwimSettings.of(shape.machines()).withHours(options.hours()).withSeed(seed);
    return scene(
        SwimWorkload.read(file, settings, options.skipBad()),
        shape,
        slowness(options.slowness(), seed, SimulationSetup::isOfReduces));
  }

  /** Creates a setup whose machines are whole racks, as a task of the trace is a whole rack's. */
  private static SimulationSetup ofCoflow(SimulationOptions options, long seed)
      throws TraceException {
    CoflowWorkload coflow = CoflowWorkload.read(file(options.workload()), seed, options.skipBad());
    int machines = options.machines().orElse(Math.max(coflow.racks(), options.racks().orElse(1)));
    ClusterShape shape =
        new ClusterShape(
            machines,
            options.slots(),
            options.racks().orElse(machines),
            MACHINES_OF_A_COFLOW_RACK * ClusterShape.GIGABIT,
            ClusterShape.USUAL_OVERSUBSCRIPTION);
    return scene(coflow, shape, slowness(options.slowness(), seed, SimulationSetup::isOfReduces));
  }

  /** Maps of these workloads read equal blocks; only their reduces differ in bytes. */
  private static boolean isOfReduces(long phase) {
    return PhaseKey.index(phase) > 0;
  }

  private static ClusterShape cluster(SimulationOptions options, int usual) {
    int machines = options.machines().orElse(Math.max(usual, options.racks().orElse(1)));
    return options.racks().isPresent()
        ? ClusterShape.of(machines, options.slots(), options.racks().getAsInt())
        : ClusterShape.of(machines, options.slots());
  }

  /**
   * Creates the chosen model of slowness.
   *
   * @param dataDiffer returns whether the tasks of a phase, given by its key, differ in data
   */
  private static Slowness slowness(SourceChoice chosen, long seed, LongPredicate dataDiffer)
      throws TraceException {
    return switch (chosen.kind()) {
      case "google" -> GoogleAttempts.read(file(chosen), seed);
      case "none" -> Slowness.NONE;
      default -> new PublishedSlowness(seed, dataDiffer);
    };
  }

  private static Path file(SourceChoice chosen) {
    return chosen.file().orElseThrow();
  }

  /** Returns sentences for reports that say what is real and what is modelled. */
  public List<String> provenance() {
    List<String> all = new ArrayList<>(workload.provenance());
    all.addAll(slowness.provenance());
    all.addAll(losses.provenance());
    all.add(
        String.format(
            Locale.ROOT,
            "Cluster: modelled; %s, network cards of %.0f Gb/s, links between racks %.0f:1"
                + " oversubscribed.%s",
            cluster(),
            shape.nicBytesPerSecond() * 8 / 1e9,
            shape.oversubscription(),
            machinesAreRacks
                ? " A machine stands for the " + MACHINES_OF_A_COFLOW_RACK + " machines of a rack."
                : ""));
    all.add(
        "Scheduling: modelled; jobs get slots by fair sharing, and a phase begins when the phase"
            + " before it has ended, unless slow start is set.");
    all.add(
        String.format(
            Locale.ROOT,
            "Overheads: modelled; %.0f s to start, %.0f %% of a task's work to wrap up, %.0f %% of"
                + " a reduce's work to merge.",
            Overheads.USUAL.startSeconds(),
            100 * Overheads.USUAL.wrapUpShare(),
            100 * Overheads.USUAL.sortShare()));
    inputs.ifPresent(option -> all.add(option.provenance()));
    all.add(
        "Not modelled: "
            + (inputs.isPresent() ? "" : "where the blocks of maps lie, and ")
            + "contention that comes and goes.");
    return all;
  }

  /** Returns a short description of the cluster. */
  public String cluster() {
    return String.format(
        Locale.ROOT,
        "%s of %s in %s",
        count(shape.machines(), "machine"),
        count(shape.slotsPerMachine(), "slot"),
        count(shape.racks(), "rack"));
  }

  private static String count(int number, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
  }
}
