// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.check.Finding;
import io.drover.speculator.DroverSpeculator;
import io.drover.speculator.HadoopSettings;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Drover beside other AppMasters, and beside shuffles that need one of their own. */
class AppMasterChecksTest {
  private static final String OPTIONS = "yarn.app.mapreduce.am.command-opts";
  private static final String COLLECTOR = "mapreduce.job.map.output.collector.class";
  private static final String SHUFFLE = "mapreduce.job.reduce.shuffle.consumer.plugin.class";
  private static final String DROVERS = "io.drover.appmaster.DroverAppMaster";
  private static final String CELEBORNS =
      "org.apache.celeborn.mapreduce.v2.app.MRAppMasterWithCeleborn";
  private static final String CELEBORNS_COLLECTOR =
      "org.apache.hadoop.mapred.CelebornMapOutputCollector";
  private static final String CELEBORNS_SHUFFLE =
      "org.apache.hadoop.mapreduce.task.reduce.CelebornShuffleConsumer";
  private static final String UNIFFLES = "org.apache.hadoop.mapreduce.v2.app.RssMRAppMaster";
  private static final String UNIFFLES_COLLECTOR = "org.apache.hadoop.mapred.RssMapOutputCollector";
  private static final String UNIFFLES_SHUFFLE =
      "org.apache.hadoop.mapreduce.task.reduce.RssShuffle";

  private static Configuration conf(String... settings) {
    Configuration conf = new JobConf();
    conf.set("mapreduce.framework.name", "yarn");
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  private static List<String> lines(List<Finding> findings) {
    return findings.stream().map(f -> f.level() + " " + f.check() + " " + f.what()).toList();
  }

  private static List<String> submitted(String... settings) {
    return lines(Compatibility.ofSubmitted(conf(settings)).run());
  }

  private static List<String> running(String... settings) throws Exception {
    Configuration conf = conf(settings);
    return lines(Compatibility.ofRunning(conf, HadoopSettings.read(conf)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-Xmx1g a.B io.drover.appmaster.DroverAppMaster | names a.B before"
            + " io.drover.appmaster.DroverAppMaster: Java runs the first, so jobs run in a.B and"
            + " not in io.drover.appmaster.DroverAppMaster",
        "io.drover.appmaster.DroverAppMaster a.B | names io.drover.appmaster.DroverAppMaster before"
            + " a.B: Java runs the first, so jobs run in io.drover.appmaster.DroverAppMaster and"
            + " not in a.B",
        "$(test -r /x.jar && echo io.drover.appmaster.DroverAppMaster) a.B | names"
            + " io.drover.appmaster.DroverAppMaster before a.B: jobs run in Drover's on nodes that"
            + " have /x.jar, and in the other elsewhere",
        "-Xmx1g a.B | names a.B: jobs run in that AppMaster, neither in Drover's nor in Hadoop's",
      })
  void whoWinsIsSaid(String options, String what) {
    assertThat(submitted(OPTIONS, options))
        .containsExactly("WARN job.appmaster " + OPTIONS + " " + what);
  }

  @Test
  void winnerSaysWhomItHasBeaten() throws Exception {
    assertThat(running(OPTIONS, DROVERS + " " + CELEBORNS))
        .singleElement()
        .asString()
        .endsWith("so jobs run in " + DROVERS + " and not in " + CELEBORNS);
  }

  @Test
  void administratorsClassIsNamedWithItsKey() {
    assertThat(submitted("yarn.app.mapreduce.am.admin-command-opts", "a.B", OPTIONS, DROVERS))
        .singleElement()
        .asString()
        .startsWith("WARN job.appmaster yarn.app.mapreduce.am.admin-command-opts names a.B before");
  }

  @Test
  void collectorOfAServiceFailsInDroversAppMaster() throws Exception {
    String[] settings = {
      OPTIONS, DROVERS, COLLECTOR, CELEBORNS_COLLECTOR, SHUFFLE, CELEBORNS_SHUFFLE
    };
    String line =
        "WRONG job.shuffle-service "
            + COLLECTOR
            + " is "
            + CELEBORNS_COLLECTOR
            + ", which works only in "
            + CELEBORNS
            + ": tasks fail in "
            + DROVERS;
    assertThat(submitted(settings)).containsExactly(line);
    assertThat(running(settings)).containsExactly(line);
  }

  @Test
  void appMasterWhereTheJarIsMissingCountsToo() {
    String inShell = "$(test -r /x.jar && echo " + DROVERS + ")";
    assertThat(submitted(OPTIONS, inShell, SHUFFLE, UNIFFLES_SHUFFLE))
        .singleElement()
        .asString()
        .contains("works only in " + UNIFFLES, "tasks fail in " + DROVERS);
  }

  /** As both projects' guides want it, with Drover's speculator. */
  @Test
  void serviceInItsOwnAppMasterIsAllRight() {
    String[] speculator = {
      "yarn.app.mapreduce.am.job.speculator.class", DroverSpeculator.class.getName()
    };
    assertThat(
            submitted(
                OPTIONS,
                CELEBORNS,
                COLLECTOR,
                CELEBORNS_COLLECTOR,
                SHUFFLE,
                CELEBORNS_SHUFFLE,
                speculator[0],
                speculator[1]))
        .isEmpty();
    assertThat(
            submitted(
                OPTIONS,
                UNIFFLES,
                COLLECTOR,
                UNIFFLES_COLLECTOR,
                SHUFFLE,
                UNIFFLES_SHUFFLE,
                speculator[0],
                speculator[1]))
        .containsExactly(
            "WARN job.attempts Uniffle fails attempts of maps whose number is above"
                + " mapreduce.map.maxattempts: no restarts of maps, only copies");
  }

  @Test
  void withAnotherShuffleNobodyKnowsWhereOutputsAre() throws Exception {
    assertThat(running(COLLECTOR, "com.acme.Collector", SHUFFLE, "com.acme.Shuffle"))
        .as("the parts' sizes do not matter then")
        .singleElement()
        .asString()
        .startsWith("WARN job.shuffle " + SHUFFLE + " is com.acme.Shuffle: where outputs of maps");
    assertThat(Compatibility.areOutputsOnNodes(conf(SHUFFLE, "com.acme.Shuffle"))).isFalse();
    assertThat(
            Compatibility.areOutputsOnNodes(
                conf(SHUFFLE, "com.acme.Shuffle", "mapreduce.job.reduces", "0")))
        .as("nobody reads outputs")
        .isTrue();
    assertThat(Compatibility.areOutputsOnNodes(conf())).isTrue();
  }
}
