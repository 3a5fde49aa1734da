// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.simulator.workload.CoflowWorkload;
import io.drover.simulator.workload.GoogleAttempts;
import io.drover.simulator.workload.HistoryWorkload;
import io.drover.simulator.workload.SwimSettings;
import io.drover.simulator.workload.SwimWorkload;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.workload.TraceException;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.Overheads;
import io.drover.simulator.world.PublishedSlowness;
import io.drover.simulator.world.Slowness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * All that is the same for the schemes that are compared.
 *
 * @param workload the jobs
 * @param shape the cluster
 * @param slowness how slow attempts are
 * @param losses what is lost beside
 */
record Scene(Workload workload, ClusterShape shape, Slowness slowness, Losses losses) {
  /** The machines of the two years of Facebook's cluster, by the README of the SWIM traces. */
  private static final int MACHINES_OF_2009 = 600;

  private static final int MACHINES_OF_2010 = 3000;

  /** 3,000 machines in 150 racks; a task of the coflow trace stands for all of a rack. */
  private static final int MACHINES_OF_A_COFLOW_RACK = 20;

  /** Attempts that are all alike. */
  private static final class NoSlowness implements Slowness {
    @Override
    public double of(long phase, int task, int attempt, int machine) {
      return 1;
    }

    @Override
    public List<String> provenance() {
      return List.of("Slowness: none; what differs between tasks is their data.");
    }
  }

  /**
   * Reads or makes everything.
   *
   * @throws TraceException if a file is not what it should be
   */
  static Scene of(SimulateOptions options, long seed) throws TraceException {
    return switch (options.workload().kind()) {
      case "swim" -> ofSwim(options, seed);
      case "coflow" -> ofCoflow(options, seed);
      case "history" -> {
        HistoryWorkload history = HistoryWorkload.read(file(options.workload()));
        Slowness slowness =
            options.slowness().kind().equals("history")
                ? history.slowness(seed)
                : slowness(options.slowness(), seed);
        yield of(options, seed, history, cluster(options, MACHINES_OF_2009), slowness);
      }
      default -> {
        ClusterShape shape = cluster(options, MACHINES_OF_2009);
        SyntheticSettings settings =
            SyntheticSettings.of(shape.machines(), shape.slotsPerMachine())
                .withJobs(options.jobs())
                .withSeed(seed);
        yield of(
            options,
            seed,
            new SyntheticWorkload(settings),
            shape,
            slowness(options.slowness(), seed));
      }
    };
  }

  private static Scene of(
      SimulateOptions options,
      long seed,
      Workload workload,
      ClusterShape shape,
      Slowness slowness) {
    return new Scene(workload, shape, slowness, options.losses().with(seed));
  }

  private static Scene ofSwim(SimulateOptions options, long seed) throws TraceException {
    Path file = file(options.workload());
    boolean large = String.valueOf(file.getFileName()).contains("2010");
    ClusterShape shape = cluster(options, large ? MACHINES_OF_2010 : MACHINES_OF_2009);
    SwimSettings settings =
        SwimSettings.of(shape.machines()).withHours(options.hours()).withSeed(seed);
    return of(
        options,
        seed,
        SwimWorkload.read(file, settings),
        shape,
        slowness(options.slowness(), seed));
  }

  /** A machine here is a whole rack, as a task of the trace is all tasks of a rack. */
  private static Scene ofCoflow(SimulateOptions options, long seed) throws TraceException {
    CoflowWorkload coflow = CoflowWorkload.read(file(options.workload()), seed);
    int machines = options.machines().orElse(Math.max(coflow.racks(), options.racks().orElse(1)));
    ClusterShape shape =
        new ClusterShape(
            machines,
            options.slots(),
            options.racks().orElse(machines),
            MACHINES_OF_A_COFLOW_RACK * ClusterShape.GIGABIT,
            ClusterShape.USUAL_OVERSUBSCRIPTION);
    return of(options, seed, coflow, shape, slowness(options.slowness(), seed));
  }

  private static ClusterShape cluster(SimulateOptions options, int usual) {
    int machines = options.machines().orElse(Math.max(usual, options.racks().orElse(1)));
    return options.racks().isPresent()
        ? ClusterShape.of(machines, options.slots(), options.racks().getAsInt())
        : ClusterShape.of(machines, options.slots());
  }

  private static Slowness slowness(Chosen chosen, long seed) throws TraceException {
    return switch (chosen.kind()) {
      case "google" -> GoogleAttempts.read(file(chosen), seed);
      case "none" -> new NoSlowness();
      default -> new PublishedSlowness(seed);
    };
  }

  private static Path file(Chosen chosen) {
    return chosen.file().orElseThrow();
  }

  /** What is real and what is modelled: sentences for people. */
  List<String> provenance() {
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
            workload instanceof CoflowWorkload
                ? " A machine stands for the " + MACHINES_OF_A_COFLOW_RACK + " of a rack."
                : ""));
    all.add(
        "Scheduling: modelled; jobs get slots by fair sharing, and a phase begins when the one"
            + " before it has ended, if slow start is not set.");
    all.add(
        String.format(
            Locale.ROOT,
            "Overheads: modelled; %.0f s to start, %.0f %% of a task's work to wrap up, %.0f %% of a"
                + " reduce's to merge.",
            Overheads.USUAL.startSeconds(),
            100 * Overheads.USUAL.wrapUpShare(),
            100 * Overheads.USUAL.sortShare()));
    all.add("Left out: where the blocks of maps lie, and contention that comes and goes.");
    return all;
  }

  /** The cluster in a few words. */
  String cluster() {
    return String.format(
        Locale.ROOT,
        "%s of %s in %s",
        Figures.count(shape.machines(), "machine", "machines"),
        Figures.count(shape.slotsPerMachine(), "slot", "slots"),
        Figures.count(shape.racks(), "rack", "racks"));
  }
}
