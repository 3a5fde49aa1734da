// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.Arguments;
import io.drover.cli.progress.Terminal;
import io.drover.simulator.experiment.Experiments;
import io.drover.simulator.scheme.Schemes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drover simulate}: its options, and what they may be. */
@Command(
    name = "simulate",
    header = "Replay a workload under Drover and other schemes, in a simulated cluster.",
    description = {
      "",
      "Runs the same jobs, with the same ill luck, once for each scheme, and compares each with no"
          + " speculation at all. The policies are those of the product itself. Ends with a table"
          + " that says what of it is real and what is modelled.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class SimulateCommand implements Callable<Integer> {
  private static final int MOST_MACHINES = 100_000;
  private static final int MOST_SLOTS = 500;
  private static final int MOST_HOURS = 24;
  private static final int MOST_JOBS = 1_000_000;
  private static final int MOST_REPEATS = 100;

  /** What may be typed after {@code --schemes}. */
  static final class SchemeNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Schemes.names().iterator();
    }
  }

  /** What may be typed after {@code --experiment}. */
  static final class ExperimentNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Experiments.names().iterator();
    }
  }

  private final PrintStream out;
  private final PrintStream err;

  @Spec private CommandSpec spec;

  @Option(
      names = "--workload",
      paramLabel = "KIND[:FILE]",
      defaultValue = "synthetic",
      description =
          "The jobs: synthetic (by the published distributions), swim:FILE (Facebook 2009 and"
              + " 2010), coflow:FILE, or history:FILE (Rumen JSON, or a table of jobs beside one of"
              + " attempts). Default: ${DEFAULT-VALUE}.")
  private String workload;

  @Option(
      names = "--slowness",
      paramLabel = "KIND[:FILE]",
      description =
          "How slow attempts are: published (by Mantri's figures), google:FILE (attempts of the"
              + " Google trace of 2011), history (what the history recorded), or none. Default:"
              + " history for a history, else published.")
  private String slowness;

  @Option(
      names = "--losses",
      paramLabel = "KIND[,...]",
      description =
          "What is lost beside: published (outputs, by Mantri's figures of recomputations) or none."
              + " May be followed by ,failures=N (how often a machine fails in a day, 0 to 10) and"
              + " ,evictions=N (share of attempts that the cluster ends for others, 0 to 0.5)."
              + " Default: published for a synthetic workload, else none.")
  private String losses;

  @Option(
      names = "--schemes",
      paramLabel = "NAME,...",
      defaultValue = "none,hadoop,late,mantri,dolly,drover,no-skew,clairvoyant",
      completionCandidates = SchemeNames.class,
      description =
          "What is done about outliers: ${COMPLETION-CANDIDATES}. none, what the others are"
              + " compared with, is always run. Default: ${DEFAULT-VALUE}.")
  private String schemes;

  @Option(
      names = "--machines",
      paramLabel = "N",
      description =
          "Machines of the cluster, 1 to 100000. Default: 3000 for Facebook 2010, the trace's racks"
              + " for coflow, else 600.")
  private String machines;

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "8",
      description = "Attempts that a machine runs at once, 1 to 500. Default: ${DEFAULT-VALUE}.")
  private String slots;

  @Option(
      names = "--racks",
      paramLabel = "N",
      description =
          "Racks, 1 to the number of machines. Default: one for each 40 machines; for coflow one"
              + " for each machine, which then stands for a rack.")
  private String racks;

  @Option(
      names = "--hours",
      paramLabel = "N",
      defaultValue = "24",
      description = "Hours of a swim trace, 1 to 24, from its start. Default: ${DEFAULT-VALUE}.")
  private String hours;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Jobs of a synthetic workload, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
  private String jobs;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of Drover, mapreduce.drover.* or yarn.drover.*; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of all chance; the same seed gives the same figures. Default: 1.")
  private String seed;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Run everything N times, 1 to 100, with one seed after the other. Default: 1.")
  private String repeat;

  @Option(
      names = "--experiment",
      paramLabel = "NAME",
      completionCandidates = ExperimentNames.class,
      description =
          "Compute a table or figure of a paper instead, and set it beside the print:"
              + " ${COMPLETION-CANDIDATES}; list tells about them. Goes with --seed, --repeat and"
              + " --json alone.")
  private String experiment;

  @Option(
      names = {"--html", "--report"},
      paramLabel = "FILE",
      description = "Write a page with the distributions here.")
  private Path html;

  @Option(
      names = "--json",
      description = "Print one JSON object on standard output, and all else on standard error.")
  private boolean json;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show stack traces of errors.")
  @SuppressWarnings("unused") // Main asks the parser for it
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("unused") // picocli reads it
  private boolean help;

  /**
   * The command.
   *
   * @param out for the result
   * @param err for everything else
   */
  public SimulateCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** The command, ready to be one of several. */
  public CommandLine commandLine() {
    return new CommandLine(this);
  }

  @Override
  public Integer call() throws IOException {
    if (experiment != null) {
      return callExperiment();
    }
    SimulateOptions options = options();
    SimulateResult result =
        Simulations.run(
            options, Terminal.of(err), InstantSource.system().instant(), System::nanoTime);
    if (options.html().isPresent()) {
      Files.writeString(options.html().get(), SimulatePage.of(result));
    }
    (options.json() ? err : out).print(SimulateTable.of(result));
    if (options.json()) {
      out.println(SimulateJson.of(result));
    }
    options
        .html()
        .ifPresent(page -> err.println("The picture: " + page.toAbsolutePath().normalize()));
    return CommandLine.ExitCode.OK;
  }

  private Integer callExperiment() {
    Arguments arguments = new Arguments(spec);
    ExperimentArguments own =
        new ExperimentArguments(arguments, spec.commandLine().getParseResult());
    if (own.isList(experiment)) {
      out.print(ExperimentTable.list());
      return CommandLine.ExitCode.OK;
    }
    ExperimentRun run =
        ExperimentRun.of(
            own.experiment(experiment),
            new SimulateArguments(arguments).seed(seed),
            arguments.number("--repeat", repeat, 1, MOST_REPEATS),
            Terminal.of(err),
            System::nanoTime);
    (json ? err : out).print(ExperimentTable.of(run));
    if (json) {
      out.println(ExperimentJson.of(run));
    }
    return CommandLine.ExitCode.OK;
  }

  /** The options, if they make sense together. */
  private SimulateOptions options() {
    Arguments arguments = new Arguments(spec);
    SimulateArguments own = new SimulateArguments(arguments);
    Chosen jobsFrom = own.workload(workload);
    only(arguments, "--hours", "swim", jobsFrom);
    only(arguments, "--jobs", "synthetic", jobsFrom);
    OptionalInt howMany = own.optional("--machines", machines, MOST_MACHINES);
    return new SimulateOptions(
        jobsFrom,
        own.slowness(Optional.ofNullable(slowness), jobsFrom),
        own.losses(Optional.ofNullable(losses), jobsFrom),
        own.schemes(schemes),
        howMany,
        arguments.number("--slots", slots, 1, MOST_SLOTS),
        own.optional("--racks", racks, howMany.orElse(MOST_MACHINES)),
        own.seed(seed),
        arguments.number("--hours", hours, 1, MOST_HOURS),
        arguments.number("--jobs", jobs, 1, MOST_JOBS),
        own.settings(settings),
        arguments.number("--repeat", repeat, 1, MOST_REPEATS),
        json,
        Optional.ofNullable(html).map(page -> arguments.output("--html", page)));
  }

  private void only(Arguments arguments, String option, String kind, Chosen chosen) {
    boolean given = spec.commandLine().getParseResult().hasMatchedOption(option);
    if (given && !chosen.kind().equals(kind)) {
      throw arguments.bad("option '" + option + "' is for --workload " + kind + " alone");
    }
  }
}
