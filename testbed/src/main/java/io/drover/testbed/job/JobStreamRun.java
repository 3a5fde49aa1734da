// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.JobHistory;
import io.drover.testbed.job.DemoJob.DemoKeys;
import io.drover.testbed.job.JobStream.JobEnd;
import io.drover.testbed.job.JobStream.StreamedJob;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunResult.AttemptTally;
import io.drover.testbed.job.RunResult.MapLocality;
import io.drover.testbed.job.RunResult.OutputDigest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Runs the jobs of {@link Scenario#FAILING_JOBS}, a few at once. Closing kills those that have not
 * ended.
 */
final class JobStreamRun implements AutoCloseable {
  private static final int AT_ONCE = 4;
  private static final Duration PAUSE = Duration.ofMillis(150);
  private static final Duration HISTORY_LIMIT = Duration.ofSeconds(60);
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String ENDED = "Drover expects this job to fail";

  /** The programs, again and again in this order. */
  private static final List<Program> PROGRAMS =
      List.of(
          new Program("nightly-report", false),
          new Program("log-import", true),
          new Program("user-stats", false),
          new Program("log-import", true),
          new Program("nightly-report", false));

  /** By what maps of the program that fails take longer. On Google's cluster it is three times. */
  private static final double FAILING_FACTOR = 5 / 3.0;

  private final FileSystem fs;
  private final YarnClient yarn = YarnClient.createYarnClient();
  private final List<One> jobs = new ArrayList<>();
  private final List<One> running = new ArrayList<>();
  private final List<JobProgress> samples = new ArrayList<>();
  private final RunListener listener;
  private Instant start = Instant.EPOCH;

  private record Program(String name, boolean fails) {}

  private record One(Job job, Program program, Path output) {
    JobID id() {
      return job.getJobID();
    }
  }

  /** Makes a job that is ready to submit. */
  @FunctionalInterface
  interface JobMaker {
    /**
     * Makes a job.
     *
     * @param number its number in the stream, from 0
     * @param extra settings that override all others
     */
    Job make(int number, DemoJobSpec spec, Map<String, String> extra, Path output)
        throws IOException;
  }

  JobStreamRun(FileSystem fs, Configuration conf, RunListener listener) {
    this.fs = fs;
    this.listener = listener;
    yarn.init(conf);
    yarn.start();
  }

  /**
   * Submits the jobs, and returns at the end of the last one.
   *
   * @param spec how many there are, and what those do that succeed
   * @param outputs the names of their outputs begin with this
   */
  void run(DemoJobSpec spec, JobMaker maker, Path outputs)
      throws IOException, InterruptedException {
    start = Instant.now();
    Duration failingMap = Duration.ofMillis(Math.round(spec.mapTime().toMillis() * FAILING_FACTOR));
    for (int i = 0; i < spec.jobs(); i++) {
      await(AT_ONCE - 1, spec.jobs());
      Program program = PROGRAMS.get(i % PROGRAMS.size());
      Path output = outputs.suffix("-" + i);
      DemoJobSpec own =
          program.fails() ? spec.with().pace(failingMap, spec.reduceTime()).build() : spec;
      Map<String, String> extra =
          Map.of(
              DemoKeys.FAILS,
              Boolean.toString(program.fails()),
              MRJobConfig.MAP_MAX_ATTEMPTS,
              "2",
              MRJobConfig.JOB_NAME,
              program.name() + "-" + (i + 1));
      submit(new One(maker.make(i, own, extra, output), program, output));
    }
    await(0, spec.jobs());
  }

  private void submit(One one) throws IOException, InterruptedException {
    jobs.add(one); // first, so that its output is removed whatever happens
    try {
      one.job.submit();
    } catch (ClassNotFoundException e) {
      throw new IOException("the job's classes are not on the class path", e);
    }
    running.add(one);
    listener.submitted(one.id().toString());
  }

  /** Waits until no more than some jobs run. */
  private void await(int most, int all) throws IOException, InterruptedException {
    if (!Await.until(LIMIT, PAUSE, () -> look(all) <= most)) {
      throw new IOException("jobs of the stream still run after " + LIMIT);
    }
  }

  /** Returns how many jobs run. */
  private int look(int all) throws IOException, InterruptedException {
    Iterator<One> left = running.iterator();
    while (left.hasNext()) {
      if (isOver(report(left.next()))) {
        left.remove();
      }
    }
    float share = (float) (jobs.size() - running.size()) / all;
    JobProgress progress =
        new JobProgress(Duration.between(start, Instant.now()), "RUNNING", share, share);
    samples.add(progress);
    listener.progress(progress);
    return running.size();
  }

  private static boolean isOver(ApplicationReport report) {
    return switch (report.getYarnApplicationState()) {
      case FINISHED, FAILED, KILLED -> true;
      default -> false;
    };
  }

  private ApplicationReport report(One one) throws IOException {
    try {
      return yarn.getApplicationReport(TypeConverter.toYarn(one.id()).getAppId());
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }

  /**
   * Returns what the jobs have come to. All have ended.
   *
   * @param right what a job writes that succeeds
   * @param histories where copies of the jobs' histories are kept
   */
  RunResult result(DemoJobSpec spec, RunMode mode, OutputDigest right, java.nio.file.Path histories)
      throws IOException, InterruptedException {
    List<StreamedJob> ended = new ArrayList<>();
    List<AttemptRecord> attempts = new ArrayList<>();
    FileSystem local = FileSystem.getLocal(fs.getConf()).getRaw();
    Instant limit = Instant.now().plus(HISTORY_LIMIT);
    for (One one : jobs) {
      StreamedJob job = ended(one, report(one));
      ended.add(job);
      Duration left = Duration.between(Instant.now(), limit);
      Optional<Path> history =
          JobHistoryFile.fetch(
              fs, job.jobId(), histories, left.isNegative() ? Duration.ZERO : left);
      if (history.isPresent()) {
        attempts.addAll(JobHistory.read(local, history.get()).attempts());
      } else if (job.end() != JobEnd.OTHER) { // which leaves none if its AppMaster was killed
        throw new IOException("there is no history of " + job.jobId());
      }
    }
    Optional<StreamedJob> odd = ended.stream().filter(job -> !job.isAsExpected(right)).findFirst();
    Duration time =
        ended.stream().map(StreamedJob::finished).max(Duration::compareTo).orElse(Duration.ZERO);
    return new RunResult(
        ended.get(0).jobId(),
        spec,
        mode,
        Optional.empty(),
        Optional.empty(),
        "",
        odd.isEmpty(),
        odd.isEmpty() ? "SUCCEEDED" : "UNEXPECTED",
        odd.map(JobStreamRun::words).orElse(""),
        start,
        time,
        time,
        attempts,
        AttemptTally.of(attempts),
        new MapLocality(0, 0, 0),
        Map.of(),
        right,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        samples,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(new JobStream(ended)));
  }

  private static String words(StreamedJob job) {
    boolean isWrong = job.end() == JobEnd.SUCCEEDED && !job.fails();
    return "%s of %s %s"
        .formatted(
            job.jobId(),
            job.program(),
            isWrong ? "wrote something else than its program does" : "ended as " + job.state());
  }

  private StreamedJob ended(One one, ApplicationReport report) throws IOException {
    long seconds = report.getApplicationResourceUsageReport().getVcoreSeconds(); // 1 each
    return new StreamedJob(
        one.id().toString(),
        one.program.name(),
        one.program.fails(),
        end(report),
        report.getFinalApplicationStatus() + ": " + report.getDiagnostics().strip(),
        since(report.getStartTime()),
        since(report.getFinishTime()),
        Duration.ofSeconds(seconds),
        JobOutput.digest(fs, one.output));
  }

  private Duration since(long millis) {
    return Duration.between(start, Instant.ofEpochMilli(millis));
  }

  static JobEnd end(ApplicationReport report) {
    if (report.getYarnApplicationState() != YarnApplicationState.FINISHED) {
      return JobEnd.OTHER;
    }
    return switch (report.getFinalApplicationStatus()) {
      case SUCCEEDED -> JobEnd.SUCCEEDED;
      case FAILED -> JobEnd.FAILED;
      case KILLED -> report.getDiagnostics().contains(ENDED) ? JobEnd.ENDED : JobEnd.OTHER;
      default -> JobEnd.OTHER;
    };
  }

  @Override
  public void close() throws IOException {
    IOException failure = new IOException("a stream of jobs could not be cleaned up");
    for (One one : running) {
      contain(failure, () -> one.job.killJob()); // one that has ended stays as it is
    }
    for (One one : jobs) {
      contain(failure, () -> fs.delete(one.output, true));
    }
    yarn.stop();
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void contain(IOException failure, Step step) {
    try {
      step.run();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
