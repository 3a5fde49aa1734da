// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.clone.CloneSettings;
import io.drover.core.machine.OutlierRule;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.scheme.Dolly;
import io.drover.simulator.scheme.DollyJob;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.world.Chance;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.PublishedSlowness;
import io.drover.simulator.world.Slowness;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** Runs all ways of Dolly's figure 6 in one world, with the same jobs and slow attempts. */
final class CloningRuns {
  private static final int SLOTS = 8;

  /** The ways to act against outliers. */
  enum Way {
    LATE("late"),
    MANTRI("mantri"),
    /** Clones the tasks of small jobs. */
    DOLLY("dolly"),
    /** Drover as it ships. */
    DROVER("drover"),
    /** Copies whole small jobs. */
    DOLLY_JOB("dolly-job"),
    /** Does nothing, in a world without outliers. */
    IDEAL("no outliers"),
    /** The oracle. */
    CLAIRVOYANT("clairvoyant"),
    /** Clones the tasks of all jobs. */
    DOLLY_ALL("dolly, all cloned"),
    /** Copies all jobs as a whole. */
    DOLLY_JOB_ALL("dolly-job, all cloned");

    private final String label;

    Way(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** The worlds, which differ in the cost of outliers. */
  enum World {
    /** Mantri's published outliers, with the utilisation of {@code drover simulate}. */
    PUBLISHED(
        "published", 0.21, EnumSet.complementOf(EnumSet.of(Way.DOLLY_ALL, Way.DOLLY_JOB_ALL))),
    /**
     * Outliers that cost as much as Dolly prints for Facebook's. Without outliers 14 % of the slots
     * would be busy; under LATE about 21 % are.
     */
    COSTLY("costly", 0.14, EnumSet.complementOf(EnumSet.of(Way.CLAIRVOYANT)));

    private final String label;
    private final double utilisation;
    private final Set<Way> ways;

    World(String label, double utilisation, Set<Way> ways) {
      this.label = label;
      this.utilisation = utilisation;
      this.ways = ways;
    }

    String label() {
      return label;
    }

    /** Returns the ways to try in this world, in order. */
    Set<Way> ways() {
      return ways;
    }
  }

  /**
   * Outliers that do not depend on the machine, as in Dolly sections 2.2 and 2.3: each attempt is
   * one with probability p, and then takes at least twice as long (footnote 4). The paper prints
   * neither p nor how long outliers take. Here p is Drover's default, and the tail is chosen so
   * that small jobs would gain about half without outliers (53 and 59 % with seeds 1 and 2).
   * Section 2.3 prints 49 %.
   */
  private record Costly(long seed) implements Slowness {
    private static final double P = 0.1;
    private static final double LEAST = 2;
    private static final double MOST = 100;
    private static final double SHAPE = 0.5;

    @Override
    public double of(long phase, int task, int attempt, int machine) {
      long key = Draws.key(seed, phase, task, attempt);
      long value = Chance.mix(key, 1);
      return Chance.uniform(Chance.mix(key, 0)) < P
          ? Draws.paretoUpTo(value, LEAST, MOST, SHAPE)
          : Draws.uniform(value, 0.8, 1.2);
    }

    @Override
    public List<String> provenance() {
      return List.of(
          "Costly: modelled; an attempt is an outlier with probability "
              + P
              + ", independently of the others, and then takes 2 to 100 times as long, by a Pareto"
              + " of shape "
              + SHAPE
              + ". This is chosen so that small jobs would gain about half without outliers; Dolly"
              + " section 2.3 prints 49 % for Facebook's.");
    }
  }

  /**
   * "If all outliers are hypothetically ironed out" (Dolly section 2.3): an attempt that is an
   * outlier by the paper's rule takes a normal time instead.
   */
  private static final class NoOutliers implements Scheme {
    @Override
    public String name() {
      return Way.IDEAL.label();
    }

    @Override
    public double factor(TaskRun task, int attempt, int machine, Slowness slowness) {
      double factor = slowness.of(task.phase().key(), task.index(), attempt, machine);
      return OutlierRule.DOLLY.isOutlier(factor, 1) ? 1 : factor;
    }
  }

  private final World world;
  private final ExperimentSetup setup;
  private final Map<Way, SchemeOutcome> outcomes = new EnumMap<>(Way.class);

  /** Runs all ways of a world. */
  CloningRuns(World world, int jobs, int machines, ExperimentSettings settings) {
    long seed = settings.seed();
    this.world = world;
    SyntheticSettings synthetic =
        SyntheticSettings.of(machines, SLOTS)
            .withJobs(jobs)
            .withUtilization(world.utilisation)
            .withSeed(seed);
    this.setup =
        new ExperimentSetup(
            new SyntheticWorkload(synthetic),
            ClusterShape.of(machines, SLOTS),
            world == World.PUBLISHED
                ? new PublishedSlowness(seed, phase -> true)
                : new Costly(seed));
    SimulationSettings usual = SimulationSettings.defaults(seed);
    for (Way way : world.ways()) {
      Scheme scheme = scheme(way, usual, setup.shape().slots());
      outcomes.put(way, setup.run(step(world, way), scheme, usual, settings.progress()));
    }
  }

  /**
   * Creates the scheme of a way. Dolly's schemes get all clones that its formulas ask for, while
   * there is room.
   */
  private static Scheme scheme(Way way, SimulationSettings usual, int slots) {
    CloneSettings shipped = usual.job().clones();
    CloneSettings small = shipped.withSizes(shipped.maxTasks(), slots);
    CloneSettings all = shipped.withSizes(Integer.MAX_VALUE, slots);
    return switch (way) {
      case DOLLY -> new Dolly(small);
      case DOLLY_ALL -> new Dolly(all);
      case DOLLY_JOB -> new DollyJob(small);
      case DOLLY_JOB_ALL -> new DollyJob(all);
      case IDEAL -> new NoOutliers();
      case LATE, MANTRI, DROVER, CLAIRVOYANT -> Schemes.create(way.label(), usual).orElseThrow();
    };
  }

  /** Returns the name of a step in reports. */
  static String step(World world, Way way) {
    return world.label() + ", " + way.label();
  }

  World world() {
    return world;
  }

  /** Returns the reduction of the mean time of some jobs under a way, relative to a baseline. */
  OptionalDouble faster(Way way, JobSizes sizes, Way baseline) {
    return sizes.reduction(outcomes.get(baseline), outcomes.get(way));
  }

  /** Returns the gain of small jobs over their gain without outliers; empty if that is none. */
  OptionalDouble shareOfIdeal(Way way) {
    OptionalDouble ideal = faster(Way.IDEAL, JobSizes.SMALL, Way.LATE);
    OptionalDouble own = faster(way, JobSizes.SMALL, Way.LATE);
    return ideal.isPresent() && ideal.getAsDouble() > 0
        ? OptionalDouble.of(own.getAsDouble() / ideal.getAsDouble())
        : OptionalDouble.empty();
  }

  /** Returns the share of the slots that was busy. */
  double utilisation(Way way) {
    return outcomes.get(way).utilisation();
  }

  /** Returns the slot time beyond LATE's, relative to another way's; empty if that has none. */
  OptionalDouble moreSlotTime(Way way, Way other) {
    double late = outcomes.get(Way.LATE).slotSeconds();
    double more = outcomes.get(way).slotSeconds() - late;
    double moreOfOther = outcomes.get(other).slotSeconds() - late;
    return moreOfOther > 0 ? OptionalDouble.of(more / moreOfOther) : OptionalDouble.empty();
  }

  /** Returns sentences for reports that say what is real and what is modelled. */
  List<String> provenance() {
    return setup.provenance();
  }
}
