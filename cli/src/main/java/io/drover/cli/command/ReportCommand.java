// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import io.drover.cli.progress.Terminal;
import io.drover.simulator.report.PageReport;
import io.drover.simulator.report.SimulationReport;
import io.drover.simulator.report.TextReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Base of commands that make a report and show it as the options say. */
public abstract class ReportCommand implements Callable<Integer> {
  private final PrintStream out;
  private final PrintStream err;

  @Spec private CommandSpec spec;

  @Option(
      names = {"--html", "--report"},
      order = OutputOptions.LAST,
      paramLabel = "FILE",
      description = "Write a page with charts here.")
  private Optional<Path> html;

  @Mixin private OutputOptions output;

  /**
   * Creates the command.
   *
   * @param out stream for the result
   * @param err stream for everything else
   */
  protected ReportCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Makes the report. Rejects wrong arguments before anything runs. */
  protected abstract SimulationReport report(Arguments arguments) throws IOException;

  @Override
  public Integer call() throws IOException {
    QuietLog.use(output.isVerbose());
    Arguments arguments = new Arguments(spec);
    arguments.refuseBeforeSubcommand();
    Optional<Path> page = html.map(file -> arguments.output("--html", file));
    Instant began = InstantSource.system().instant();
    SimulationReport report = report(arguments);
    if (page.isPresent()) {
      Files.writeString(page.get(), PageReport.of(report, "drover " + Version.text(), began));
    }
    (output.isJson() ? err : out).print(TextReport.of(report));
    if (output.isJson()) {
      out.println(report.facts());
    }
    page.ifPresent(file -> err.println("The page: " + file.toAbsolutePath().normalize()));
    return CommandLine.ExitCode.OK;
  }

  /** Returns where progress is shown: standard error. */
  protected final Terminal terminal() {
    return Terminal.of(err);
  }

  /** Returns the stream for output that is not a report. */
  protected final PrintStream out() {
    return out;
  }
}
