// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.jobhistory.EventReader;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;
import org.apache.hadoop.security.AccessControlException;

/**
 * The history of a finished job.
 *
 * @param job what Hadoop's parser reads
 * @param attempts every attempt
 */
record JobHistoryFile(JobHistoryParser.JobInfo job, List<AttemptRecord> attempts) {
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Returns the time from submit to finish. */
  Duration time() {
    return Duration.ofMillis(Math.max(0, job.getFinishTime() - job.getSubmitTime()));
  }

  /** Returns the host of the last AppMaster; an empty text if there is none. */
  String amNode() {
    List<JobHistoryParser.AMInfo> masters = job.getAMInfos();
    return masters == null || masters.isEmpty()
        ? ""
        : masters.get(masters.size() - 1).getNodeManagerHost();
  }

  /** Returns all counters, by {@code group/name}. */
  Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    if (job.getTotalCounters() != null) {
      for (CounterGroup group : job.getTotalCounters()) {
        for (Counter counter : group) {
          counters.put(group.getName() + "/" + counter.getName(), counter.getValue());
        }
      }
    }
    return counters;
  }

  /** Parses a history file. */
  static JobHistoryFile read(FileSystem fs, Path file) throws IOException {
    JobHistoryParser parser = new JobHistoryParser(fs, file);
    JobHistoryParser.JobInfo job = parser.parse();
    AttemptHistory attempts = new AttemptHistory();
    try (FSDataInputStream in = fs.open(file)) {
      EventReader reader = new EventReader(in);
      for (HistoryEvent e = reader.getNextEvent(); e != null; e = reader.getNextEvent()) {
        attempts.add(e);
      }
    }
    return new JobHistoryFile(
        job, attempts.records(Instant.ofEpochMilli(Math.max(0, job.getFinishTime()))));
  }

  /**
   * Waits for a job's history file and copies it, because the JobHistoryServer may move it at any
   * time.
   *
   * @return the copy; empty if there is no file within the limit
   */
  static Optional<Path> fetch(FileSystem fs, String jobId, java.nio.file.Path to, Duration limit)
      throws IOException, InterruptedException {
    Files.createDirectories(to);
    Path copy = new Path(to.resolve(jobId + ".jhist").toUri());
    boolean found =
        Await.until(
            limit,
            PAUSE,
            () -> {
              Optional<Path> file = find(fs, jobId);
              if (file.isEmpty()) {
                return false;
              }
              try {
                fs.copyToLocalFile(false, file.get(), copy, true);
                return true;
              } catch (java.io.FileNotFoundException e) {
                return false; // moved in the meantime: try again
              }
            });
    return found ? Optional.of(copy) : Optional.empty();
  }

  private static Optional<Path> find(FileSystem fs, String jobId) throws IOException {
    Path intermediate =
        new Path(JobHistoryUtils.getConfiguredHistoryIntermediateDoneDirPrefix(fs.getConf()));
    FileStatus[] fresh = fs.globStatus(new Path(intermediate, "*/" + jobId + "-*.jhist"));
    if (fresh != null && fresh.length > 0) {
      return Optional.of(fresh[0].getPath());
    }
    Path done = new Path(JobHistoryUtils.getConfiguredHistoryServerDoneDirPrefix(fs.getConf()));
    try {
      fs.access(done, FsAction.READ_EXECUTE);
    } catch (java.io.FileNotFoundException | AccessControlException e) {
      return Optional.empty(); // not there yet, or not readable for us
    }
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(done, true);
    while (files.hasNext()) {
      Path file = files.next().getPath();
      if (file.getName().startsWith(jobId + "-") && file.getName().endsWith(".jhist")) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
