// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What holds for all modules together. */
class HouseTest {
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/proto/")) // protoc's
          .importPackages("io.drover");

  @Test
  void noTwoTypesHaveTheSameSimpleName() {
    Collection<List<String>> names =
        HOUSE.stream()
            .filter(type -> !type.isNestedClass() && !type.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())))
            .values();

    assertThat(names).hasSizeGreaterThan(400).allSatisfy(same -> assertThat(same).hasSize(1));
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.drover.(**)").should().beFreeOfCycles().check(HOUSE);
  }
}
