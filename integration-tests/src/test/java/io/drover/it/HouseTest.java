// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for all modules together. */
class HouseTest {
  /** Surefire passes the module's directory. */
  private static final Path HOME =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize().getParent();

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/proto/")) // protoc's
          .importPackages("io.drover");

  private static Stream<Path> sources(Path module) {
    try (Stream<Path> files = Files.walk(module.resolve("src"))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By the sources, because this class path has the tests of no other module. */
  @Test
  void noTwoTypesHaveTheSameSimpleName() throws IOException {
    Collection<List<Path>> names;
    try (Stream<Path> modules = Files.list(HOME)) {
      names =
          modules
              .filter(module -> Files.isDirectory(module.resolve("src")))
              .flatMap(HouseTest::sources)
              .filter(file -> !file.endsWith("package-info.java"))
              .collect(groupingBy(Path::getFileName))
              .values();
    }
    assertThat(names).hasSizeGreaterThan(1_000);
    assertThat(names).filteredOn(same -> same.size() > 1).isEmpty();
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.drover.(**)").should().beFreeOfCycles().check(HOUSE);
  }
}
