// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.check.Finding;
import io.drover.core.check.Finding.Level;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.web.DroverWebServices;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerChecksTest {
  private static final String CLASS = "yarn.resourcemanager.scheduler.class";

  private static Configuration conf(String... settings) {
    Configuration conf = new YarnConfiguration();
    conf.set(CLASS, SchedulerChecks.SCHEDULER);
    conf.set("yarn.scheduler.capacity.root.queues", "default,users");
    conf.set("yarn.scheduler.capacity.root.default.capacity", "50");
    conf.set("yarn.scheduler.capacity.root.users.capacity", "50");
    conf.set("yarn.scheduler.capacity.root.users.queues", "etl,adhoc");
    conf.set("yarn.scheduler.capacity.root.users.etl.capacity", "90");
    conf.set("yarn.scheduler.capacity.root.users.adhoc.capacity", "10");
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  private static List<String> lines(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.level() != Level.OK)
        .map(finding -> finding.level() + " " + finding.check() + " " + finding.what())
        .toList();
  }

  private static List<String> found(String... settings) {
    return lines(SchedulerChecks.of(conf(settings), OptionalLong.empty(), 0).run());
  }

  private static List<String> foundIn(long clusterMb, String... settings) {
    return lines(SchedulerChecks.of(conf(settings), OptionalLong.of(clusterMb), 3584).run());
  }

  @Test
  void namesAreThoseOfTheClasses() {
    assertThat(SchedulerChecks.SCHEDULER).isEqualTo(DroverCapacityScheduler.class.getName());
    assertThat(SchedulerChecks.WEB_SERVICES).isEqualTo(DroverWebServices.class.getName());
  }

  @Test
  void nothingIsWrongWithTheDefaults() {
    assertThat(found()).isEmpty();
    assertThat(lines(SchedulerChecks.ofRunning(conf()))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "yarn.drover.clone.max-utilisation, 0.99, WARN rm.ceiling",
    "yarn.drover.clone.hysteresis, 0.5, ''",
    "yarn.drover.clone.application-types, SPARK, WRONG rm.application-types",
    "yarn.drover.statistics.trusted-users, *, WARN rm.channel",
    "yarn.drover.predict.mode, on, WARN rm.channel",
    "yarn.drover.quarantine.mode, on, WARN rm.channel",
    "yarn.drover.quarantine.mode, observe, ''",
    "yarn.drover.slow-nodes.hdfs.mode, on, WARN rm.channel",
    "yarn.drover.slow-nodes.file, /etc/hadoop/slow, WARN rm.channel",
    "yarn.drover.channel.address, localhost:8036, ''",
    "yarn.drover.channel.address, 0.0.0.0:8031, WRONG rm.channel-port",
    "yarn.drover.predict.exempt-queues, root.users.etl, ''",
    "yarn.drover.predict.exempt-queues, etl, ''",
    "yarn.drover.predict.exempt-queues, reports, WARN queue.exempt",
    "yarn.drover.clone.mode, maybe, WRONG rm.setting",
    "yarn.scheduler.capacity.root.users.maximum-capacity, 60, WARN queue.below-ceiling",
    "yarn.scheduler.capacity.root.users.maximum-capacity, 70, ''",
    "yarn.scheduler.capacity.root.users.maximum-capacity, -1, ''",
    "yarn.scheduler.capacity.root.users.maximum-capacity, '[memory=10240,vcores=4]', ''",
  })
  void oneSettingIsOneFinding(String key, String value, String expected) {
    assertThat(found(key, value))
        .hasSize(expected.isEmpty() ? 0 : 1)
        .allMatch(line -> line.startsWith(expected));
  }

  @Test
  void whereClonesAreOffTheirSettingsDoNotMatter() {
    assertThat(
            found(
                "yarn.drover.clone.mode", "off",
                "yarn.drover.clone.max-utilisation", "1.0",
                "yarn.scheduler.capacity.root.users.maximum-capacity", "10"))
        .isEmpty();
  }

  @Test
  void sharesOfQueuesMultiplyDownTheTree() {
    assertThat(
            found(
                "yarn.scheduler.capacity.root.users.maximum-capacity", "80",
                "yarn.scheduler.capacity.root.users.adhoc.maximum-capacity", "50"))
        .singleElement()
        .asString()
        .contains("root.users.adhoc 40.0 %")
        .doesNotContain("root.users.etl");
  }

  @Test
  void queueInWhichNoCloneHasRoomIsNamed() {
    assertThat(foundIn(100 * 1024)).isEmpty();
    assertThat(foundIn(40 * 1024))
        .singleElement()
        .asString()
        .startsWith("WARN queue.no-clones")
        .contains("root.users.adhoc 5.00 %", "3584 MB");
    assertThat(
            foundIn(40 * 1024, "yarn.scheduler.capacity.root.users.adhoc.user-limit-factor", "4"))
        .isEmpty();
    assertThat(
            foundIn(40 * 1024, "yarn.scheduler.capacity.root.users.adhoc.user-limit-factor", "-1"))
        .isEmpty();
    assertThat(foundIn(40 * 1024, "yarn.scheduler.capacity.root.users.adhoc.state", "STOPPED"))
        .isEmpty();
  }

  @Test
  void clusterBelowWhoseCeilingNoCloneFitsIsWrong() {
    assertThat(foundIn(4096))
        .singleElement()
        .asString()
        .startsWith("WRONG queue.no-clones")
        .contains("yarn.drover.clone.max-utilisation is 0.7 of 4096 MB");
  }

  @Test
  void settingsOfAnotherSchedulerAreToldAsAWhole() {
    assertThat(
            found(
                CLASS,
                "com.acme.Scheduler",
                "yarn.webapp.custom.webservice.class",
                SchedulerChecks.WEB_SERVICES,
                "yarn.drover.clone.mode",
                "observe"))
        .singleElement()
        .asString()
        .startsWith("WRONG rm.scheduler " + CLASS + " is com.acme.Scheduler")
        .contains("yarn.drover.clone.mode");
    assertThat(
            found(
                CLASS,
                "com.acme.Scheduler",
                "yarn.webapp.custom.webservice.class",
                SchedulerChecks.WEB_SERVICES))
        .singleElement()
        .asString()
        .startsWith("WRONG rm.web yarn.webapp.custom.webservice.class is");
    assertThat(found(CLASS, "com.acme.Scheduler", "yarn.drover.channel.address", "rm:8036"))
        .as("AppMasters read it, too")
        .isEmpty();
  }

  @Test
  void allBadSettingsAreNamedAndTheRestIsLookedAtWithDefaults() {
    assertThat(
            found(
                "yarn.drover.clone.round", "250",
                "yarn.drover.clone.hysteresis", "5",
                "yarn.drover.clone.max-utilisation", "1.0"))
        .hasSize(3)
        .anyMatch(line -> line.contains("yarn.drover.clone.round is '250'"))
        .anyMatch(line -> line.contains("yarn.drover.clone.hysteresis is '5'"))
        .anyMatch(line -> line.startsWith("WARN rm.ceiling"));
  }

  @Test
  void addressesOfTwoManagersAreEachLookedAt() {
    String[] two = {
      "yarn.resourcemanager.ha.enabled", "true",
      "yarn.resourcemanager.ha.rm-ids", "rm1,rm2",
      "yarn.resourcemanager.hostname.rm1", "a",
      "yarn.resourcemanager.hostname.rm2", "b",
      "yarn.resourcemanager.admin.address.rm2", "b:8036",
      "yarn.drover.channel.address", "any:8036"
    };
    assertThat(found(two))
        .singleElement()
        .asString()
        .startsWith("WRONG rm.channel-port")
        .contains("b:8036, and so is yarn.resourcemanager.admin.address.rm2");
  }
}
