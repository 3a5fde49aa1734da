// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.config.PlacementSettings;
import io.drover.core.model.TaskKind;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.scheme.Bandwidths;
import io.drover.simulator.scheme.IdealReduce;
import io.drover.simulator.scheme.PlaceOnly;
import io.drover.simulator.scheme.Schemes.NoSpeculation;
import io.drover.simulator.workload.Rates;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.PublishedSlowness;
import io.drover.simulator.world.Slowness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The common part of Mantri's figures 19 and 20: runs of the same jobs on the same cluster in
 * several worlds, with the reduces placed in different ways. The runs do nothing else about
 * outliers, so that only placement makes a difference.
 */
final class ReducePlacements {
  /** Chosen: a quarter of the jobs of {@code drover simulate}, because there are twenty runs. */
  static final int USUAL_JOBS = 500;

  static final int USUAL_MACHINES = 600;

  private static final int SLOTS = 8;

  /** The share of busy slots, as in {@link SyntheticSettings}: Dolly section 2.1. */
  private static final double USUAL_UTILISATION = 0.21;

  /** The rate of the work of reduces in bytes per second, so high that they do little but fetch. */
  private static final double NO_WORK = 1e9;

  /**
   * The worlds, which differ in the weight of the network. The paper prints nothing about this for
   * its cluster. But placement can only make a phase 60 % shorter if the phase spends that much
   * time on fetching.
   */
  enum World {
    /** Mantri's published outliers, with the default rates and links. */
    USUAL("usual", 1, USUAL_UTILISATION),
    /** No attempt is slow, reduces only fetch, and links have a fifth of their default capacity. */
    NETWORK("network-bound", 5, USUAL_UTILISATION),
    /** Network-bound, with free slots concentrated in few racks. */
    PACKED("packed", 5, USUAL_UTILISATION),
    /** Packed, with more data to send than the links can carry. */
    CONGESTED("packed, congested", 5, 0.6);

    private final String label;
    private final double narrower;
    private final double utilisation;

    World(String label, double narrower, double utilisation) {
      this.label = label;
      this.narrower = narrower;
      this.utilisation = utilisation;
    }

    private double oversubscription() {
      return narrower * ClusterShape.USUAL_OVERSUBSCRIPTION;
    }

    private Slowness slowness(long seed) {
      return this == USUAL ? new PublishedSlowness(seed) : new Alike();
    }

    private Rates rates() {
      Rates usual = Rates.DEFAULT;
      return this == USUAL ? usual : new Rates(usual.mapBytesPerSecond(), NO_WORK, usual.sigma());
    }

    /** Returns the scheme without placement in this world. */
    private Scheme firstSlot(long seed) {
      return switch (this) {
        case USUAL, NETWORK -> new NoSpeculation();
        case PACKED, CONGESTED -> new PackedSlots(seed);
      };
    }
  }

  /** The ways to choose where a reduce runs. */
  enum Way {
    /** No placement: "at the first available slot", as in Dryad (section 6.4). */
    FIRST_SLOT("first free slot"),
    /** Mantri's placement, implemented by core. */
    MANTRI("placed"),
    /** Mantri's placement by the bandwidths at the start of the phase only. */
    START("start"),
    /** Mantri's placement by the full capacities of the links. */
    EQUAL("equal"),
    /** The oracle. */
    IDEAL("ideal-reduce");

    private final String label;

    Way(String label) {
      this.label = label;
    }

    private Scheme scheme(World world, SimulationSettings usual) {
      PlacementSettings settings = usual.job().placement();
      return switch (this) {
        case FIRST_SLOT -> world.firstSlot(usual.seed());
        case MANTRI -> new PlaceOnly(settings, Bandwidths.HYBRID);
        case START -> new PlaceOnly(settings, Bandwidths.START);
        case EQUAL -> new PlaceOnly(settings, Bandwidths.EQUAL);
        case IDEAL -> new IdealReduce(settings);
      };
    }

    /** Returns the name of a row or a step of an experiment. */
    String in(World world) {
      return world.label + ", " + label;
    }
  }

  /** Makes no attempt slow. */
  private record Alike() implements Slowness {
    @Override
    public double of(long phase, int task, int attempt, int machine) {
      return 1;
    }

    @Override
    public List<String> provenance() {
      return List.of("Slowness: no attempt is slow.");
    }
  }

  private final int jobs;
  private final int machines;

  ReducePlacements(int jobs, int machines) {
    this.jobs = jobs;
    this.machines = machines;
  }

  /** Returns the steps of an experiment that tries some ways in all worlds. */
  static List<String> steps(List<Way> ways) {
    return Arrays.stream(World.values())
        .flatMap(world -> ways.stream().map(way -> way.in(world)))
        .toList();
  }

  /** Runs a step of an experiment, and returns its reduce phases in the order of the jobs. */
  List<PhaseOutcome> run(World world, Way way, ExperimentSettings settings) {
    long seed = settings.seed();
    SimulationSettings usual = SimulationSettings.defaults(seed);
    ExperimentSetup setup =
        new ExperimentSetup(workload(world, seed), shape(world), world.slowness(seed));
    SchemeOutcome outcome =
        setup.run(way.in(world), way.scheme(world, usual), usual, settings.progress());
    return outcome.phases().stream().filter(phase -> phase.kind() == TaskKind.REDUCE).toList();
  }

  private Workload workload(World world, long seed) {
    return new SyntheticWorkload(
        SyntheticSettings.of(machines, SLOTS)
            .withJobs(jobs)
            .withUtilization(world.utilisation)
            .withRates(world.rates())
            .withSeed(seed));
  }

  private ClusterShape shape(World world) {
    return ClusterShape.of(machines, SLOTS).oversubscribed(world.oversubscription());
  }

  /** Returns sentences for reports that say what is real and what is modelled. */
  List<String> provenance(long seed) {
    List<String> all = new ArrayList<>(workload(World.USUAL, seed).provenance());
    all.addAll(World.USUAL.slowness(seed).provenance());
    all.add(
        String.format(
            Locale.ROOT,
            "Network-bound and packed worlds: modelled; no attempt is slow, reduces work at %.0f"
                + " MB/s, and links are %.0f:1 oversubscribed instead of %.0f:1.",
            NO_WORK / 1e6,
            World.NETWORK.oversubscription(),
            World.USUAL.oversubscription()));
    all.add(
        String.format(
            Locale.ROOT,
            "Packed: without placement, a phase has %.1f reduces for each rack that has any, as"
                + " section 6.2 prints; the racks are random. In the other worlds, free slots are"
                + " drawn evenly. Congested: jobs arrive so fast that maps keep %.0f %% of the"
                + " slots busy.",
            PackedSlots.SPREAD,
            100 * World.CONGESTED.utilisation));
    all.add(shape(World.USUAL).provenance());
    return all;
  }

  /**
   * Models a cluster whose first free slots are close together: the reduces of a phase run in few,
   * randomly chosen racks. It does nothing about outliers.
   *
   * <p>Source: "we measure the spread of tasks, i.e., the ratio of the number of concurrently
   * running tasks to the number of racks they are running in"; it is 5.5 for the paper's default
   * implementation (Mantri section 6.2). In the simulator's own cluster, free slots are drawn
   * evenly.
   *
   * @param seed the seed of the choice
   */
  record PackedSlots(long seed) implements Scheme {
    /** The reduces of a phase per rack that has any. */
    static final double SPREAD = 5.5;

    @Override
    public String name() {
      return "packed";
    }

    @Override
    public Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
      int[] chosen =
          IntStream.range(0, network.racks())
              .boxed()
              .sorted(Comparator.comparing(rack -> Draws.key(seed, phase.key(), rack)))
              .limit(Math.max(1, Math.round(phase.spec().tasks() / SPREAD)))
              .mapToInt(rack -> rack)
              .toArray();
      long tasks = Draws.key(seed, phase.key());
      return Optional.of(
          IntStream.range(0, phase.spec().tasks())
              .map(task -> chosen[Draws.index(Draws.key(tasks, task), chosen.length)])
              .toArray());
    }
  }
}
