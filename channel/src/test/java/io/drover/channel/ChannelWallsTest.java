// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Checks that {@code channel}, which {@code appmaster} and {@code scheduler} share, uses neither.
 */
class ChannelWallsTest {
  private static final JavaClasses CHANNEL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.drover.channel");

  @Test
  void channelKnowsCoreAndHadoopsRpcOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.drover.channel..",
            "io.drover.core.action",
            "io.drover.core.config",
            "io.drover.core.containment",
            "io.drover.core.restart",
            "java..",
            "javax.security.sasl",
            "org.slf4j",
            "org.apache.hadoop.conf",
            "org.apache.hadoop.fs",
            "org.apache.hadoop.io..",
            "org.apache.hadoop.ipc..",
            "org.apache.hadoop.net",
            "org.apache.hadoop.security..",
            "org.apache.hadoop.service",
            "org.apache.hadoop.thirdparty.protobuf..",
            "org.apache.hadoop.yarn.api.records",
            "org.apache.hadoop.yarn.conf",
            "org.apache.hadoop.yarn.exceptions",
            "org.apache.hadoop.yarn.security",
            "org.apache.hadoop.yarn.server.utils")
        .check(CHANNEL);
  }

  @Test
  void whatRunsInAnAppMasterNeedsNothingOfTheServers() {
    noClasses()
        .that()
        .doNotHaveSimpleName("ReportReceiver")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop.yarn.server..")
        .check(CHANNEL);
  }

  @Test
  void valuesKnowNothingOfTheWire() {
    noClasses()
        .that()
        .areRecords()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.drover.channel.proto..", "org.apache.hadoop..")
        .check(CHANNEL);
  }
}
