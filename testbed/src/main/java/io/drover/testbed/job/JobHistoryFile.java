// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.history.HistoryDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Fetches the history file of a finished job. */
final class JobHistoryFile {
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
              } catch (java.io.FileNotFoundException e) {
                return false; // moved in the meantime: try again
              }
            });
    return found ? Optional.of(copy) : Optional.empty();
  }
}
