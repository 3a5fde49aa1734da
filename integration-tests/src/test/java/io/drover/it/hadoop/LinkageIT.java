// SPDX-License-Identifier: Apache-2.0
package io.drover.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drover's jars are compiled against one version of Hadoop, and work on others as they are: what
 * they use of Hadoop and of its libraries is there, and what they override is asked for.
 */
class LinkageIT {
  private static final String COMPILED_AGAINST = "3.5.0";

  private static final Pattern OURS = Pattern.compile("drover-(?!integration).*\\.jar");

  /** What a release bundles besides. */
  private static final Pattern BUNDLED = Pattern.compile("(picocli|progressbar|jline)-.*\\.jar");

  @ParameterizedTest
  @ValueSource(strings = {"3.4.1", "3.4.2"})
  void theSameJarsLink(String version) throws Exception {
    List<Path> jars = withOurs(HadoopClassPath.of(version));
    List<Path> compiledAgainst = withOurs(HadoopClassPath.of(COMPILED_AGAINST));

    try (ClassFiles there = new ClassFiles(jars);
        ClassFiles here = new ClassFiles(compiledAgainst)) {
      Linkage linkage = new Linkage(there, ours(there));

      assertThat(linkage.errors()).isEmpty();
      assertThat(linkage.overrides())
          .hasSizeGreaterThan(100)
          .containsAll(new Linkage(here, ours(here)).overrides());
    }
  }

  /** Otherwise the check finds what is no error. */
  @Test
  void theyLinkWhereTheyWereCompiled() throws Exception {
    try (ClassFiles here = new ClassFiles(withOurs(HadoopClassPath.of(COMPILED_AGAINST)))) {
      assertThat(new Linkage(here, ours(here)).errors()).isEmpty();
    }
  }

  /** Otherwise the check finds nothing. */
  @Test
  void whatIsNotThereIsFound() throws IOException {
    try (ClassFiles alone = new ClassFiles(withOurs(List.of()))) {
      assertThat(new Linkage(alone, ours(alone)).errors())
          .contains(
              "io/drover/scheduler/DroverCapacityScheduler needs org/apache/hadoop/yarn/server/"
                  + "resourcemanager/scheduler/capacity/CapacityScheduler, which is missing");
    }
  }

  private static List<Path> withOurs(List<Path> hadoop) {
    List<Path> all = new ArrayList<>();
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(jar -> isOneOf(OURS, jar.toString()) || isOneOf(BUNDLED, jar.toString()))
        .forEach(all::add);
    all.addAll(hadoop);
    return all;
  }

  private static boolean isOneOf(Pattern jars, String jar) {
    return jars.matcher(Path.of(jar).getFileName().toString()).matches();
  }

  private static Set<String> ours(ClassFiles files) {
    Set<String> ours =
        files.names().stream()
            .filter(name -> files.jarOf(name).filter(jar -> isOneOf(OURS, jar)).isPresent())
            .collect(Collectors.toSet());
    assertThat(ours).hasSizeGreaterThan(1000);
    return ours;
  }
}
