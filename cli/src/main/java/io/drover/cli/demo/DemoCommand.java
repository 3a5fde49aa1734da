// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.command.Arguments;
import io.drover.cli.command.OutputOptions;
import io.drover.cli.command.QuietLog;
import io.drover.simulator.report.Text;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.fault.FaultKind;
import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.host.Host;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drover demo}: parses and checks its options, and does the runs. */
@Command(
    name = "demo",
    header = "Show what Drover does about slow tasks, on a real cluster on this machine.",
    description = {
      "",
      "Starts Hadoop (6 nodes in 3 racks), breaks something, and runs the same job without"
          + " speculation, with Hadoop's own and with Drover. Ends with a table and a page that"
          + " draws every attempt of every run. Nothing but the page is left behind.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class DemoCommand implements Callable<Integer> {
  private static final int MOST_RUNS = 100;
  private static final int MOST_JOBS = 100;
  private static final String REPORT = "drover-demo.html";

  /**
   * The scenarios of {@code --all}: without the one that needs a program of its own. The dead nodes
   * come last because they cost the cluster.
   */
  private static final List<Scenario> ALL =
      List.of(
          Scenario.SLOW_NODE,
          Scenario.SLOW_ATTEMPT,
          Scenario.SILENT_ATTEMPT,
          Scenario.STALL_90,
          Scenario.SKEW,
          Scenario.LONG_TASK,
          Scenario.NONE,
          Scenario.PLACEMENT,
          Scenario.SMALL_JOBS,
          Scenario.SAMPLING,
          Scenario.CEILING,
          Scenario.FAILING_JOBS,
          Scenario.STARVED_HOST,
          Scenario.STOPPED_TASKS,
          Scenario.PAUSING_TASKS,
          Scenario.SLOW_HOST_LINK,
          Scenario.SLOW_UPLINK,
          Scenario.FULL_DISK,
          Scenario.CUT_RACK,
          Scenario.CUT_HOST,
          Scenario.LOST_OUTPUTS,
          Scenario.NM_DEATH,
          Scenario.FLAKY_OUTPUTS,
          Scenario.FLAKY_NM_DEATH,
          Scenario.HOST_DEATH,
          Scenario.NODE_DEATH);

  /** Scenarios that affect more than jobs, and therefore need a cluster of their own. */
  private static final Set<Scenario> OWN_CLUSTER =
      EnumSet.of(
          Scenario.NODE_DEATH,
          Scenario.FAULTS,
          Scenario.CEILING,
          Scenario.SAMPLING,
          Scenario.FAILING_JOBS);

  /** Returns whether a scenario needs a cluster that the demo has started. */
  private static boolean needsOwnCluster(Scenario scenario) {
    return OWN_CLUSTER.contains(scenario) || !scenario.faults().isEmpty();
  }

  /** Returns whether a scenario needs hosts with something of their own to take away. */
  private static boolean needsNamespaces(List<FaultPlan> faults) {
    return faults.stream().anyMatch(plan -> plan.kind().needsNamespaces());
  }

  /** Creates the source of a demo's runs. */
  @FunctionalInterface
  public interface SourceFactory {
    /**
     * Creates a source. It starts nothing yet.
     *
     * @param hosts what the hosts are of the cluster that is to be started; empty if the runs are
     *     on one that exists already
     * @param starting receives the steps of the cluster's start
     * @param keptLogs directory to keep logs in; empty if they are not kept
     */
    RunSource make(Optional<HostKind> hosts, StartListener starting, Optional<Path> keptLogs);
  }

  /** Lists the values of {@code --scenario} for completion. */
  static final class ScenarioKeys implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return keys(Scenario.values(), Scenario::key).iterator();
    }
  }

  /** Lists the values of {@code --modes} for completion. */
  static final class ModeKeys implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return keys(RunMode.values(), RunMode::key).iterator();
    }
  }

  /** Lists the values of {@code --hosts} for completion. */
  static final class HostKeys implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return keys(HostKind.values(), HostKind::key).iterator();
    }
  }

  /** Lists the values of {@code --job} for completion. */
  static final class JobKeys implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return keys(DemoWorkload.values(), DemoWorkload::key).iterator();
    }
  }

  private final PrintStream out;
  private final PrintStream err;
  private final SourceFactory sources;

  @Spec private CommandSpec spec;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "slow-node",
      completionCandidates = ScenarioKeys.class,
      description = "What goes wrong: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private String scenario;

  @Option(
      names = "--modes",
      paramLabel = "MODE",
      split = ",",
      completionCandidates = ModeKeys.class,
      description =
          "Run the jobs in these modes only, out of ${COMPLETION-CANDIDATES}; a mode that a"
              + " scenario does not have is left out. Default: in all.")
  private List<String> modes = List.of();

  @Option(
      names = "--all",
      description = "Run every scenario that the hosts can do, but wrong-clock.")
  private boolean all;

  @Option(
      names = "--job",
      paramLabel = "NAME",
      defaultValue = "wordcount",
      completionCandidates = JobKeys.class,
      description = "What is computed: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private String job;

  @Option(
      names = "--fault",
      paramLabel = "FAULT",
      description =
          "What goes wrong with hosts and racks, in place of a scenario; may be given several"
              + " times: KIND[:at=P%%][:after=TIME][:for=TIME][:on=HOST], such as"
              + " cut-host:at=100%%:for=60s, begins when P %% of the maps are done.")
  private List<String> faults = List.of();

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "1",
      description = "Run everything N times, 1 to 100, and show min / median / max. Default: 1.")
  private int runs;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "5",
      description = "Jobs in each run of small-jobs, 2 to 100. Default: ${DEFAULT-VALUE}.")
  private int jobs;

  @Option(
      names = "--input",
      paramLabel = "FILE|DIR",
      description = "Take the text from here. Default: licences and documents on this machine.")
  private Path input;

  @Option(
      names = "--hosts",
      paramLabel = "KIND",
      defaultValue = "loopback",
      completionCandidates = HostKeys.class,
      description =
          "What the cluster's hosts are: loopback (addresses of this machine), or namespaces"
              + " (with networks of their own; needs root). Default: ${DEFAULT-VALUE}.")
  private String hosts;

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      description =
          "In a checkout: start a cluster of this version of Hadoop, 3.4.1 or newer, which Maven"
              + " fetches. Default: the one that Drover is compiled against.")
  private String hadoop;

  @Option(
      names = "--existing",
      description =
          "Run the jobs on the cluster of HADOOP_CONF_DIR, which must have Drover switched on,"
              + " instead of starting a cluster.")
  private boolean existing;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      defaultValue = REPORT,
      description = "Where the page goes. Default: ${DEFAULT-VALUE} in this directory.")
  private Path report;

  @Option(
      names = "--record",
      paramLabel = "DIR",
      description =
          "Run each job once more under Drover, which does nothing then, and keep all that its"
              + " AppMaster hears in a file in this directory.")
  private Path record;

  @Option(
      names = "--keep",
      description = "Keep the logs of daemons, AppMasters and tasks beside the page.")
  private boolean keep;

  @Mixin private OutputOptions output;

  /**
   * Creates the command.
   *
   * @param out stream for the result
   * @param err stream for everything else
   * @param sources creates the source of the runs
   */
  public DemoCommand(PrintStream out, PrintStream err, SourceFactory sources) {
    this.out = out;
    this.err = err;
    this.sources = sources;
  }

  /** Returns the command line, with the scenarios in its help. */
  public CommandLine commandLine() {
    CommandLine line = new CommandLine(this);
    List<String> footer = new ArrayList<>(List.of("", "Scenarios:"));
    for (Scenario each : Scenario.values()) {
      footer.addAll(Text.hanging(String.format(Locale.ROOT, "  %-16s", each.key()), each.title()));
    }
    footer.addAll(List.of("", "Faults, for --fault:"));
    for (FaultKind each : FaultKind.values()) {
      footer.addAll(Text.hanging(String.format(Locale.ROOT, "  %-16s", each.key()), each.title()));
    }
    footer.replaceAll(text -> text.replace("%", "%%"));
    line.getCommandSpec().usageMessage().footer(footer.toArray(String[]::new));
    return line;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    DemoOptions options = options();
    QuietLog.use(options.verbose());
    return new Demo(options, InstantSource.system(), out, err)
            .run(starting -> source(options, starting))
        ? 0
        : 1;
  }

  private RunSource source(DemoOptions options, StartListener starting) {
    return sources.make(
        options.hosts(), starting, keep ? Optional.of(keptLogs()) : Optional.empty());
  }

  private Path keptLogs() {
    DateTimeFormatter stamp = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    String name =
        "drover-demo-logs-"
            + stamp.format(InstantSource.system().instant().atZone(ZoneId.systemDefault()));
    return report.toAbsolutePath().resolveSibling(name);
  }

  /** Returns the options, or throws if they contradict each other. */
  private DemoOptions options() {
    Arguments arguments = new Arguments(spec);
    boolean scenarioGiven = spec.commandLine().getParseResult().hasMatchedOption("--scenario");
    if (all && scenarioGiven) {
      throw arguments.bad("'--all' and '--scenario' exclude each other: --all runs every scenario");
    }
    Scenario one = choice(arguments, "scenario", scenario, Scenario.values(), Scenario::key);
    DemoWorkload work = choice(arguments, "job", job, DemoWorkload.values(), DemoWorkload::key);
    HostKind kind = choice(arguments, "kind of hosts", hosts, HostKind.values(), HostKind::key);
    List<Scenario> wanted = new ArrayList<>(all ? ALL : List.of(one));
    checkHadoop(arguments);
    if (existing) {
      if (kind != HostKind.LOOPBACK) {
        throw arguments.bad("'--hosts' and '--existing' exclude each other: its hosts are there");
      }
      if (keep) {
        throw arguments.bad(
            "'--keep' and '--existing' exclude each other: `mapred job -logs` has the logs");
      }
      wanted.removeIf(DemoCommand::needsOwnCluster);
    }
    List<FaultPlan> plans = faults(arguments, scenarioGiven);
    if (!plans.isEmpty()) {
      one = Scenario.FAULTS;
      wanted = new ArrayList<>(List.of(one));
    } else if (one == Scenario.FAULTS) {
      throw arguments.bad("scenario 'faults' needs --fault, which says what goes wrong");
    }
    if (kind != HostKind.NAMESPACES && !existing) {
      if (!all && needsNamespaces(plans.isEmpty() ? one.faults() : plans)) {
        throw arguments.bad("scenario '" + one.key() + "' needs --hosts namespaces");
      }
      wanted.removeIf(each -> needsNamespaces(each.faults()));
    }
    if (!work.isPaced()) {
      if (!all && isBoundToPace(one)) {
        throw arguments.bad(
            "scenario '"
                + one.key()
                + "' needs a job that keeps a pace, and "
                + work.key()
                + " goes as fast as it can");
      }
      wanted.removeIf(DemoCommand::isBoundToPace);
    }
    if (wanted.isEmpty()) {
      throw arguments.bad(
          "scenario '" + one.key() + "' needs its own cluster and does not work with --existing");
    }
    DemoOptions options =
        new DemoOptions(
            wanted,
            modes.stream()
                .map(typed -> choice(arguments, "mode", typed, RunMode.values(), RunMode::key))
                .collect(Collectors.toSet()),
            work,
            plans,
            arguments.within("--runs", runs, 1, MOST_RUNS),
            arguments.within("--jobs", jobs, 2, MOST_JOBS),
            Optional.ofNullable(input).map(file -> arguments.input("--input", file)),
            existing ? Optional.empty() : Optional.of(kind),
            arguments.output("--report", report),
            Optional.ofNullable(record)
                .map(directory -> arguments.directory("--record", directory)),
            output.isJson(),
            keep,
            output.isVerbose());
    if (PlannedRun.of(options).isEmpty()) {
      throw arguments.bad("the scenario has none of the modes in --modes (record needs --record)");
    }
    return options;
  }

  /** The start script has put the wanted version on the class path, where it can. */
  private void checkHadoop(Arguments arguments) {
    if (hadoop == null) {
      return;
    }
    if (existing) {
      throw arguments.bad("'--hadoop' and '--existing' exclude each other: its Hadoop is there");
    }
    if (!hadoop.equals(VersionInfo.getVersion())) {
      throw arguments.bad(
          "'--hadoop "
              + hadoop
              + "': this is Hadoop "
              + VersionInfo.getVersion()
              + "; outside of a checkout HADOOP_HOME decides");
    }
  }

  private List<FaultPlan> faults(Arguments arguments, boolean scenarioGiven) {
    if (faults.isEmpty()) {
      return List.of();
    }
    if (all || existing || (scenarioGiven && !scenario.equals(Scenario.FAULTS.key()))) {
      throw arguments.bad(
          "'--fault' excludes --all, --existing and every --scenario but faults: it says itself"
              + " what goes wrong");
    }
    try {
      return faults.stream().map(FaultPlan::parse).toList();
    } catch (IllegalArgumentException e) {
      throw arguments.bad("'--fault': " + e.getMessage());
    }
  }

  /** Returns whether the scenario has a job of its own, or one whose tasks keep a pace. */
  private static boolean isBoundToPace(Scenario scenario) {
    return scenario.isInTasks()
        || switch (scenario) {
          case FLAKY_NM_DEATH, FLAKY_OUTPUTS, PLACEMENT, CEILING, SAMPLING, FAILING_JOBS -> true;
          default -> false;
        };
  }

  private static <T> T choice(
      Arguments arguments, String what, String typed, T[] values, Function<T, String> key) {
    for (T value : values) {
      if (key.apply(value).equals(typed)) {
        return value;
      }
    }
    throw arguments.unknown(what, typed, keys(values, key));
  }

  private static <T> List<String> keys(T[] values, Function<T, String> key) {
    return Arrays.stream(values).map(key).collect(Collectors.toList());
  }

  /** Does the runs of a demo, on a cluster or in a test. */
  public interface RunSource extends AutoCloseable {

    /** Prepares everything for a run, so that afterwards only the run itself takes time. */
    default void prepare(PlannedRun planned) throws IOException, InterruptedException {}

    /**
     * Does a run and waits for its end. Meanwhile, another thread may start a run that needs the
     * same cluster.
     */
    RunResult run(PlannedRun planned, RunListener listener)
        throws IOException, InterruptedException;

    /** Returns the hosts that the runs are on. Empty before the first run. */
    List<Host> hosts();

    @Override
    void close() throws IOException;
  }
}
