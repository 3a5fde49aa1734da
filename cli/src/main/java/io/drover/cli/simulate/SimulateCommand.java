// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.simulator.scheme.Schemes;
import java.io.IOException;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drover simulate}: its options, and what they may be. */
@Command(
    name = "simulate",
    header = "Replay a workload under Drover and other schemes, in a simulated cluster.",
    description = {
      "",
      "Runs the same jobs, with the same slow attempts, once under each scheme, and compares each"
          + " scheme with no speculation. Drover's policies are the product's own. Ends with a"
          + " table that says what is real in it and what is modelled.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class SimulateCommand implements Callable<Integer> {
  /** What is swept and scaled where no scheme is typed. */
  private static final String PRODUCT = "drover";

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
      defaultValue = LossesOption.NONE,
      description =
          "What is lost: none, or published (outputs, by Mantri's figures of recomputations)."
              + " May be followed by ,failures=N (how often a machine fails in a day, 0 to 10) and"
              + " ,evictions=N (share of attempts that the cluster ends for others, 0 to 0.5)."
              + " Default: ${DEFAULT-VALUE}.")
  private String losses;

  @Option(
      names = "--schemes",
      paramLabel = "NAME,...",
      defaultValue = "none,hadoop,late,mantri,dolly,drover,no-skew,informed,clairvoyant",
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
      names = "--inputs",
      paramLabel = "KIND[:SECONDS]",
      defaultValue = InputOption.ANYWHERE,
      description =
          "Where the blocks of maps lie: anywhere (maps read at the same pace everywhere), disk"
              + " (three replicas by HDFS's rule), or memory (one, read 20 times as fast). Of the"
              + " latter two a map elsewhere reads over the network, and a job waits so many"
              + " seconds for a slot beside its blocks, 3 by default. Default: ${DEFAULT-VALUE}.")
  private String inputs;

  @Option(
      names = "--sampled",
      paramLabel = "K/N[:SHARE]",
      description =
          "Jobs need any K of N input blocks, 0.1 for a tenth of them; with a share, so many of the"
              + " jobs, chosen by chance. The scheme kmn chooses the blocks by the slots that come"
              + " free; for the others they are selected at submission. Default: no job.")
  private String sampled;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of Drover, mapreduce.drover.* or yarn.drover.*; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the random numbers; the same seed gives the same figures. Default: 1.")
  private String seed;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Run everything N times, 1 to 100, with one seed after the other. Default: 1.")
  private String repeat;

  @Mixin private InsteadOptions instead = new InsteadOptions();
  @Mixin private ResultOptions result = new ResultOptions();

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
    Simulate simulate = new Simulate(result, InstantSource.system(), out, err);
    Arguments arguments = new Arguments(spec);
    try {
      if (instead.experiment() != null) {
        experiment(simulate, arguments);
      } else if (instead.scaling()) {
        ScalingArguments.check(arguments, jobs, MOST_JOBS);
        String scheme = oneScheme(arguments, "--scaling");
        simulate.scale(options(arguments, List.of(scheme)), scheme);
      } else if (!instead.sweep().isEmpty()) {
        List<String> both = List.of(Schemes.BASELINE, oneScheme(arguments, "--sweep"));
        SimulateOptions common = options(arguments, both);
        simulate.sweep(new SweepArguments(arguments).options(instead.sweep(), common));
      } else {
        List<String> all = new SimulateArguments(arguments).schemes(schemes);
        simulate.compare(options(arguments, all));
      }
      return CommandLine.ExitCode.OK;
    } catch (OutOfMemoryError e) {
      throw new IllegalStateException(
          "this workload needs more than the "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MB that this JVM may use; DROVER_OPTS=-Xmx4g allows more",
          e);
    }
  }

  private void experiment(Simulate simulate, Arguments arguments) {
    ExperimentArguments own = new ExperimentArguments(arguments);
    if (own.isList(instead.experiment())) {
      out.print(ExperimentTable.list());
      return;
    }
    simulate.experiment(
        own.experiment(instead.experiment()),
        new SimulateArguments(arguments).seed(seed),
        arguments.number("--repeat", repeat, 1, MOST_REPEATS));
  }

  /** The scheme that is run alone: the one that was typed, else the product's. */
  private String oneScheme(Arguments arguments, String option) {
    return arguments.isTyped("--schemes")
        ? new SimulateArguments(arguments).scheme(schemes, option)
        : PRODUCT;
  }

  /** The options, if they make sense together. */
  private SimulateOptions options(Arguments arguments, List<String> compared) {
    SimulateArguments own = new SimulateArguments(arguments);
    Chosen jobsFrom = own.workload(workload);
    only(arguments, "--hours", "swim", jobsFrom);
    only(arguments, "--jobs", "synthetic", jobsFrom);
    OptionalInt howMany = own.optional("--machines", machines, MOST_MACHINES);
    return new SimulateOptions(
        jobsFrom,
        own.slowness(Optional.ofNullable(slowness), jobsFrom),
        own.losses(losses, sampled),
        compared,
        howMany,
        arguments.number("--slots", slots, 1, MOST_SLOTS),
        own.optional("--racks", racks, howMany.orElse(MOST_MACHINES)),
        own.seed(seed),
        arguments.number("--hours", hours, 1, MOST_HOURS),
        arguments.number("--jobs", jobs, 1, MOST_JOBS),
        InputOption.read(arguments, inputs),
        own.sampling(sampled),
        own.settings(settings),
        arguments.number("--repeat", repeat, 1, MOST_REPEATS),
        result.json(),
        result.html(arguments));
  }

  private static void only(Arguments arguments, String option, String kind, Chosen chosen) {
    if (arguments.isTyped(option) && !chosen.kind().equals(kind)) {
      throw arguments.bad("option '" + option + "' is for --workload " + kind + " alone");
    }
  }
}
