// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The class data sharing archive of a cluster's processes. Starting processes costs most in a small
 * cluster, and loading classes is half of that. The archive holds the classes of Hadoop and the JDK
 * that AppMasters, tasks and NodeManagers use. It is made once for a class path, while the masters
 * of the first cluster start, and kept.
 *
 * <p>The list of these classes is among this package's resources, in the format of the JDK's own
 * {@code lib/classlist}. Names that a version of Hadoop or of the JDK does not have are skipped,
 * and classes that are not in the list are loaded from their jars.
 */
final class ClassArchive {
  private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);
  private static final String LIST = "classes.list";
  private static final String NAME = "class-archive";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final byte[] classes;
  private final Path kept;
  private final Layout layout;
  private final ClassPath classPath;
  private final Path made;
  private Optional<DaemonProcess> maker = Optional.empty();

  /**
   * Creates the archive of a class path, without making its file.
   *
   * @param directory where archives are kept
   * @param layout where this cluster's files are
   * @param classPath of the processes; its stable part is archived
   */
  ClassArchive(Path directory, Layout layout, ClassPath classPath) throws IOException {
    try (InputStream list = ClassArchive.class.getResourceAsStream(LIST)) {
      this.classes = list.readAllBytes();
    }
    this.kept = directory.toAbsolutePath().resolve(classPath.fingerprint(classes) + ".jsa");
    this.layout = layout;
    this.classPath = classPath;
    this.made = layout.temp().resolve("classes.jsa");
  }

  /** Returns whether the archive was made before. */
  boolean exists() {
    return Files.isReadable(kept);
  }

  /**
   * Returns the options that let a JVM use the archive, at the address for which it was made. JVMs
   * may move it for security, which costs each process time and memory that is not shared.
   */
  List<String> use() {
    return List.of(
        "-XX:SharedArchiveFile=" + kept,
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:ArchiveRelocationMode=0");
  }

  /** Starts a process that makes the archive, which takes half a minute on a slow machine. */
  void beginToMake() throws IOException {
    Path list = layout.temp().resolve(LIST);
    Files.write(list, classes);
    List<String> options =
        List.of(
            "-Xshare:dump",
            "-Xmx512m",
            "-XX:+UseG1GC", // only with G1 are the JDK's own objects, such as modules, archived
            "-XX:TieredStopAtLevel=1",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + made);
    Path arguments = layout.conf().resolve(NAME + ".args");
    ClusterFiles.writeArguments(arguments, options, classPath.stablePart());
    maker =
        Optional.of(
            DaemonProcess.start(
                NAME,
                List.of(),
                Map.of(),
                layout.temp(),
                layout.log(NAME),
                List.of("@" + arguments)));
  }

  /**
   * Waits until the archive is made, and keeps it.
   *
   * @return the options that let a JVM use it; none if it could not be made, and JVMs start slowly
   */
  List<String> awaitAndUse() throws InterruptedException {
    try {
      awaitAndKeep();
      return use();
    } catch (IOException e) {
      LOG.warn("No class archive: processes will start slowly", e);
      return List.of();
    }
  }

  private void awaitAndKeep() throws IOException, InterruptedException {
    DaemonProcess process = maker.orElseThrow();
    try {
      if (process.awaitEnd(LIMIT) != 0) {
        throw new IOException("java -Xshare:dump failed:\n" + process.tail());
      }
    } finally {
      process.kill(); // if it takes too long
    }
    Files.createDirectories(kept.getParent());
    Path beside = Files.createTempFile(kept.getParent(), "part", ".jsa");
    try {
      Files.copy(made, beside, StandardCopyOption.REPLACE_EXISTING); // perhaps another file system
      Files.move(beside, kept, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
