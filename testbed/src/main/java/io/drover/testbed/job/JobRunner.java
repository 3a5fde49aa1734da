// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.Cluster;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.fault.ClusterFault;
import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.fault.NodeDeath;
import io.drover.testbed.fault.PlannedFault;
import io.drover.testbed.fault.SlowUplinks;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.JobHistoryServer;
import io.drover.testbed.history.JobRecord;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import io.drover.testbed.job.DemoText.InputTexts;
import io.drover.testbed.job.RackTraffic.ShuffleLog;
import io.drover.testbed.job.RunListener.RunEvent;
import io.drover.testbed.job.RunResult.AttemptTally;
import io.drover.testbed.job.RunResult.MapLocality;
import io.drover.testbed.job.RunResult.OutputDigest;
import io.drover.testbed.job.SampleRun.Lineage;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Runs demo jobs on a cluster and returns their results. The AppMaster runs on the first live host,
 * and the slow node is the last live host but one, so that runs can be compared. Several threads
 * may run jobs at once.
 */
public final class JobRunner {
  private static final Duration HISTORY_LIMIT = Duration.ofMinutes(2);

  /** Where a JobHistoryServer can be asked. A file that it has moved may not be readable. */
  private static final Duration FILE_LIMIT = Duration.ofSeconds(5);

  private static final Duration DECISIONS_LIMIT = Duration.ofMinutes(2);
  private static final AtomicInteger RUNNERS = new AtomicInteger();

  private final Path base; // no other runner's files are there
  private final Cluster cluster;
  private final InputTexts texts;
  private final Optional<JobHistoryServer> historyServer;
  private final Map<String, DemoInput> inputs = new HashMap<>();
  private final Map<DemoInput, OutputDigest> alone = new HashMap<>();
  private final AtomicInteger runs = new AtomicInteger();

  /** Creates a runner for a started cluster. */
  public JobRunner(Cluster cluster) {
    this(cluster, new InputTexts());
  }

  /**
   * Creates a runner for a started cluster. Its jobs read the same as others with the same texts.
   */
  public JobRunner(Cluster cluster, InputTexts texts) {
    this(cluster, texts, Optional.empty());
  }

  /** Creates one that asks a server, if there is one, for histories whose files it may not read. */
  public JobRunner(Cluster cluster, InputTexts texts, Optional<JobHistoryServer> historyServer) {
    base = new Path(cluster.jobFiles(), Integer.toString(RUNNERS.incrementAndGet()));
    this.cluster = cluster;
    this.texts = texts;
    this.historyServer = historyServer;
  }

  /**
   * Makes the input of a job and writes it to HDFS, unless it is there. {@link #run} does so too;
   * this does it in advance.
   */
  public void prepare(DemoJobSpec spec) throws IOException {
    input(FileSystem.get(cluster.clientConf()), spec);
  }

  /** Returns the settings that make any other job on the cluster run in Drover's AppMaster. */
  public Map<String, String> underDrover() {
    return cluster.underDrover();
  }

  /**
   * Returns the settings with which a job of {@link RunMode#DROVER} runs in Hadoop's own AppMaster,
   * with no more of Drover than the speculator. They are for {@code extra} of {@link #run}.
   */
  public Map<String, String> speculatorOnly() {
    return Map.of(
        MRJobConfig.MR_AM_COMMAND_OPTS,
        cluster.clientConf().get(MRJobConfig.MR_AM_COMMAND_OPTS),
        DemoJob.SPECULATOR,
        DemoJob.DROVER_SPECULATOR);
  }

  /**
   * Runs one job and waits for its end. All runs of a spec read the same bytes.
   *
   * @param spec what to run
   * @param mode how to run it
   * @param extra settings of the job that override all others
   * @param listener receives the progress, on this thread
   * @throws IOException if the cluster does not answer, or the history of a job that succeeded
   *     cannot be read; a failed job is a result, not an exception
   * @throws InterruptedException if interrupted; the job is killed then
   */
  public RunResult run(
      DemoJobSpec spec, RunMode mode, Map<String, String> extra, RunListener listener)
      throws IOException, InterruptedException {
    Configuration conf = cluster.clientConf();
    FileSystem fs = FileSystem.get(conf);
    DemoInput input = input(fs, spec).asked(spec, mode);
    Path output = new Path(base, "output/" + runs.incrementAndGet());
    Path decisions = fs.makeQualified(new Path(base, "decisions"));
    if (spec.scenario() == Scenario.FAILING_JOBS) {
      return runStream(spec, mode, extra, listener);
    }
    Host am = cluster.liveHosts().get(0);
    Optional<String> slow =
        mode.hasFault() && spec.scenario() == Scenario.SLOW_NODE
            ? Optional.of(slowHost().name())
            : Optional.empty();
    Job job =
        DemoJob.make(
            conf,
            spec,
            mode,
            new DemoJob.Places(input, output, decisions, am.rack() + "/" + am.name(), slow),
            drover(spec),
            extra);
    List<ClusterFault> faults = mode.hasFault() ? faults(spec, am.name()) : List.of();
    RunWatch watch = new RunWatch(job, listener, faults);
    Optional<Occupancy> occupancy = Optional.empty();
    Optional<SampleRun.Beside> beside = Optional.empty();
    if (mode.hasFault() && spec.scenario() == Scenario.CEILING) {
      occupancy = Optional.of(runBesideSmallJobs(watch, spec, mode, extra, output, listener));
    } else if (spec.sample().isPresent()) {
      beside = Optional.of(runOnBusyCluster(watch, spec, listener));
    } else {
      try {
        watch.run();
      } finally {
        close(faults);
      }
    }
    Optional<Occupancy.SmallJob> failed = occupancy.flatMap(Occupancy::failed);
    String jobId = job.getJobID().toString();
    Duration limit = historyServer.isPresent() ? FILE_LIMIT : HISTORY_LIMIT;
    Optional<Path> copy = JobHistoryFile.fetch(fs, jobId, histories(), limit);
    Optional<JobRecord> history =
        JobHistoryFile.read(fs, jobId, copy, historyServer, watch.succeeded());
    List<AttemptRecord> attempts = history.map(JobRecord::attempts).orElse(List.of());
    Map<String, Long> counters = history.map(JobRecord::counters).orElse(Map.of());
    Path decisionFile = new Path(decisions, jobId + ".jsonl");
    boolean decided = mode.hasDrover() && awaitDecisions(fs, decisionFile, jobId);
    List<String> log = decided ? keptLines(fs, decisionFile, histories()) : List.of();
    Optional<Sampled> sampled = Optional.empty();
    if (beside.isPresent()) {
      sampled = Optional.of(sampled(spec, mode, input, output, beside.get(), attempts, log));
    }
    Optional<String> wrong = sampled.flatMap(Sampled::wrong).filter(why -> watch.succeeded());
    RunResult result =
        new RunResult(
            jobId,
            spec,
            mode,
            slow.or(watch::faultNode),
            faultTask(spec, mode),
            history.map(JobRecord::amNode).orElse(am.name()),
            watch.succeeded() && failed.isEmpty() && wrong.isEmpty(),
            watch.succeeded() && failed.isPresent()
                ? failed.get().state()
                : wrong.map(why -> "WRONG OUTPUT").orElse(watch.state()),
            failed.map(JobRunner::beside).orElse("") + wrong.orElse(watch.diagnostics()),
            watch.submitted(),
            watch.wall(),
            history.map(JobRecord::time).orElse(watch.wall()),
            attempts,
            AttemptTally.of(attempts),
            MapLocality.of(counters),
            counters,
            JobOutput.digest(fs, output, spec.workload()),
            log,
            decided ? Optional.of(decisionFile.toString()) : Optional.empty(),
            copy.map(path -> java.nio.file.Path.of(path.toUri())),
            watch.samples(),
            watch.events(),
            countsTraffic(spec) && cluster instanceof DroverCluster ours
                ? ShuffleLog.read(ours, attempts)
                : Optional.empty(),
            occupancy,
            sampled.map(Sampled::run),
            Optional.empty());
    fs.delete(output, true);
    return result;
  }

  /**
   * Returns what the job of a spec writes if nothing goes wrong. It runs the job in this process,
   * with Hadoop's runner of local jobs, which takes a fraction of the time that the cluster takes.
   * It does so once for all specs with the same input.
   *
   * @throws IOException if the cluster does not answer, or the job fails
   * @throws InterruptedException if interrupted
   */
  public OutputDigest outputAlone(DemoJobSpec spec) throws IOException, InterruptedException {
    return outputAlone(spec, input(FileSystem.get(cluster.clientConf()), spec));
  }

  private synchronized OutputDigest outputAlone(DemoJobSpec spec, DemoInput input)
      throws IOException, InterruptedException {
    Configuration conf = cluster.clientConf();
    FileSystem fs = FileSystem.get(conf);
    OutputDigest known = alone.get(input);
    if (known != null) {
      return known;
    }
    Path output = new Path(base, "output/" + runs.incrementAndGet());
    DemoJobSpec quick = spec.with().pace(Duration.ofMillis(1), Duration.ofMillis(1)).build();
    DemoJob.Places places = new DemoJob.Places(input, output, output, "", Optional.empty());
    Map<String, String> local = Map.of("mapreduce.framework.name", "local");
    Job job = DemoJob.make(conf, quick, RunMode.CLEAN, places, Map.of(), local);
    try {
      if (!job.waitForCompletion(false)) {
        throw new IOException("the local job failed: " + job.getStatus().getFailureInfo());
      }
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
    OutputDigest digest = JobOutput.digest(fs, output, spec.workload());
    fs.delete(output, true);
    alone.put(input, digest);
    return digest;
  }

  /** Starts a job while small ones are running, and waits for the end of all. */
  private Occupancy runBesideSmallJobs(
      RunWatch watch,
      DemoJobSpec big,
      RunMode mode,
      Map<String, String> extra,
      Path bigOutput,
      RunListener listener)
      throws IOException, InterruptedException {
    FileSystem fs = FileSystem.get(cluster.clientConf());
    DemoJobSpec spec = SmallJobs.spec(big);
    DemoInput input = input(fs, spec);
    List<Host> live = cluster.liveHosts();
    try (OccupancySampler sampler = OccupancySampler.start(ours());
        SmallJobs small = new SmallJobs(fs, histories(), HISTORY_LIMIT)) {
      for (int i = 1; i <= SmallJobs.COUNT; i++) {
        Path output = bigOutput.suffix("-small-" + i);
        Path decisions = fs.makeQualified(new Path(base, "decisions"));
        Host am = live.get(i % live.size()); // not where the big job's will be
        DemoJob.Places places =
            new DemoJob.Places(
                input, output, decisions, am.rack() + "/" + am.name(), Optional.empty());
        Job job = DemoJob.make(cluster.clientConf(), spec, mode, places, drover(spec), extra);
        small.submit(job, spec.maps(), output);
      }
      small.awaitRunning();
      listener.event(
          new RunEvent(Instant.now(), "the small jobs are running; the big job is submitted"));
      watch.run();
      List<Occupancy.SmallJob> ended = small.awaitEnd();
      return sampler.since(watch.submitted(), ended);
    }
  }

  /** Runs a stream of jobs, and compares the outputs of those that succeed with the right one. */
  private RunResult runStream(
      DemoJobSpec spec, RunMode mode, Map<String, String> extra, RunListener listener)
      throws IOException, InterruptedException {
    Configuration conf = cluster.clientConf();
    FileSystem fs = FileSystem.get(conf);
    DemoInput input = input(fs, spec);
    OutputDigest right = outputAlone(spec, input);
    Path output = new Path(base, "output/" + runs.incrementAndGet());
    Path decisions = fs.makeQualified(new Path(base, "decisions"));
    List<Host> live = cluster.liveHosts();
    JobStreamRun.JobMaker maker =
        (number, of, own, to) -> {
          Host am = live.get(number % live.size());
          DemoJob.Places places =
              new DemoJob.Places(
                  input, to, decisions, am.rack() + "/" + am.name(), Optional.empty());
          Map<String, String> all = new HashMap<>(own);
          all.putAll(extra);
          return DemoJob.make(cluster.clientConf(), of, mode, places, drover(of), all);
        };
    try (JobStreamRun run = new JobStreamRun(fs, conf, listener)) {
      run.run(spec, maker, output);
      return run.result(spec, mode, right, histories());
    }
  }

  /** Runs a job while another application holds slots, and perhaps with slow uplinks. */
  private SampleRun.Beside runOnBusyCluster(RunWatch watch, DemoJobSpec spec, RunListener listener)
      throws IOException, InterruptedException {
    SampleSpec sample = spec.sample().orElseThrow();
    try (BackgroundLoad load = BackgroundLoad.start(ours(), sample)) {
      Map<String, Integer> held = load.held();
      int slots = held.values().stream().mapToInt(Integer::intValue).sum();
      int all = ours().hosts().size() * ours().containersPerHost();
      listener.event(
          new RunEvent(
              Instant.now(),
              "another application holds %d of %d slots; the job is submitted"
                  .formatted(slots, all)));
      if (sample.uplink().isEmpty()) {
        watch.run();
        return new SampleRun.Beside(held, OptionalLong.empty());
      }
      try (SlowUplinks uplinks = SlowUplinks.begin(ours(), sample.uplink().getAsLong())) {
        watch.run();
        return new SampleRun.Beside(held, OptionalLong.of(uplinks.busiestBytes()));
      }
    }
  }

  /**
   * What a job that needed a sample has come to.
   *
   * @param wrong what is wrong with its output, if anything is
   */
  private record Sampled(SampleRun run, Optional<String> wrong) {}

  /** Finds out which blocks a job has read, and compares its output with a count over these. */
  private Sampled sampled(
      DemoJobSpec spec,
      RunMode mode,
      DemoInput input,
      Path output,
      SampleRun.Beside beside,
      List<AttemptRecord> attempts,
      List<String> decisions)
      throws IOException, InterruptedException {
    FileSystem fs = FileSystem.get(cluster.clientConf());
    SampleSpec sample = spec.sample().orElseThrow();
    Set<String> used =
        attempts.stream()
            .filter(AttemptRecord::won)
            .map(AttemptRecord::id)
            .collect(Collectors.toSet());
    List<Path> files = input.paths();
    Optional<String> wrong = Optional.empty();
    try {
      if (mode.hasDrover()) {
        Lineage lineage = Lineage.read(fs, output, sample.needed(), spec.maps());
        used = lineage.files().keySet();
        files = List.copyOf(lineage.files().values());
      }
      OutputDigest expected = outputAlone(spec, input.of(files, 1));
      if (!expected.equals(JobOutput.digest(fs, output, spec.workload()))) {
        wrong = Optional.of("the output is not that of the %d blocks read".formatted(files.size()));
      }
    } catch (IOException e) {
      wrong = Optional.of(String.valueOf(e.getMessage()));
    }
    SampleRun.Reader reader = new SampleRun.Reader(ours(), fs, input.directory());
    return new Sampled(reader.read(sample, beside, attempts, used, decisions), wrong);
  }

  private static boolean countsTraffic(DemoJobSpec spec) {
    return spec.scenario() == Scenario.PLACEMENT || spec.scenario() == Scenario.SAMPLING;
  }

  private static String beside(Occupancy.SmallJob job) {
    return "the small job " + job.jobId() + " that ran beside it ended as " + job.state() + ". ";
  }

  /** Returns the settings that make a job run in Drover's AppMaster. */
  private Map<String, String> drover(DemoJobSpec spec) {
    Map<String, String> settings = new HashMap<>(cluster.underDrover());
    if (spec.scenario() == Scenario.PLACEMENT) {
      // The data is small. Links must be this narrow to make waiting for a rack worthwhile.
      String links =
          cluster.hosts().stream()
              .map(host -> host.rack() + "=.1:.1")
              .distinct()
              .collect(Collectors.joining(","));
      settings.put("mapreduce.drover.placement.links", links);
    }
    spec.sample()
        .ifPresent(
            asked ->
                settings.put("mapreduce.drover.sample.blocks", Integer.toString(asked.needed())));
    return settings;
  }

  /** Returns the cluster as one of our own, which can be observed and damaged more than others. */
  private DroverCluster ours() {
    if (cluster instanceof DroverCluster ours) {
      return ours;
    }
    throw new IllegalStateException(
        "this needs a cluster that the testbed started, not " + cluster);
  }

  private java.nio.file.Path histories() {
    return cluster.directory().resolve("history");
  }

  /**
   * Waits until the decision log is there or the AppMaster is gone. The AppMaster writes the log
   * after it has reported the job's end.
   *
   * @return whether it is there
   */
  private boolean awaitDecisions(FileSystem fs, Path file, String jobId)
      throws IOException, InterruptedException {
    Await.until(
        DECISIONS_LIMIT,
        Duration.ofMillis(100),
        () -> fs.exists(file) || !cluster.isRunning(jobId));
    return fs.exists(file);
  }

  private synchronized DemoInput input(FileSystem fs, DemoJobSpec spec) throws IOException {
    String key = DemoInput.key(spec);
    DemoInput known = inputs.get(key);
    if (known != null) {
      return known;
    }
    DemoInput made =
        DemoInput.put(
            fs, new Path(base, "input/" + (inputs.size() + 1)), spec, texts, cluster.liveHosts());
    inputs.put(key, made);
    return made;
  }

  private List<ClusterFault> faults(DemoJobSpec spec, String amHost) throws IOException {
    List<ClusterFault> faults = new ArrayList<>();
    if (spec.scenario() == Scenario.NODE_DEATH) {
      faults.add(new NodeDeath(ours(), amHost));
    }
    for (FaultPlan plan : spec.faults()) {
      faults.add(new PlannedFault(plan, ours(), slowHost().name()));
    }
    return faults;
  }

  /** Ends all faults, also when one of them cannot be ended. */
  private static void close(List<ClusterFault> faults) throws IOException {
    IOException first = null;
    for (ClusterFault fault : faults) {
      try {
        fault.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private Host slowHost() throws IOException {
    List<Host> live = cluster.liveHosts();
    return live.get(Math.max(0, live.size() - 2));
  }

  private static Optional<String> faultTask(DemoJobSpec spec, RunMode mode) {
    return switch (spec.scenario()) {
      case SKEW -> Optional.of("m0");
      case LONG_TASK -> Optional.of(spec.faultTaskName());
      case SLOW_ATTEMPT, SILENT_ATTEMPT, STALL_90, SMALL_JOBS ->
          mode.hasFault() ? Optional.of(spec.faultTaskName()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Copies the decision log, so that it lies beside the history, and returns its lines. */
  private static List<String> keptLines(FileSystem fs, Path log, java.nio.file.Path to)
      throws IOException {
    java.nio.file.Path copy = to.resolve(log.getName());
    fs.copyToLocalFile(false, log, new Path(copy.toUri()), true);
    return Files.readAllLines(copy);
  }
}
