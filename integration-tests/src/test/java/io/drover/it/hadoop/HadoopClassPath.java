// SPDX-License-Identifier: Apache-2.0
package io.drover.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The jars of a version of Hadoop, which Maven fetches. */
final class HadoopClassPath {
  private static final long LIMIT_SECONDS = 300;

  /** What has been fetched in this process. */
  private static final Map<String, List<Path>> FETCHED = new HashMap<>();

  private HadoopClassPath() {}

  /** Returns the jars. The calling test is skipped where Maven cannot fetch them. */
  static synchronized List<Path> of(String version) throws IOException, InterruptedException {
    List<Path> jars = FETCHED.get(version);
    if (jars == null) {
      jars = fetch(version);
      FETCHED.put(version, jars);
    }
    return jars;
  }

  private static List<Path> fetch(String version) throws IOException, InterruptedException {
    Path home = Path.of(System.getProperty("drover.home"));
    Path target = Files.createDirectories(home.resolve("integration-tests/target"));
    Path list = target.resolve("hadoop-" + version + ".txt");
    Path log = target.resolve("hadoop-" + version + ".log");
    Process fetching =
        new ProcessBuilder(
                home.resolve("docker/hadoop/classpath").toString(), version, list.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      boolean ended = fetching.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      String said = Files.readString(log);
      assumeTrue(
          ended && fetching.exitValue() == 0,
          () -> "Hadoop " + version + " cannot be fetched here: " + said);
    } finally {
      fetching.destroy();
    }
    List<Path> jars =
        Stream.of(Files.readString(list).strip().split(File.pathSeparator)).map(Path::of).toList();
    assertThat(jars)
        .hasSizeGreaterThan(100)
        .anyMatch(jar -> jar.endsWith("hadoop-common-" + version + ".jar"));
    return jars;
  }
}
