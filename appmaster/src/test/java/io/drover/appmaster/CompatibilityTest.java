// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.speculator.DroverSpeculator;
import io.drover.speculator.HadoopSettings;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.junit.jupiter.api.Test;

class CompatibilityTest {
  private static List<String> notes(String... settings) throws Exception {
    Configuration conf = new Configuration(false);
    conf.setBoolean("mapreduce.map.speculative", true);
    conf.setBoolean("mapreduce.reduce.speculative", true);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return Compatibility.notes(conf, HadoopSettings.read(conf));
  }

  @Test
  void nothingStandsInTheWayOfTheDefaults() throws Exception {
    assertThat(notes()).isEmpty();
    assertThat(
            notes("yarn.app.mapreduce.am.job.speculator.class", DroverSpeculator.class.getName()))
        .isEmpty();
  }

  @Test
  void eachSettingThatDoesIsNamedWithItsValue() throws Exception {
    assertThat(notes("mapreduce.map.speculative", "false"))
        .containsExactly(
            "mapreduce.map.speculative is false: no clones, copies or restarts of maps");
    assertThat(
            notes("yarn.app.mapreduce.am.job.speculator.class", DefaultSpeculator.class.getName()))
        .singleElement()
        .asString()
        .contains("speculator.class is " + DefaultSpeculator.class.getName());
    assertThat(notes("mapreduce.job.num-opportunistic-maps-percent", "30"))
        .singleElement()
        .asString()
        .contains("percent is 30")
        .contains("mapreduce.drover.anti-affinity.mode");
    assertThat(
            notes(
                "mapreduce.job.speculative.minimum-allowed-tasks", "0",
                "mapreduce.job.speculative.speculative-cap-total-tasks", "0",
                "mapreduce.job.speculative.speculative-cap-running-tasks", "0.0"))
        .singleElement()
        .asString()
        .contains("speculative-cap-running-tasks are 0: no clones and no copies, only restarts");
    assertThat(notes("mapreduce.drover.restart.mode", "off"))
        .singleElement()
        .asString()
        .contains("mapreduce.drover.restart.mode is off");
  }

  @Test
  void reducesWithALabelOfTheirOwnAreNotPlaced() throws Exception {
    assertThat(notes("mapreduce.reduce.node-label-expression", "gpu"))
        .singleElement()
        .asString()
        .contains("mapreduce.reduce.node-label-expression is gpu", "no racks are chosen");
    assertThat(
            notes(
                "mapreduce.job.node-label-expression", "gpu",
                "mapreduce.map.node-label-expression", " gpu "))
        .as("reduces have the job's label, which is the maps' too")
        .isEmpty();
    assertThat(
            notes(
                "mapreduce.reduce.node-label-expression", "gpu",
                "mapreduce.drover.placement.mode", "off"))
        .isEmpty();
  }

  @Test
  void jobThatBlacklistsNoNodesIsToldThatItAvoidsNone() throws Exception {
    assertThat(notes("yarn.app.mapreduce.am.job.node-blacklisting.enable", "false"))
        .singleElement()
        .asString()
        .contains("does not avoid slow machines");
  }
}
