// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import io.drover.cli.command.MemoryLimit;
import io.drover.cli.command.Version;
import io.drover.cli.demo.ClusterRuns;
import io.drover.cli.demo.DemoCommand;
import io.drover.cli.demo.DemoCommand.SourceFactory;
import io.drover.cli.demo.ExistingRuns;
import io.drover.cli.doctor.DoctorCommand;
import io.drover.cli.predict.PredictCommand;
import io.drover.cli.quarantine.QuarantineCommand;
import io.drover.cli.report.HistoryReportCommand;
import io.drover.cli.simulate.SimulateCommand;
import io.drover.core.text.ForeignText;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The {@code drover} command. Exit codes: 0 for success, 1 for a failure (a job failed, an output
 * differed, the cluster did not start, a trace cannot be read), 2 for wrong arguments. {@code
 * doctor} has 1 and 2 for what it finds, too; then its report is on standard output.
 */
public final class Main {
  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    // JSON is UTF-8 wherever it is read, and names are in any language, also where LANG is C.
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // What libraries print to System.out must not get between the lines of a result.
    System.setOut(System.err);
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean ending = new AtomicBoolean();
    Runnable noteEnd =
        () -> {
          ending.set(true);
          if (!done.get()) {
            System.err.println(
                System.lineSeparator() + "Stopped. Everything that was started is being removed.");
          }
        };
    Runtime.getRuntime().addShutdownHook(new Thread(noteEnd, "drover-note-the-end"));
    SourceFactory sources =
        (hosts, starting, keptLogs) ->
            hosts.isEmpty()
                ? new ExistingRuns(starting)
                : new ClusterRuns(hosts.get(), starting, keptLogs);
    int code = run(args, out, System.err, sources, ending);
    done.set(true);
    out.flush();
    System.exit(code);
  }

  /**
   * Runs a command line.
   *
   * @param args the arguments as typed
   * @param out stream for results
   * @param err stream for everything else
   * @param source creates the source of the demo's runs
   * @param ending whether the process is being stopped from outside; errors are not printed then
   * @return the exit code
   */
  static int run(
      String[] args, PrintStream out, PrintStream err, SourceFactory source, AtomicBoolean ending) {
    CommandLine drover = new CommandLine(new Drover());
    drover.addSubcommand(new DemoCommand(out, err, source).commandLine());
    drover.addSubcommand(SimulateCommand.commandLine(out, err));
    drover.addSubcommand(new HistoryReportCommand(out, err));
    drover.addSubcommand(PredictCommand.commandLine(out, err));
    drover.addSubcommand(DoctorCommand.commandLine(out, err));
    drover.addSubcommand(QuarantineCommand.commandLine(out, System.getenv()));
    drover.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    drover.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    drover.setParameterExceptionHandler(new ArgumentErrors(err));
    drover.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          if (!ending.get()) {
            RunErrors.print(failure, isVerbose(parsed), err);
          }
          return CommandLine.ExitCode.SOFTWARE;
        });
    try {
      return drover.execute(args);
    } catch (Error failure) { // picocli handles exceptions only
      if (!ending.get()) {
        RunErrors.print(failure, isVerbose(drover.getParseResult()), err);
      }
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private static boolean isVerbose(CommandLine.ParseResult parsed) {
    return parsed.hasSubcommand()
        ? isVerbose(parsed.subcommand())
        : parsed.hasMatchedOption("--verbose");
  }

  @Command(
      name = "drover",
      description = "Makes Hadoop jobs finish sooner when some of their tasks are slow.",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      synopsisSubcommandLabel = "COMMAND",
      commandListHeading = "%nCommands:%n",
      optionListHeading = "%nOptions:%n",
      footer = "%n'drover COMMAND --help' shows the help of a command.")
  private static final class Drover implements Runnable {
    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
      spec.commandLine().usage(spec.commandLine().getOut());
    }
  }

  /** Prints one line that says what went wrong in a run. */
  static final class RunErrors {
    private RunErrors() {}

    static void print(Throwable failure, boolean verbose, PrintStream err) {
      err.println("drover: " + line(failure) + (verbose ? "" : " (--verbose shows more)"));
      if (verbose) {
        failure.printStackTrace(err);
      }
    }

    /** Returns the first line of the first message in the causes, or else the exception's name. */
    static String line(Throwable failure) {
      if (failure instanceof OutOfMemoryError) {
        return "this " + MemoryLimit.isExceeded();
      }
      for (Throwable t = failure; t != null; t = t.getCause()) {
        if (t.getMessage() != null && !t.getMessage().isBlank()) {
          String first = t.getMessage().strip().lines().findFirst().orElseThrow();
          // A message that is only a name, such as a missing file's, needs the exception's name.
          return ForeignText.printable(
              first.contains(" ") ? first : t.getClass().getSimpleName() + ": " + first);
        }
      }
      return failure.getClass().getSimpleName();
    }
  }
}
