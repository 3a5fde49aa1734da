// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.check.Finding;
import io.drover.core.check.Finding.Level;
import io.drover.core.config.JobSettings;
import io.drover.speculator.DroverSpeculator;
import io.drover.speculator.HadoopSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class CompatibilityTest {
  private static final String OPTIONS = "yarn.app.mapreduce.am.command-opts";
  private static final String APP_MASTER = "-Xmx1024m io.drover.appmaster.DroverAppMaster";

  private static Configuration conf(String... settings) {
    Configuration conf = new JobConf();
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  private static List<Finding> running(String... settings) throws Exception {
    Configuration conf = conf(settings);
    return Compatibility.ofRunning(conf, HadoopSettings.read(conf));
  }

  private static List<String> lines(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.level() != Level.OK)
        .map(finding -> finding.level() + " " + finding.check() + " " + finding.what())
        .toList();
  }

  private static List<String> submitted(String... settings) {
    return lines(Compatibility.ofSubmitted(conf(settings)).run());
  }

  @Test
  void nothingStandsInTheWayOfTheDefaults() throws Exception {
    assertThat(running()).isEmpty();
    assertThat(
            running("yarn.app.mapreduce.am.job.speculator.class", DroverSpeculator.class.getName()))
        .isEmpty();
    assertThat(submitted(OPTIONS, APP_MASTER, "mapreduce.framework.name", "yarn")).isEmpty();
    assertThat(submitted("mapreduce.framework.name", "drover")).isEmpty();
    assertThat(submitted()).as("before it is switched on").isEmpty();
  }

  @Test
  void eachSettingThatDoesIsNamedWithItsValue() throws Exception {
    assertThat(running("mapreduce.map.speculative", "false"))
        .extracting(Finding::what)
        .containsExactly(
            "mapreduce.map.speculative is false: no clones, copies or restarts of maps, and no"
                + " protection of map outputs");
    assertThat(
            running(
                "yarn.app.mapreduce.am.job.speculator.class", DefaultSpeculator.class.getName()))
        .singleElement()
        .extracting(Finding::what)
        .asString()
        .contains("speculator.class is " + DefaultSpeculator.class.getName());
    assertThat(running("mapreduce.job.num-opportunistic-maps-percent", "30"))
        .singleElement()
        .extracting(Finding::what)
        .asString()
        .contains("percent is 30")
        .contains("mapreduce.drover.anti-affinity.mode");
    assertThat(
            running(
                "mapreduce.job.speculative.minimum-allowed-tasks", "0",
                "mapreduce.job.speculative.speculative-cap-total-tasks", "0",
                "mapreduce.job.speculative.speculative-cap-running-tasks", "0.0"))
        .singleElement()
        .extracting(Finding::what)
        .asString()
        .contains("speculative-cap-running-tasks are 0: no clones and no copies, only restarts");
    assertThat(running("mapreduce.drover.restart.mode", "off"))
        .singleElement()
        .extracting(Finding::what)
        .asString()
        .contains("mapreduce.drover.restart.mode is off");
  }

  @Test
  void reducesWithALabelOfTheirOwnAreNotPlaced() throws Exception {
    assertThat(running("mapreduce.reduce.node-label-expression", "gpu"))
        .singleElement()
        .extracting(Finding::what)
        .asString()
        .contains("mapreduce.reduce.node-label-expression is gpu", "no racks are chosen");
    assertThat(
            running(
                "mapreduce.job.node-label-expression", "gpu",
                "mapreduce.map.node-label-expression", " gpu "))
        .as("reduces have the job's label, which is the maps' too")
        .isEmpty();
    assertThat(
            running(
                "mapreduce.reduce.node-label-expression", "gpu",
                "mapreduce.drover.placement.mode", "off"))
        .isEmpty();
  }

  @Test
  void jobThatBlacklistsNoNodesIsToldThatItAvoidsNone() throws Exception {
    for (String[] off :
        new String[][] {
          {"yarn.app.mapreduce.am.job.node-blacklisting.enable", "false"},
          {"yarn.app.mapreduce.am.job.node-blacklisting.ignore-threshold-node-percent", "0"},
          {"mapreduce.job.maxtaskfailures.per.tracker", "21"}
        }) {
      assertThat(running(off))
          .singleElement()
          .extracting(Finding::what)
          .asString()
          .startsWith(off[0] + " is " + off[1])
          .contains("does not avoid slow machines");
    }
    assertThat(
            running(
                "yarn.app.mapreduce.am.job.node-blacklisting.enable", "false",
                "mapreduce.drover.restart.slow-machine-outliers", "0"))
        .isEmpty();
  }

  @Test
  void eachBadSettingIsNamedAndTheOthersAreStillLookedAt() {
    assertThat(
            submitted(
                OPTIONS,
                APP_MASTER,
                "mapreduce.framework.name",
                "yarn",
                "mapreduce.drover.clone.mode",
                "maybe",
                "mapreduce.drover.order.mod",
                "on",
                "mapreduce.job.ubertask.enable",
                "true"))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("WRONG job.setting mapreduce.drover.clone.mode is"))
        .anyMatch(line -> line.startsWith("WRONG job.setting mapreduce.drover.order.mod (value"))
        .anyMatch(line -> line.startsWith("WARN job.uber"));
  }

  @Test
  void badRequestForASampleFailsTheJobAndIsToldSo() {
    List<Finding> findings =
        Compatibility.ofSubmitted(
                conf(
                    OPTIONS,
                    APP_MASTER,
                    "mapreduce.framework.name",
                    "yarn",
                    "mapreduce.drover.sample.blocks",
                    "10",
                    "mapreduce.drover.sample.ratio",
                    "0.5"))
            .run();

    assertThat(findings).singleElement().extracting(Finding::advice).asString().contains("fails");
  }

  /** Under the speculator alone there are no clones, placed reduces or protected outputs. */
  @Test
  void whatOnlyTheAppMasterDoesIsNoMatterToTheSpeculator() {
    String[] speculator = {
      "yarn.app.mapreduce.am.job.speculator.class", DroverSpeculator.class.getName(),
      "mapreduce.framework.name", "yarn",
      "mapreduce.reduce.node-label-expression", "gpu",
      "mapreduce.job.map.output.collector.class", "com.acme.Collector",
      "mapreduce.job.reduce.shuffle.consumer.plugin.class", "com.acme.Shuffle",
      "mapreduce.job.num-opportunistic-maps-percent", "30",
      "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "10000"
    };
    assertThat(submitted(speculator)).isEmpty();

    Configuration few = conf(speculator);
    few.set("mapreduce.map.maxattempts", "2");
    assertThat(lines(Compatibility.ofSubmitted(few).run()))
        .as("its copies count as failures if they fail")
        .singleElement()
        .asString()
        .contains("mapreduce.map.maxattempts is 2: no copies of maps");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"org.apache.hadoop.mapred.DroverMapOutput", "org.apache.hadoop.mapred.X,other.Y"})
  void collectorsOfTheJobAreNamed(String collectors) throws Exception {
    assertThat(running("mapreduce.job.map.output.collector.class", collectors))
        .singleElement()
        .extracting(Finding::check)
        .isEqualTo("job.collector");
  }

  @Test
  void reportIntervalIsToldWithTheKeyItComesFrom() throws Exception {
    assertThat(running("mapreduce.task.timeout", "3600000"))
        .singleElement()
        .extracting(Finding::what)
        .asString()
        .contains("mapreduce.task.timeout is 3600000", "tasks report every 36000 ms");
    assertThat(
            running(
                "mapreduce.task.timeout", "0",
                "mapreduce.task.progress-report.interval", "3000"))
        .as("tasks without a time-out may report all the same")
        .isEmpty();
  }

  @Test
  void findingsHaveTheKeysThatTheyAreAbout() throws Exception {
    assertThat(
            running("mapreduce.map.speculative", "false", "mapreduce.reduce.speculative", "false"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.WRONG);
              assertThat(finding.keys())
                  .containsExactly("mapreduce.map.speculative", "mapreduce.reduce.speculative");
            });
  }

  @Test
  void findingsAreLoggedWithWhatTheJobNeeds() throws Exception {
    Job job = mock();
    when(job.getTotalMaps()).thenReturn(100_000_000);
    AppContext context = mock();
    when(context.getAllJobs()).thenReturn(Map.of(MRBuilderUtils.newJobId(1, 1, 1), job));
    Configuration conf = conf("mapreduce.job.ubertask.enable", "true");
    assertThat(logged(context, conf, Optional.of(HadoopSettings.read(conf))))
        .hasSize(2)
        .anyMatch(line -> line.contains("Drover: mapreduce.job.ubertask.enable is true"))
        .anyMatch(
            line -> line.contains("the job has 100,000,000") && line.contains("[heap.small]"));
  }

  @Test
  void jobWithABadSettingIsToldThatItsShuffleNeedsAnotherAppMaster() {
    Configuration conf =
        conf(
            "mapreduce.job.map.output.collector.class",
            "org.apache.hadoop.mapred.CelebornMapOutputCollector",
            "mapreduce.job.ubertask.enable",
            "true");
    assertThat(logged(mock(), conf, Optional.empty()))
        .as("and not of what would stand in the way of Drover, which is off")
        .singleElement()
        .asString()
        .contains("works only in", "MRAppMasterWithCeleborn", "[job.shuffle-service]");
  }

  private static List<String> logged(
      AppContext context, Configuration conf, Optional<JobSettings> settings) {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(Compatibility.class));
    try {
      Compatibility.log(context, conf, settings);
    } finally {
      log.stopCapturing();
    }
    return log.getOutput().lines().toList();
  }
}
