// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and fills the places of decision logs. While the job runs, its log is among the logs of the
 * AppMaster's container. Afterwards it is copied to a directory if the job names one. While another
 * AppMaster of the job may need it, there is a copy in the job's staging directory, too.
 */
final class DecisionLogFiles {
  /** The file name of the log among the container's logs. */
  static final String FILE = "drover-decisions.jsonl";

  private static final Logger LOG = LoggerFactory.getLogger(DecisionLogFiles.class);

  /** A log in the job's staging directory, for a later AppMaster of the job. */
  record Staged(org.apache.hadoop.fs.Path file) {}

  private DecisionLogFiles() {}

  /** Returns the staged log of an AppMaster attempt; empty if the job has no staging directory. */
  static Optional<Staged> staged(Configuration conf, int attempt) {
    return Optional.ofNullable(conf.get(MRJobConfig.MAPREDUCE_JOB_DIR))
        .map(dir -> new org.apache.hadoop.fs.Path(dir, "drover-decisions." + attempt + ".jsonl"))
        .map(Staged::new);
  }

  /** Returns the file to write to, which need not exist yet. */
  static Path localFile() {
    String dir = System.getProperty(YarnConfiguration.YARN_APP_CONTAINER_LOG_DIR);
    if (dir != null && Files.isDirectory(Path.of(dir))) {
      return Path.of(dir, FILE);
    }
    Path file =
        Path.of(System.getProperty("java.io.tmpdir"), "drover-" + UUID.randomUUID() + ".jsonl");
    file.toFile().deleteOnExit();
    return file;
  }

  /**
   * Copies a finished log to {@code dir}. The copy is complete or does not exist. A separate thread
   * copies, and this method waits for it for at most {@code patienceMillis}, so that a file system
   * that hangs does not keep the AppMaster from ending.
   */
  static void publish(Path local, String dir, String name, Configuration conf, long patienceMillis)
      throws InterruptedException {
    Thread copier =
        UserThread.daemon(
            () -> {
              try {
                copy(local, new org.apache.hadoop.fs.Path(dir), name, conf);
              } catch (IOException | RuntimeException | LinkageError e) {
                LOG.warn("Drover's decision log could not be copied to {}/{}", dir, name, e);
              }
            },
            "Drover decision log");
    copier.start();
    copier.join(patienceMillis);
    if (copier.isAlive()) {
      LOG.warn("Drover's decision log was not copied to {} within {} ms", dir, patienceMillis);
    }
  }

  private static void copy(
      Path local, org.apache.hadoop.fs.Path dir, String name, Configuration conf)
      throws IOException {
    if (!Files.exists(local)) {
      Files.createFile(local); // there was nothing to log
    }
    FileSystem fs = dir.getFileSystem(conf);
    fs.mkdirs(dir);
    org.apache.hadoop.fs.Path part = new org.apache.hadoop.fs.Path(dir, "." + name + ".part");
    try (InputStream in = Files.newInputStream(local);
        FSDataOutputStream out = fs.create(part, true)) {
      IOUtils.copyBytes(in, out, 1 << 16);
    }
    org.apache.hadoop.fs.Path whole = new org.apache.hadoop.fs.Path(dir, name);
    fs.delete(whole, false);
    if (!fs.rename(part, whole)) {
      throw new IOException("could not rename " + part + " to " + whole);
    }
  }
}
