// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.history.JobHistory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * Runs the small jobs of {@link Scenario#CEILING}, which are running when the big job starts. Under
 * Drover they start with clones. Closing kills those that have not ended.
 */
final class SmallJobs implements AutoCloseable {
  /** 2 AppMasters, 8 maps and 6 clones in the demo's 24 containers reach the ceiling. */
  static final int COUNT = 2;

  private static final Duration PAUSE = Duration.ofMillis(150);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration END_LIMIT = Duration.ofMinutes(10);

  /** The progress from which on a map certainly runs. */
  private static final double RUNS = 0.05;

  /** How long clones get to start once all maps run; the same in modes without clones. */
  private static final Duration SETTLING = Duration.ofSeconds(4);

  private final FileSystem fs;
  private final java.nio.file.Path histories;
  private final Duration historyLimit;
  private final List<One> jobs = new ArrayList<>();

  private record One(Job job, int maps, Path output) {}

  SmallJobs(FileSystem fs, java.nio.file.Path histories, Duration historyLimit) {
    this.fs = fs;
    this.histories = histories;
    this.historyLimit = historyLimit;
  }

  /**
   * Returns a small job beside a big one: 4 maps, 1 reduce. Its maps are long, so that they still
   * run when the big job's maps start, even on a busy machine.
   */
  static DemoJobSpec spec(DemoJobSpec big) {
    return big.with().tasks(4, 1).pace(Duration.ofSeconds(30), Duration.ofSeconds(2)).build();
  }

  /** Submits a small job. */
  void submit(Job job, int maps, Path output) throws IOException, InterruptedException {
    try {
      job.submit();
    } catch (ClassNotFoundException e) {
      throw new IOException("the job's classes are not on the class path", e);
    }
    jobs.add(new One(job, maps, output));
  }

  /** Returns when each job has ended or runs all its maps, and clones have had time to start. */
  void awaitRunning() throws IOException, InterruptedException {
    if (!Await.until(START_LIMIT, PAUSE, this::allRun)) {
      throw new IOException("the maps of the small jobs did not run within " + START_LIMIT);
    }
    TimeUnit.MILLISECONDS.sleep(SETTLING.toMillis());
  }

  private boolean allRun() throws IOException, InterruptedException {
    for (One one : jobs) {
      JobStatus status = one.job.getStatus();
      if (!status.isJobComplete() && !runs(one, status)) {
        return false;
      }
    }
    return true;
  }

  private static boolean runs(One one, JobStatus status) throws IOException, InterruptedException {
    if (status.getState() != JobStatus.State.RUNNING) {
      return false;
    }
    TaskReport[] maps = one.job.getTaskReports(TaskType.MAP);
    return maps.length == one.maps
        && Arrays.stream(maps).allMatch(map -> map.getProgress() >= RUNS);
  }

  /** Waits for the end of all jobs and returns their results. */
  List<Occupancy.SmallJob> awaitEnd() throws IOException, InterruptedException {
    List<Occupancy.SmallJob> ended = new ArrayList<>();
    for (One one : jobs) {
      boolean over = Await.until(END_LIMIT, PAUSE, one.job::isComplete);
      ended.add(over ? ended(one) : late(one));
    }
    return ended;
  }

  private Occupancy.SmallJob ended(One one) throws IOException, InterruptedException {
    String id = one.job.getJobID().toString();
    JobStatus status = one.job.getStatus();
    Optional<Path> history = JobHistoryFile.fetch(fs, id, histories, historyLimit);
    Duration time = Duration.ofMillis(status.getFinishTime() - status.getStartTime());
    if (history.isPresent()) {
      FileSystem local = FileSystem.getLocal(fs.getConf()).getRaw();
      time = JobHistory.read(local, history.get()).time();
    }
    return new Occupancy.SmallJob(
        id,
        status.getState().name(),
        status.getState() == JobStatus.State.SUCCEEDED,
        time,
        JobOutput.digest(fs, one.output));
  }

  private Occupancy.SmallJob late(One one) throws IOException {
    String state = "LATE, not finished within " + END_LIMIT;
    return new Occupancy.SmallJob(
        one.job.getJobID().toString(), state, false, END_LIMIT, JobOutput.digest(fs, one.output));
  }

  @Override
  public void close() throws IOException {
    for (One one : jobs) {
      if (!one.job.isComplete()) {
        one.job.killJob();
      }
      fs.delete(one.output, true);
    }
  }
}
