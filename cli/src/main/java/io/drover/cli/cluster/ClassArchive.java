// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/**
 * The class data sharing archive for the processes in containers. Starting processes is what costs
 * most in a small cluster, and loading classes is half of that. The archive is made once for a
 * class path, by a job in training that runs within its AppMaster, which leaves it behind when it
 * ends; and it is kept. Daemons have none: they start once, and to archive their many classes takes
 * longer than that.
 */
final class ClassArchive {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Path kept;
  private final Path made;

  /**
   * The archive for a class path.
   *
   * @param directory where archives are kept
   * @param layout where this cluster's files are
   * @param classPath of the processes; its stable part is archived
   */
  ClassArchive(Path directory, Layout layout, ClassPath classPath) throws IOException {
    kept = directory.toAbsolutePath().resolve(classPath.fingerprint() + ".jsa");
    made = layout.temp().resolve("classes.jsa");
  }

  /** Whether it was made before. */
  boolean exists() {
    return Files.isReadable(kept);
  }

  /**
   * The options that let a JVM use it. It is mapped where it was made for: moving it, as JVMs may
   * do for the sake of security, costs each process time, and memory that is not shared.
   */
  List<String> use() {
    return List.of(
        "-XX:SharedArchiveFile=" + kept,
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:ArchiveRelocationMode=0");
  }

  /** The options that let a JVM leave it behind. */
  List<String> train() {
    return List.of("-XX:ArchiveClassesAtExit=" + made);
  }

  /**
   * Waits until the JVM in training has ended, and keeps what it left.
   *
   * @param cluster where it runs
   */
  void keep(DroverCluster cluster) throws IOException, InterruptedException {
    List<String> left = cluster.awaitNoContainers(LIMIT);
    if (!left.isEmpty()) {
      throw new IOException("the process in training still runs after " + LIMIT + ": " + left);
    }
    Files.createDirectories(kept.getParent());
    Path beside = Files.createTempFile(kept.getParent(), "part", ".jsa");
    try {
      Files.copy(made, beside, StandardCopyOption.REPLACE_EXISTING); // another file system, maybe
      Files.move(beside, kept, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
