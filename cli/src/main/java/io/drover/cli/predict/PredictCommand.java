// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drover predict}: how well failures of jobs could have been predicted. */
@Command(
    name = "predict",
    header = "Predict which jobs fail, from jobs that have ended.",
    description = {
      "",
      "Works on tables of jobs, and on the history files of a MapReduce cluster. Nothing of a"
          + " cluster changes.",
      ""
    },
    mixinStandardHelpOptions = true,
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "COMMAND",
    footer = "%n'drover predict COMMAND --help' shows the help of a command.",
    usageHelpAutoWidth = true)
public final class PredictCommand implements Runnable {
  @Spec private CommandSpec spec;

  private PredictCommand() {}

  /** Creates the command with its subcommands. */
  public static CommandLine commandLine(PrintStream out, PrintStream err) {
    return new CommandLine(new PredictCommand())
        .addSubcommand(new TrainCommand(out, err))
        .addSubcommand(new EvaluateCommand(out, err))
        .addSubcommand(new ExplainCommand(out, err))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
