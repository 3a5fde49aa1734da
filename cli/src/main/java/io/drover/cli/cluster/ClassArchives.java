// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.cluster;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/**
 * Class data sharing archives for the processes in containers. Starting processes is what costs
 * most in a small cluster, and loading classes is half of that. The archives are made once for a
 * class path, by a job in training whose AppMaster and map leave them behind when they end, and are
 * kept. Reduces use that of the map: they are ended with their job, before they could leave one,
 * and load few classes more. Daemons have none: they start once, and to archive their many classes
 * takes longer than that.
 */
final class ClassArchives {
  /** Those whose processes leave an archive. */
  static final List<ContainerKind> TRAINED = List.of(ContainerKind.AM, ContainerKind.MAP);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Path kept;
  private final Path made;

  /**
   * The archives for a class path.
   *
   * @param directory where archives are kept
   * @param layout where this cluster's files are
   * @param classPath of the processes; its stable part is archived
   */
  ClassArchives(Path directory, Layout layout, ClassPath classPath) throws IOException {
    kept = directory.toAbsolutePath().resolve(classPath.fingerprint());
    made = layout.temp().resolve("archives");
  }

  /** Whether they were made before. */
  boolean exist() {
    return TRAINED.stream().allMatch(kind -> Files.isReadable(file(kept, kind)));
  }

  /**
   * The options that let a JVM use its archive. It is mapped where it was made for: moving it, as
   * JVMs may do for the sake of security, costs each process time, and memory that is not shared.
   */
  List<String> use(ContainerKind kind) {
    return List.of(
        "-XX:SharedArchiveFile="
            + file(kept, kind == ContainerKind.REDUCE ? ContainerKind.MAP : kind),
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:ArchiveRelocationMode=0");
  }

  /** The options that let a JVM leave its archive behind. */
  List<String> train(ContainerKind kind) throws IOException {
    Files.createDirectories(made);
    return List.of("-XX:ArchiveClassesAtExit=" + file(made, kind));
  }

  /**
   * Waits until the JVMs in training have ended, and keeps what they left.
   *
   * @param cluster where they run
   */
  void keep(DroverCluster cluster) throws IOException, InterruptedException {
    if (!Await.until(LIMIT, PAUSE, () -> cluster.liveContainers().isEmpty())) {
      throw new IOException("the processes in training still run after " + LIMIT);
    }
    Files.createDirectories(kept.getParent());
    Path beside = Files.createTempDirectory(kept.getParent(), "part");
    try {
      for (ContainerKind kind : TRAINED) {
        Files.copy(file(made, kind), file(beside, kind)); // another file system, maybe
      }
      Files.move(beside, kept, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException e) {
      Layout.delete(beside); // somebody else was first
    } catch (FileSystemException e) {
      Layout.delete(beside);
      if (!exist()) {
        throw e;
      }
    }
  }

  private static Path file(Path directory, ContainerKind kind) {
    return directory.resolve(kind.key() + ".jsa");
  }
}
