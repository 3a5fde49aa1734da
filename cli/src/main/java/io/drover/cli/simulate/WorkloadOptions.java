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
              + " 2010), coflow:FILE, or history:FILE (Rumen JSON, or a table of jobs next to a"
              + " table of attempts). Default: ${DEFAULT-VALUE}.")
  private SourceChoice workload;

  @Option(
      names = "--skip-bad",
      description =
          "Leave out the jobs and lines of the workload's file that are malformed, and say how many"
              + " there are. Default: the first one ends the run with an error.")
  private boolean skipBad;

  @Option(
      names = "--losses",
      paramLabel = "KIND[,...]",
      defaultValue = "none",
      converter = Choices.Losses.class,
      description =
          "What is lost: none, or published (outputs, by Mantri's figures of recomputations). May"
              + " be followed by ,failures=N (failures per machine and day, 0 to 10) and"
              + " ,evictions=N (share of attempts that end early because the cluster needs their"
              + " slots, 0 to 0.5). Default: ${DEFAULT-VALUE}.")
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
          "Where the blocks of maps lie: anywhere (maps read equally fast everywhere), disk (three"
              + " replicas, placed by HDFS's rule), or memory (one replica, read 20 times as fast)."
              + " With disk and memory, a map that runs elsewhere reads over the network, and a job"
              + " waits SECONDS (3 by default) for a slot beside its blocks. Default:"
              + " ${DEFAULT-VALUE}.")
  private Choices.Inputs inputs;

  @Option(
      names = "--sampled",
      paramLabel = "K/N[:SHARE]",
      converter = Choices.SampledJobs.class,
      description =
          "Jobs need any K of N input blocks; 0.1 means a tenth of them. With SHARE, only this"
              + " share of the jobs does, chosen at random. The schemes kmn and drover choose"
              + " the blocks by the slots that come free; for other schemes, they are selected at"
              + " submission."
              + " Default: all jobs need all of their blocks.")
  private Optional<Sampling> sampled;

  @Mixin private ClusterOptions cluster;

  /** Returns the options, or throws if they contradict each other. */
  SimulationOptions options(Arguments arguments) {
    only(arguments, "--hours", "swim");
    only(arguments, "--jobs", "synthetic");
    if (skipBad && workload.file().isEmpty()) {
      throw arguments.bad(
          "option '--skip-bad' works only with a workload of a file: swim, coflow or history");
    }
    if (sampled.isPresent() && !losses.equals(LossSettings.NONE)) {
      throw arguments.bad(
          "option '--losses' does not work with --sampled: losses of jobs that sample are not"
              + " modelled");
    }
    return new SimulationOptions(
        workload,
        skipBad,
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
      throw arguments.bad("option '" + option + "' works only with --workload " + kind);
    }
  }
}
