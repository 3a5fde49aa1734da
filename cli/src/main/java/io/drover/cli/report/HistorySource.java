// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.cli.web.WebClient;
import io.drover.testbed.history.HistoryDirectories;
import io.drover.testbed.history.JobHistory;
import io.drover.testbed.history.JobHistoryServer;
import io.drover.testbed.history.JobRecord;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Where the history of a job is: a file on any Hadoop file system, or a JobHistoryServer.
 *
 * @param name what it is called in messages
 * @param directory where the file is; empty for a server
 * @param reading reads it
 */
record HistorySource(String name, Optional<Path> directory, Reading reading) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern JOB = Pattern.compile("job_\\d+_\\d+");

  /** Reads a history. */
  interface Reading {
    JobRecord read() throws IOException;
  }

  /** Returns the id of the job, as the name tells; the name if it does not. */
  String job() {
    Matcher id = JOB.matcher(name);
    return id.lookingAt() ? id.group() : name;
  }

  /** Returns whether a text is the id of a job. */
  static boolean isJob(String text) {
    return JOB.matcher(text).matches();
  }

  /**
   * Returns the history of a job: that of the server, if one is named, or else the file in the
   * cluster's history directories.
   *
   * @throws FileNotFoundException if there is no such file
   */
  static HistorySource ofJob(String job, Optional<URI> server, Configuration conf)
      throws IOException {
    if (server.isPresent()) {
      WebClient web = new WebClient(PATIENCE, System::currentTimeMillis);
      JobHistoryServer history = new JobHistoryServer(server.get(), web::json);
      return new HistorySource(job, Optional.empty(), () -> history.read(job));
    }
    Path file =
        HistoryDirectories.find(conf, job)
            .orElseThrow(
                () ->
                    new FileNotFoundException(
                        "no history of "
                            + job
                            + " is readable on "
                            + FileSystem.getDefaultUri(conf)
                            + ": set HADOOP_CONF_DIR to the directory of the cluster's"
                            + " configuration, or name its JobHistoryServer with"
                            + " --history-server"));
    return ofFile(file.getFileSystem(conf), file);
  }

  /** Returns a path as a user types it: without a scheme, it is one of this machine. */
  static Path place(String path) {
    Path place = new Path(path);
    return place.toUri().getScheme() == null
        ? new Path(java.nio.file.Path.of(path).toUri())
        : place;
  }

  private static HistorySource ofFile(FileSystem files, Path file) {
    Path qualified = files.makeQualified(file);
    return new HistorySource(
        file.getName(),
        Optional.of(qualified.getParent()),
        () -> JobHistory.read(files, qualified));
  }

  /**
   * Returns the history in a file, or all histories in a directory and below.
   *
   * @throws FileNotFoundException if there is no such file or directory
   * @throws IOException if it is neither a file nor a directory, but a pipe, say
   */
  static List<HistorySource> ofPath(String path, Configuration conf, HistoryWalk.Unlisted unlisted)
      throws IOException {
    Path place = place(path);
    FileSystem files = place.getFileSystem(conf);
    if (files.getFileStatus(place).isDirectory()) {
      return HistoryWalk.from(files, place, unlisted).stream()
          .map(file -> ofFile(files, file))
          .toList();
    }
    if (place.isRoot()) { // of a web server, say, whose files are all files to Hadoop
      throw new IOException(path + " names no file, expected a history (*.jhist) or a directory");
    }
    if (!HistoryWalk.isRegular(files.makeQualified(place))) {
      throw new IOException(
          path
              + " is neither a file nor a directory: a history that comes from a pipe cannot be"
              + " read");
    }
    return List.of(ofFile(files, place));
  }
}
