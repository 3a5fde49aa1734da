// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.ClusterSettings;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.scheme.Kmn;
import io.drover.simulator.scheme.Kmn.Patience;
import io.drover.simulator.scheme.SampledStage;
import io.drover.simulator.workload.SampledWorkload;
import io.drover.simulator.workload.SampledWorkload.Sampling;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.Inputs;
import io.drover.simulator.world.PublishedSlowness;
import io.drover.simulator.world.Slowness;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The common part of KMN's figures 8, 9 and 22: the upstream stages of jobs that need any K of N
 * blocks, in a cluster that is 30 % busy (section 6, at figure 21), under the scheme {@code kmn}.
 */
final class KmnStages {
  /** The default number of jobs of {@code drover simulate}. */
  static final int USUAL_JOBS = 2000;

  static final int USUAL_MACHINES = 600;

  private static final int SLOTS = 8;
  private static final double UTILISATION = 0.3;

  /** "As we do 10% sampling", section 6, at figure 17. */
  private static final double K_OF_N = 0.1;

  /** The classes of job sizes that the text mentions, by K. */
  enum Size {
    SMALL("11 to 50 tasks", 11, 50),
    MIDDLE("51 to 150 tasks", 51, 150),
    LARGE("more than 150 tasks", 151, Integer.MAX_VALUE);

    private final String label;
    private final int least;
    private final int most;

    Size(String label, int least, int most) {
      this.label = label;
      this.least = least;
      this.most = most;
    }

    String label() {
      return label;
    }

    private boolean has(SampledStage stage) {
      return stage.needed() >= least && stage.needed() <= most;
    }
  }

  /** The worlds, which differ in the durations of attempts and of transfers. */
  enum World {
    /** Mantri's published outliers, with the default links. */
    PUBLISHED("published", ClusterShape.USUAL_OVERSUBSCRIPTION),
    /** The durations that section 4.3 implies, with the default links. */
    MILD("mild", ClusterShape.USUAL_OVERSUBSCRIPTION),
    /** Mild, with links of a tenth of the default capacity. */
    NARROW("mild, narrow links", 10 * ClusterShape.USUAL_OVERSUBSCRIPTION);

    private final String label;
    private final double oversubscription;

    World(String label, double oversubscription) {
      this.label = label;
      this.oversubscription = oversubscription;
    }

    String label() {
      return label;
    }

    /** Returns the name of a step in reports. */
    String label(double ratio) {
      return String.format(Locale.ROOT, "%s, M/K = %.2f", label, ratio);
    }
  }

  private final World world;
  private final int jobs;
  private final int machines;

  KmnStages(World world, int jobs, int machines) {
    this.world = world;
    this.jobs = jobs;
    this.machines = machines;
  }

  /**
   * Draws lognormal durations of attempts. Of M = 1.1 K tasks with K = 300, the slowest is at the
   * 0.998 quantile and the K-th at the 0.91 quantile. With sigma 0.2 they are 37 % apart; with M =
   * 1.02 K they are 19 % apart. The text has 40 % and 20 % (section 4.3).
   */
  private record LogNormal(long seed) implements Slowness {
    private static final double SIGMA = 0.2;

    @Override
    public double of(long phase, int task, int attempt, int machine) {
      return Draws.logNormal(Draws.key(seed, phase, task, attempt), 1, SIGMA);
    }

    @Override
    public List<String> provenance() {
      return List.of(
          "Mild: modelled; attempts are lognormal, sigma "
              + SIGMA
              + ", so that waiting for 2 % and 10 % extra tasks costs what section 4.3 prints.");
    }
  }

  private Slowness slowness(long seed) {
    return world == World.PUBLISHED ? new PublishedSlowness(seed) : new LogNormal(seed);
  }

  /** Runs a step of an experiment, and returns the stages that had extra tasks (M above K). */
  List<SampledStage> run(double ratio, Patience patience, ExperimentSettings settings) {
    SimulationSettings own = settings(ratio, settings.seed());
    List<SampledStage> stages = new ArrayList<>();
    new ExperimentSetup(workload(settings.seed()), shape(), slowness(settings.seed()))
        .run(
            world.label(ratio),
            new Kmn(own.sampling(), own.job().placement(), patience, stages::add),
            own,
            settings.progress());
    stages.removeIf(stage -> stage.most() == stage.needed());
    return stages;
  }

  private Workload workload(long seed) {
    SyntheticSettings settings =
        SyntheticSettings.of(machines, SLOTS)
            .withJobs(jobs)
            .withUtilization(UTILISATION)
            .withSeed(seed);
    return new SampledWorkload(new SyntheticWorkload(settings), new Sampling(K_OF_N, 1), seed);
  }

  private ClusterShape shape() {
    return ClusterShape.of(machines, SLOTS).oversubscribed(world.oversubscription);
  }

  private static SimulationSettings settings(double ratio, long seed) {
    Map<String, String> typed =
        Map.of(ClusterSettings.UPSTREAM_RATIO.key(), Double.toString(ratio));
    try {
      return SimulationSettings.read(seed, typed).with(Inputs.DISK);
    } catch (BadSettingException e) {
      throw new IllegalStateException("a ratio of the paper is out of range", e);
    }
  }

  /** Returns the median over the stages of a size; empty if there are none. */
  static OptionalDouble median(
      List<SampledStage> stages, Size size, ToDoubleFunction<SampledStage> figure) {
    double[] figures = stages.stream().filter(size::has).mapToDouble(figure).toArray();
    return figures.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(StatUtils.percentile(figures, 50));
  }

  /** Returns sentences for reports that say what is real and what is modelled in some worlds. */
  static List<String> provenance(List<World> worlds, int jobs, int machines, long seed) {
    KmnStages any = new KmnStages(World.PUBLISHED, jobs, machines);
    List<String> all = new ArrayList<>(any.workload(seed).provenance());
    worlds.stream()
        .map(world -> new KmnStages(world, jobs, machines).slowness(seed).provenance())
        .distinct()
        .forEach(all::addAll);
    all.add(
        String.format(
            Locale.ROOT,
            "Cluster: modelled; %d machines of %d slots in %d racks, links 5:1 oversubscribed"
                + " (narrow: 50:1); blocks on disks, placed by HDFS's rule. Stages whose outputs no"
                + " other stage reads, and stages without extra tasks, are left out.",
            machines,
            SLOTS,
            any.shape().racks()));
    return all;
  }
}
