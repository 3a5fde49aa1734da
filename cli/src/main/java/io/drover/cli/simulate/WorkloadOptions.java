// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.simulator.replay.SimulationOptions;
import io.drover.simulator.replay.SimulationOptions.SourceChoice;
import io.drover.simulator.workload.SampledWorkload.Sampling;
import io.drover.simulator.world.Losses.LossSettings;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the jobs of a simulation and for the cluster that they run on. */
final class WorkloadOptions {
  private static final int MOST_HOURS = 24;

  @Option(
      names = "--workload",
      paramLabel = "KIND[:FILE]",
      defaultValue = "synthetic",
      converter = Choices.Workload.class,
      description =
          "The jobs: synthetic (by the published distributions), swim:FILE (Facebook 2009 and"
              + " 2010), coflow:FILE, or history:FILE (Rumen JSON, or a table of jobs beside one of"
              + " attempts). Default: ${DEFAULT-VALUE}.")
  private SourceChoice workload;

  @Option(
      names = "--losses",
      paramLabel = "KIND[,...]",
      defaultValue = "none",
      converter = Choices.Losses.class,
      description =
          "What is lost: none, or published (outputs, by Mantri's figures of recomputations)."
              + " May be followed by ,failures=N (how often a machine fails in a day, 0 to 10) and"
              + " ,evictions=N (share of attempts that the cluster ends for others, 0 to 0.5)."
              + " Default: ${DEFAULT-VALUE}.")
  private LossSettings losses;

  @Option(
      names = "--hours",
      paramLabel = "N",
      defaultValue = "24",
      description = "Hours of a swim trace, 1 to 24, from its start. Default: ${DEFAULT-VALUE}.")
  private int hours;

  @Option(
      names = "--inputs",
      paramLabel = "KIND[:SECONDS]",
      defaultValue = "anywhere",
      converter = Choices.Input.class,
      description =
          "Where the blocks of maps lie: anywhere (maps read at the same pace everywhere), disk"
              + " (three replicas by HDFS's rule), or memory (one, read 20 times as fast). Of the"
              + " latter two a map elsewhere reads over the network, and a job waits so many"
              + " seconds for a slot beside its blocks, 3 by default. Default: ${DEFAULT-VALUE}.")
  private Choices.Inputs inputs;

  @Option(
      names = "--sampled",
      paramLabel = "K/N[:SHARE]",
      converter = Choices.SampledJobs.class,
      description =
          "Jobs need any K of N input blocks, 0.1 for a tenth of them; with a share, so many of the"
              + " jobs, chosen by chance. The scheme kmn chooses the blocks by the slots that come"
              + " free; for the others they are selected at submission. Default: no job.")
  private Optional<Sampling> sampled;

  @Mixin private ClusterOptions cluster;

  /** Returns the options, or throws if they contradict each other. */
  SimulationOptions options(Arguments arguments) {
    only(arguments, "--hours", "swim");
    only(arguments, "--jobs", "synthetic");
    if (sampled.isPresent() && !losses.equals(LossSettings.NONE)) {
      throw arguments.bad(
          "option '--losses' does not go with --sampled: losses of sampling jobs are not modelled");
    }
    return new SimulationOptions(
        workload,
        cluster.slowness(arguments, workload),
        losses,
        cluster.machines(arguments),
        cluster.slots(arguments),
        cluster.racks(arguments),
        cluster.repeats().seed(),
        arguments.within("--hours", hours, 1, MOST_HOURS),
        cluster.jobs(arguments, 1, ClusterOptions.MOST_JOBS),
        inputs.choice(),
        sampled,
        cluster.settings(arguments),
        cluster.repeats().repeat(arguments));
  }

  private void only(Arguments arguments, String option, String kind) {
    if (arguments.isTyped(option) && !workload.kind().equals(kind)) {
      throw arguments.bad("option '" + option + "' is for --workload " + kind + " alone");
    }
  }
}
