// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.command.Arguments;
import io.drover.cli.command.HadoopConf;
import io.drover.cli.command.MemoryLimit;
import io.drover.cli.command.OutputOptions;
import io.drover.cli.command.QuietLog;
import io.drover.cli.progress.CountedProgress;
import io.drover.cli.progress.Terminal;
import io.drover.core.text.ForeignText;
import io.drover.simulator.report.Text;
import io.drover.testbed.history.HistoryFormatException;
import io.drover.testbed.history.JobRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drover report}: why jobs were slow, from their histories. */
@Command(
    name = "report",
    header = "Say why jobs were slow, from their histories.",
    description = {
      "",
      "Reads what Hadoop keeps of each job. For one job, it names the tasks that held the job back,"
          + " the probable cause and the cost of each, and what Drover did or would have done. For"
          + " many jobs, it says which causes, machines, programs and users cost most, and what"
          + " share Drover acts on. Drover need not be installed.",
      ""
    },
    footer = {
      "",
      "The cluster that is meant is that of HADOOP_CONF_DIR. Exit code: 0; 1 if a history cannot be"
          + " read; 2 for wrong arguments."
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class HistoryReportCommand implements Callable<Integer> {
  /** So many histories are read in about a second. */
  private static final int FEW = 100;

  private final PrintStream out;
  private final PrintStream err;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "JOB|FILE|DIR",
      description =
          "A job's id; a history file (*.jhist); or a directory, all of whose histories are read,"
              + " those below it included. A path may be of any Hadoop file system, such as"
              + " hdfs://nn/mr-history/done.")
  private List<String> histories;

  @Option(
      names = "--history-server",
      paramLabel = "URL",
      description =
          "Ask this JobHistoryServer about the job, such as http://host:19888, in place of reading"
              + " its file.")
  private Optional<URI> server;

  @Option(
      names = "--decisions",
      paramLabel = "DIR",
      description =
          "Where Drover's decision logs are. Default: the cluster's"
              + " mapreduce.drover.decision-log.dir, or else the directory of the history.")
  private Optional<String> decisions;

  @Option(
      names = "--skip-bad",
      description =
          "Leave out histories that cannot be read, and directories that cannot be listed, and"
              + " count them.")
  private boolean skipBad;

  @Option(
      names = {"--html", "--report"},
      paramLabel = "FILE",
      description = "Write a page with charts here.")
  private Optional<Path> html;

  @Mixin private OutputOptions output;

  private LeftOut leftOut;

  /**
   * Creates the command.
   *
   * @param out stream for the result
   * @param err stream for everything else
   */
  public HistoryReportCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws IOException {
    QuietLog.use(output.isVerbose());
    leftOut = new LeftOut(skipBad);
    Arguments arguments = new Arguments(spec);
    Optional<Path> page = html.map(file -> arguments.output("--html", file));
    if (server.isPresent() && !histories.stream().allMatch(HistorySource::isJob)) {
      throw arguments.bad("option '--history-server' works only with the ids of jobs");
    }
    if (server.isPresent() && server.get().getHost() == null) {
      throw arguments.bad(
          "option '--history-server' needs an address such as http://host:19888, not '"
              + server.get()
              + "'");
    }
    Configuration conf = HadoopConf.read();
    Map<String, List<HistorySource>> sources = new TreeMap<>();
    for (HistorySource source : sources(conf)) {
      sources.computeIfAbsent(source.job(), job -> new ArrayList<>()).add(source);
    }
    if (sources.size() == 1) {
      reportJob(sources.values().iterator().next(), conf, page);
    } else {
      reportCluster(sources.values(), page);
    }
    return CommandLine.ExitCode.OK;
  }

  private List<HistorySource> sources(Configuration conf) throws IOException {
    List<HistorySource> sources = new ArrayList<>();
    for (String each : histories) {
      if (HistorySource.isJob(each)) {
        sources.add(HistorySource.ofJob(each, server, conf));
      } else {
        sources.addAll(HistorySource.ofPath(each, conf, leftOut::directory));
      }
    }
    if (sources.isEmpty()) {
      String none = String.join(", ", histories) + ": no history file (*.jhist) is here or below";
      throw new IOException(
          Stream.concat(Stream.of(none), leftOut.sentences().stream())
              .collect(Collectors.joining("; ")));
    }
    return sources;
  }

  private void reportJob(List<HistorySource> files, Configuration conf, Optional<Path> page)
      throws IOException {
    JobRecord job =
        best(readable(files))
            .orElseThrow(
                () -> new IOException("no history could be read: " + leftOut.firstHistory()));
    JobReport report = new JobReport(JobAnalysis.of(job), decisions(job, files.get(0), conf));
    List<String> lines = new ArrayList<>(report.lines());
    for (String sentence : leftOut.sentences()) {
      lines.add("");
      lines.addAll(Text.hanging("", sentence));
    }
    ObjectNode facts = report.json();
    leftOut.addTo(facts);
    print(lines, facts);
    if (page.isPresent()) {
      write(page.get(), HistoryPage.of(report, leftOut));
    }
  }

  /** A report on the history alone is better than none, so errors only go into it. */
  private DecisionLogs decisions(JobRecord job, HistorySource source, Configuration conf) {
    try {
      Optional<org.apache.hadoop.fs.Path> directory =
          decisions
              .map(HistorySource::place)
              .or(() -> DecisionLogs.directory(conf))
              .or(source::directory);
      return directory.isPresent()
          ? DecisionLogs.read(directory.get(), job.id(), conf)
          : DecisionLogs.NONE;
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      return DecisionLogs.unreadable(e);
    }
  }

  private void reportCluster(Collection<List<HistorySource>> jobs, Optional<Path> page)
      throws IOException {
    ClusterAnalysis analysis = new ClusterAnalysis();
    try (CountedProgress progress =
        new CountedProgress("report", jobs.size(), FEW, "histories", Terminal.of(err))) {
      for (List<HistorySource> files : jobs) {
        List<JobRecord> read = readable(files);
        analysis.repeated(Math.max(0, read.size() - 1));
        analysed(files.get(0), read).ifPresent(analysis::add);
        progress.done();
      }
    }
    if (analysis.jobs() == 0) {
      throw new IOException("no history could be read; the first: " + leftOut.firstHistory());
    }
    ClusterReport report = new ClusterReport(analysis, leftOut);
    print(report.lines(), report.json());
    if (page.isPresent()) {
      write(page.get(), HistoryPage.of(report));
    }
  }

  /**
   * Returns what the files of one job tell. Each AppMaster writes its own, and the JobHistoryServer
   * has a copy: one in which the job ends tells more than one that was cut off, and a later one
   * more than an earlier one.
   */
  private static Optional<JobRecord> best(List<JobRecord> read) {
    return read.stream()
        .max(
            Comparator.comparing((JobRecord job) -> job.state() != JobRecord.State.UNFINISHED)
                .thenComparing(JobRecord::finished));
  }

  /** Returns what became of one of many jobs; an analysis may need more memory than the history. */
  private Optional<JobAnalysis> analysed(HistorySource file, List<JobRecord> read)
      throws IOException {
    try {
      return best(read).map(JobAnalysis::of);
    } catch (RuntimeException | OutOfMemoryError e) {
      skip(file, e);
      return Optional.empty();
    }
  }

  private List<JobRecord> readable(List<HistorySource> files) throws IOException {
    List<JobRecord> read = new ArrayList<>();
    for (HistorySource file : files) {
      read(file).ifPresent(read::add);
    }
    return read;
  }

  private Optional<JobRecord> read(HistorySource source) throws IOException {
    try {
      return Optional.of(source.reading().read());
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      skip(source, e);
      return Optional.empty();
    }
  }

  private void skip(HistorySource source, Throwable failure) throws IOException {
    leftOut.history(why(source, failure), failure);
  }

  private static String why(HistorySource source, Throwable failure) {
    return failure instanceof HistoryFormatException
        ? failure.getMessage()
        : source.name()
            + (failure instanceof OutOfMemoryError
                ? " " + MemoryLimit.isExceeded()
                : ": " + failure);
  }

  private void write(Path file, String page) throws IOException {
    Files.writeString(file, page);
    err.println("The page: " + file.toAbsolutePath().normalize());
  }

  private void print(List<String> lines, ObjectNode facts) {
    // Names and messages are other users' texts.
    lines.forEach(line -> (output.isJson() ? err : out).println(ForeignText.printable(line)));
    if (output.isJson()) {
      out.println(ForeignText.printableJson(facts.toString()));
    }
  }
}
