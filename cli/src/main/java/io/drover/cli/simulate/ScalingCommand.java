// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import com.sun.management.OperatingSystemMXBean;
import io.drover.cli.command.Arguments;
import io.drover.cli.command.ReportCommand;
import io.drover.cli.simulate.ClusterOptions.SchemeOption;
import io.drover.simulator.replay.Scaling;
import io.drover.simulator.replay.SimulationOptions;
import io.drover.simulator.replay.SimulationOptions.SourceChoice;
import io.drover.simulator.report.ScalingReport;
import io.drover.simulator.report.SimulationReport;
import io.drover.simulator.world.Losses.LossSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drover simulate scaling}: measures how simulation time grows with the number of jobs. */
@Command(
    name = "scaling",
    header = "Measure how the time of a simulation grows with its size.",
    description = {
      "",
      "Runs one scheme on 1, 2, 4, 8 and 16 times the number of synthetic jobs that --jobs sets,"
          + " and says whether the time grows faster than n log n.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
final class ScalingCommand extends ReportCommand {
  @Mixin private SchemeOption scheme;
  @Mixin private ClusterOptions cluster;

  ScalingCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  protected SimulationReport report(Arguments arguments) throws IOException {
    Scaling scaling = new Scaling(options(arguments), scheme.name(arguments));
    try (SimulateProgress progress =
        SimulateProgress.of(scaling.steps(), scaling.weights(), terminal())) {
      return ScalingReport.of(scaling.run(progress, ScalingCommand::processorNanos));
    }
  }

  private SimulationOptions options(Arguments arguments) {
    SourceChoice synthetic = SourceChoice.of("synthetic");
    int largest = Scaling.FACTORS.get(Scaling.FACTORS.size() - 1);
    return new SimulationOptions(
        synthetic,
        false,
        cluster.slowness(arguments, synthetic),
        LossSettings.NONE,
        cluster.machines(arguments),
        cluster.slots(arguments),
        cluster.racks(arguments),
        cluster.repeats().seed(),
        1,
        cluster.jobs(arguments, 2, ClusterOptions.MOST_JOBS / largest),
        Optional.empty(),
        Optional.empty(),
        cluster.settings(arguments),
        cluster.repeats().repeat(arguments));
  }

  /**
   * Returns the processor time of all threads of this process, or a clock's if the JVM reports
   * none.
   */
  private static long processorNanos() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean process) {
      long nanos = process.getProcessCpuTime();
      return nanos < 0 ? System.nanoTime() : nanos;
    }
    return System.nanoTime();
  }
}
