// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the directories of clusters, and removes those of dead owners. Usually a cluster's
 * daemons remove its directory, but they cannot if all of them were killed at once.
 */
final class StaleDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(StaleDirectories.class);
  private static final String PREFIX = "drover-cluster-";
  private static final Duration KILL_LIMIT = Duration.ofSeconds(20);

  private StaleDirectories() {}

  /** Creates a directory that names its owner. */
  static Layout newDirectory(Path base) throws IOException {
    Files.createDirectories(base);
    Layout layout = new Layout(Files.createTempDirectory(base, PREFIX).toRealPath());
    Files.writeString(layout.owner(), identity(ProcessHandle.current()));
    return layout;
  }

  /** Removes the directories of dead owners under a base directory. */
  static void remove(Path base) throws IOException, InterruptedException {
    if (!Files.isDirectory(base)) {
      return;
    }
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(base, PREFIX + "*")) {
      for (Path directory : directories) {
        Path real = directory.toRealPath();
        if (Files.isWritable(real) && isAbandoned(new Layout(real))) {
          LOG.info("Removing {}: its owner is gone", real);
          Processes.killUnder(real, KILL_LIMIT);
          Layout.delete(real);
        }
      }
    }
  }

  private static boolean isAbandoned(Layout layout) throws IOException {
    try {
      String owner = Files.readString(layout.owner());
      int space = owner.indexOf(' ');
      if (space < 0) {
        return false; // its owner is about to write it
      }
      Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(owner.substring(0, space)));
      return process.isEmpty() || !identity(process.get()).equals(owner);
    } catch (NoSuchFileException e) {
      return false; // just made, or about to go
    }
  }

  /** Returns a process's id and start time, because the system reuses process ids. */
  private static String identity(ProcessHandle process) {
    return process.pid()
        + " "
        + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }
}
