// SPDX-License-Identifier: Apache-2.0
package io.drover.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks which other code {@code core} may depend on, and what must be passed to it instead. */
class CoreWallsTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.drover.core");

  @Test
  void coreKnowsTheJdkCommonsMathAndSlf4jOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.drover.core..", "java..", "org.apache.commons.math3..", "org.slf4j..")
        .check(CORE);
  }

  @Test
  void coreReadsNoClock() {
    noClasses().should().callMethodWhere(named("currentTimeMillis", "nanoTime", "now")).check(CORE);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .check(CORE);
  }

  @Test
  void coreStartsNoThreadAndWaitsForNone() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.Thread")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent..")
        .check(CORE);
  }

  @Test
  void coreTouchesNoFileAndNoNetwork() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.nio.file..", "java.net..", "java.nio.channels..")
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching("java\\.io\\.(File|RandomAccessFile).*")
        .check(CORE);
  }

  @Test
  void coreHasNoChanceOfItsOwn() {
    noClasses()
        .should()
        .callConstructor(java.util.Random.class)
        .orShould()
        .callMethodWhere(
            called("java.lang.Math", "random").or(called("java.util.UUID", "randomUUID")))
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.security.SecureRandom")
        .check(CORE);
  }

  private static DescribedPredicate<JavaMethodCall> named(String... names) {
    Set<String> wanted = Set.copyOf(List.of(names));
    return DescribedPredicate.describe(
        "a method that reads a clock",
        call ->
            wanted.contains(call.getName())
                && call.getTargetOwner().getPackageName().startsWith("java."));
  }

  private static DescribedPredicate<JavaMethodCall> called(String owner, String name) {
    return DescribedPredicate.describe(
        owner + "." + name,
        call -> call.getName().equals(name) && call.getTargetOwner().getName().equals(owner));
  }
}
