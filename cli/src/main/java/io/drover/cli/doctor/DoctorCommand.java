// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.appmaster.check.AppMasterHeap;
import io.drover.appmaster.check.Compatibility;
import io.drover.appmaster.check.RequestedMemory;
import io.drover.cli.command.Arguments;
import io.drover.cli.command.HadoopConf;
import io.drover.cli.command.OutputOptions;
import io.drover.cli.command.QuietLog;
import io.drover.cli.command.Version;
import io.drover.cli.doctor.ClusterAnswers.HistoryJob;
import io.drover.cli.doctor.RackScript.Patience;
import io.drover.cli.progress.Terminal;
import io.drover.cli.web.WebClient;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.BadSettingException;
import io.drover.scheduler.check.SchedulerChecks;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drover doctor}: looks at a cluster's configuration, and at the cluster. */
@Command(
    name = "doctor",
    header = "Say whether Drover is on in a cluster, and what stands in its way.",
    description = {
      "",
      "Reads a directory of Hadoop's configuration, asks the ResourceManager, the NodeManagers and"
          + " the JobHistoryServer what they run, and says for each thing that matters whether it is"
          + " ok, a warning or wrong, and what to do. Changes nothing.",
      "",
      "Exit codes: 0 if all is ok, 1 if something warns, 2 if something is wrong. Wrong arguments"
          + " have exit code 2 as well; then nothing is on standard output, and otherwise the report"
          + " is, which ends with its exit code.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class DoctorCommand implements Callable<Integer> {
  /** The heading of what is found in the files themselves. */
  private static final String FILES = "Configuration files";

  /** A large job, if nobody knows better. */
  private static final int LARGE_JOB = 10_000;

  /** Asking, and the groups of checks. */
  private static final int STEPS = 11;

  private final PrintStream out;
  private final PrintStream err;
  private final Machine machine;

  @Spec private CommandSpec spec;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "The directory with core-site.xml, yarn-site.xml, mapred-site.xml and"
              + " capacity-scheduler.xml. Default: HADOOP_CONF_DIR, else"
              + " HADOOP_HOME/etc/hadoop.")
  private Optional<Path> conf;

  @Option(names = "--offline", description = "Ask no daemon, and look at local disks only.")
  private boolean isOffline;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      description =
          "How many tasks the largest job has, to check the AppMaster's heap. Default: the largest"
              + " job that the JobHistoryServer knows, else 10000.")
  private Optional<Integer> tasks;

  @Option(
      names = "--ignore",
      paramLabel = "ID",
      split = ",",
      description =
          "Ids of checks, with commas between them, whose findings count as ok. The ids stand in"
              + " brackets behind the findings.")
  private Set<String> ignored = Set.of();

  @Mixin private OutputOptions output;

  /**
   * What the command sees of the machine on which it runs.
   *
   * @param environment the environment variables
   * @param java the version of Java, such as 17
   * @param clock the time, in milliseconds
   * @param waits how long it waits for others
   */
  record Machine(Map<String, String> environment, String java, LongSupplier clock, Waits waits) {
    static Machine own() {
      return new Machine(
          System.getenv(),
          System.getProperty("java.specification.version"),
          System::currentTimeMillis,
          Waits.USUAL);
    }
  }

  /**
   * How long the command waits for others.
   *
   * @param part how long a daemon may be silent
   * @param answer how long a daemon's whole answer may take
   * @param directory how long a file system may take to tell of a directory
   * @param script how long the topology script may take
   */
  record Waits(Duration part, Duration answer, Duration directory, Patience script) {
    static final Waits USUAL =
        new Waits(
            Duration.ofSeconds(4), Duration.ofSeconds(10), Duration.ofSeconds(15), Patience.USUAL);
  }

  private DoctorCommand(PrintStream out, PrintStream err, Machine machine) {
    this.out = out;
    this.err = err;
    this.machine = machine;
  }

  /**
   * Creates the command.
   *
   * @param out stream for the result
   * @param err stream for everything else
   */
  public static CommandLine commandLine(PrintStream out, PrintStream err) {
    return commandLine(out, err, Machine.own());
  }

  static CommandLine commandLine(PrintStream out, PrintStream err, Machine machine) {
    return new CommandLine(new DoctorCommand(out, err, machine));
  }

  @Override
  public Integer call() throws InterruptedException {
    QuietLog.use(output.isVerbose());
    Arguments arguments = new Arguments(spec);
    tasks.ifPresent(number -> arguments.within("--tasks", number, 1, 10_000_000));
    SiteFiles files = files(arguments);
    DoctorReport report = new DoctorReport(Version.text(), files, ignored);
    try (DoctorProgress progress = new DoctorProgress(STEPS, Terminal.of(err))) {
      examine(files, report, progress);
    }
    report.print(output.isJson() ? err : out);
    if (output.isJson()) {
      out.println(report.json());
    }
    return report.exitCode();
  }

  private SiteFiles files(Arguments arguments) {
    Path directory =
        conf.or(() -> HadoopConf.directory(machine.environment()))
            .orElseThrow(
                () -> arguments.bad("HADOOP_CONF_DIR is not set: name a directory with '--conf'"));
    if (!Files.isDirectory(directory)) {
      throw arguments.bad("no such directory with Hadoop's configuration: " + directory);
    }
    try {
      return SiteFiles.read(directory);
    } catch (IOException e) {
      throw arguments.bad(e.getMessage());
    }
  }

  // --- the checks

  private void examine(SiteFiles files, DoctorReport report, DoctorProgress progress)
      throws InterruptedException {
    Waits waits = machine.waits();
    ClusterProbe probe =
        new ClusterProbe(
            files.jobs(),
            new WebClient(waits.part(), waits.answer(), machine.clock()),
            progress::heard);
    progress.step("asking the ResourceManager");
    ClusterAnswers answers = isOffline ? ClusterAnswers.NONE : probe.ask();
    run(
        report,
        progress,
        "Parts",
        "parts",
        () -> new PartsChecks(files, answers.scheduler()).all());
    run(report, progress, FILES, "files", () -> new FileChecks(files).all());
    run(report, progress, "Jobs", "job", () -> Compatibility.ofSubmitted(files.jobs()));
    run(
        report,
        progress,
        "ResourceManager",
        "rm",
        () ->
            SchedulerChecks.of(
                files.resourceManagers(), answers.memoryMb(), smallestJobMb(files.jobs())));
    run(
        report,
        progress,
        "Jar",
        "jar",
        () -> new JarChecks(files.jobs(), machine.environment(), Version.text()).all());
    run(
        report,
        progress,
        "AppMaster's memory",
        "heap",
        () -> heap(files.jobs(), answers.largestJob()));
    run(
        report,
        progress,
        "Directories",
        "dir",
        () -> new DirectoryChecks(files, isOffline, waits.directory()).all());
    if (isOffline) {
      report.add("Cluster", List.of(notAsked()));
    }
    run(
        report,
        progress,
        "Cluster",
        "cluster",
        () -> new ClusterChecks(files, answers, machine.java()).all());
    run(report, progress, "Clocks", "clock", () -> new ClockChecks(answers).all());
    run(
        report,
        progress,
        "Racks",
        "topology",
        () -> new TopologyChecks(files.jobs(), nodes(files, answers), waits.script()).all());
    report.add(FILES, FileChecks.badValues(files)); // when all have been read
  }

  /**
   * Runs a group of checks. Making them reads values too, and what fails then is a finding as well.
   *
   * @param ids what their ids begin with
   */
  private static void run(
      DoctorReport report,
      DoctorProgress progress,
      String heading,
      String ids,
      Callable<Checks> checks) {
    progress.step(heading);
    Checks made = new Checks().add(ids, found -> checks.call().run(progress::doing).forEach(found));
    report.add(heading, made.run());
  }

  private static Finding notAsked() {
    return Finding.ok(
        "cluster.not-asked",
        "Nobody was asked (--offline): versions, clocks and what runs are not checked");
  }

  /** An AppMaster, a map and the map's clone; 0 if a value cannot be read. */
  private static long smallestJobMb(Configuration conf) {
    try {
      return RequestedMemory.ofAppMaster(conf).mb() + 2 * RequestedMemory.ofMap(conf).mb();
    } catch (BadSettingException e) {
      return 0; // no such job can be submitted, which the AppMaster's memory tells
    }
  }

  private Checks heap(Configuration conf, Optional<HistoryJob> largest) {
    if (tasks.isPresent()) {
      return AppMasterHeap.ofSubmitted(conf, tasks.get(), "the job of --tasks");
    }
    return largest
        .map(job -> AppMasterHeap.ofSubmitted(conf, job.tasks(), "the largest job, " + job.id()))
        .orElseGet(() -> AppMasterHeap.ofSubmitted(conf, LARGE_JOB, "a large job"));
  }

  private static Map<String, Optional<String>> nodes(SiteFiles files, ClusterAnswers answers)
      throws IOException {
    Map<String, Optional<String>> nodes = new TreeMap<>();
    answers.nodes().forEach(node -> nodes.put(node.host(), Optional.of(node.rack())));
    if (nodes.isEmpty()) {
      files.workers().forEach(name -> nodes.put(name, Optional.empty()));
    }
    return nodes;
  }
}
