// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.history.HistoryDirectories;
import io.drover.testbed.history.JobHistory;
import io.drover.testbed.history.JobHistoryServer;
import io.drover.testbed.history.JobRecord;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches and reads the history file of a finished job. */
final class JobHistoryFile {
  private static final Logger LOG = LoggerFactory.getLogger(JobHistoryFile.class);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private JobHistoryFile() {}

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
              Optional<Path> file = HistoryDirectories.find(fs.getConf(), jobId);
              if (file.isEmpty()) {
                return false;
              }
              try {
                FileSystem of = file.get().getFileSystem(fs.getConf());
                of.copyToLocalFile(false, file.get(), copy, true);
                return true;
              } catch (FileNotFoundException e) {
                return false; // moved in the meantime: try again
              }
            });
    return found ? Optional.of(copy) : Optional.empty();
  }

  /**
   * Reads the history of a job: the copy of its file or, if there is none, what the
   * JobHistoryServer tells.
   *
   * @param succeeded whether the job did; one that did not may have left no history
   * @return its history; empty if it has none and did not succeed
   * @throws IOException if it succeeded and its history cannot be read: nothing is known of its
   *     attempts then
   */
  static Optional<JobRecord> read(
      FileSystem fs,
      String jobId,
      Optional<Path> copy,
      Optional<JobHistoryServer> server,
      boolean succeeded)
      throws IOException {
    if (copy.isPresent()) {
      return Optional.of(JobHistory.read(FileSystem.getLocal(fs.getConf()).getRaw(), copy.get()));
    }
    IOException unread =
        new IOException(
            "the history of "
                + jobId
                + " cannot be read: run this as a user who may read the cluster's"
                + " mapreduce.jobhistory.done-dir, or see why the JobHistoryServer at"
                + " mapreduce.jobhistory.webapp.address does not tell it");
    if (server.isPresent()) {
      try {
        return Optional.of(server.get().read(jobId));
      } catch (IOException | IllegalArgumentException e) { // no such port, for example
        unread.initCause(e);
      }
    }
    if (succeeded) {
      throw unread;
    }
    LOG.info("A job that did not succeed has left no history", unread);
    return Optional.empty();
  }
}
