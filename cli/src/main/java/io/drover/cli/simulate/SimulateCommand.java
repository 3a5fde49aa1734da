// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.cli.command.ReportCommand;
import io.drover.simulator.replay.Replays;
import io.drover.simulator.replay.Variant;
import io.drover.simulator.report.ComparisonReport;
import io.drover.simulator.report.SimulationReport;
import io.drover.simulator.scheme.Schemes;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drover simulate}: compares schemes on the same workload. */
@Command(
    name = "simulate",
    header = "Replay a workload under Drover and other schemes, in a simulated cluster.",
    description = {
      "",
      "Runs the same jobs, with the same slow attempts, once under each scheme, and compares each"
          + " scheme with no speculation. Drover's policies are the real ones; only the cluster is"
          + " simulated. Ends with a table, and says what in it is real and what is modelled.",
      ""
    },
    footer = "%n'drover simulate COMMAND --help' shows the help of a command.",
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "[COMMAND]",
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class SimulateCommand extends ReportCommand {
  @Option(
      names = "--schemes",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "none,hadoop,late,mantri,dolly,drover,no-skew,informed,clairvoyant",
      converter = Choices.SchemeName.class,
      completionCandidates = Choices.SchemeName.class,
      description =
          "The schemes: ${COMPLETION-CANDIDATES}. none is the baseline for the others and always"
              + " runs. Default: ${DEFAULT-VALUE}.")
  private List<String> schemes;

  @Mixin private WorkloadOptions workload;

  /**
   * Creates the command.
   *
   * @param out stream for the result
   * @param err stream for everything else
   */
  public SimulateCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  /** Creates the command with its subcommands. */
  public static CommandLine commandLine(PrintStream out, PrintStream err) {
    return new CommandLine(new SimulateCommand(out, err))
        .addSubcommand(new SweepCommand(out, err))
        .addSubcommand(new ScalingCommand(out, err))
        .addSubcommand(new ExperimentCommand(out, err));
  }

  @Override
  protected SimulationReport report(Arguments arguments) throws IOException {
    Set<String> named = new LinkedHashSet<>(List.of(Schemes.BASELINE));
    named.addAll(schemes);
    List<String> compared = List.copyOf(named);
    Replays replays = new Replays(workload.options(arguments), Variant.of(compared));
    try (SimulateProgress progress = SimulateProgress.of(replays.steps(), terminal())) {
      return ComparisonReport.of(replays.run(progress, System::nanoTime), compared);
    }
  }
}
