// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.host.Host;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** What is kept of a cluster, so that one can look into its jobs after it has been removed. */
public final class ClusterLogs {
  private ClusterLogs() {}

  /**
   * Copies the logs of daemons, AppMasters and tasks, and the histories and decision logs of jobs.
   *
   * @param to a directory, which is made; {@code daemons}, {@code containers/HOST} and {@code
   *     history} will be in it
   */
  public static void keep(DroverCluster cluster, Path to) throws IOException {
    copyTree(cluster.daemonLogs(), to.resolve("daemons"));
    copyTree(cluster.directory().resolve("history"), to.resolve("history"));
    for (Host host : cluster.hosts()) {
      copyTree(cluster.containerLogs(host.name()), to.resolve("containers").resolve(host.name()));
    }
  }

  private static void copyTree(Path from, Path to) throws IOException {
    if (!Files.isDirectory(from)) {
      return;
    }
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(file).toString());
            Files.createDirectories(target.getParent());
            Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // losing a log that is being rolled is harmless
          }
        });
  }
}
