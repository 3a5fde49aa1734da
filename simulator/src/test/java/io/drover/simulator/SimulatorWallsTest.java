// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Checks that the simulator depends on {@code core} and libraries, but not on Hadoop. */
class SimulatorWallsTest {
  private static final JavaClasses SIMULATOR =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.drover.simulator");

  @Test
  void theSimulatorKnowsCoreAndLibrariesOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.drover.simulator..",
            "io.drover.core..",
            "java..",
            "org.apache.commons.math3..",
            "org.apache.commons.csv..",
            "com.fasterxml.jackson..")
        .check(SIMULATOR);
  }

  @Test
  void nothingDependsOnTheClockOrOnUnseededChance() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callConstructor(java.util.Random.class)
        .check(SIMULATOR);
  }
}
