// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

class DemoJsonTest {

  @Test
  void everyRunHasTheKeysThatProgramsRelyOn() throws Exception {
    JsonNode json = json(SampleSources.result(2, Scenario.SLOW_NODE, Scenario.SKEW, Scenario.NONE));

    assertThat(json.path("scenarios")).hasSize(3);
    for (JsonNode scenario : json.path("scenarios")) {
      assertThat(scenario.path("name").isTextual()).isTrue();
      for (JsonNode run : scenario.path("runs")) {
        assertThat(run.path("mode").asText()).isIn("clean", "off", "stock", "drover");
        assertThat(run.path("jobSeconds").isNumber()).isTrue();
        assertThat(run.path("wallSeconds").isNumber()).isTrue();
        assertThat(run.path("taskSeconds").isNumber()).isTrue();
        assertThat(run.path("copies").isInt()).isTrue();
        assertThat(run.path("copiesWon").isInt()).isTrue();
        assertThat(run.path("restarts").isInt()).isTrue();
        assertThat(run.path("wastedSeconds").isNumber()).isTrue();
        assertThat(run.path("outputSha256").asText()).hasSize(64);
        assertThat(run.path("repeat").asInt()).isBetween(1, 2);
      }
    }
  }

  @Test
  void figuresAreThoseOfTheRuns() throws Exception {
    JsonNode json =
        json(
            SampleSources.result(
                SampleSources.lasting(20, 100, 80.125, 36), 1, Scenario.SLOW_NODE));

    JsonNode runs = json.path("scenarios").path(0).path("runs");
    assertThat(runs).hasSize(4);
    assertThat(runs.path(2).path("mode").asText()).isEqualTo("stock");
    assertThat(runs.path(2).path("jobSeconds").asDouble()).isEqualTo(80.125);
    JsonNode drover = json.path("scenarios").path(0).path("summary").path("drover");
    assertThat(drover.path("recovered").path("median").asDouble()).isEqualTo(0.8);
  }

  @Test
  void whatIsNotKnownIsLeftOut() throws Exception {
    JsonNode json = json(SampleSources.result(1, Scenario.SKEW));

    JsonNode summary = json.path("scenarios").path(0).path("summary");
    assertThat(summary.path("drover").has("recovered")).isFalse();
    assertThat(summary.has("clean")).isFalse();
    assertThat(json.path("good").asBoolean()).isTrue();
  }

  @Test
  void whatReplicasCostStandsInRunsWithDroversCountersAndInTheSummary() throws Exception {
    JsonNode scenario =
        json(SampleSources.result(1, Scenario.FLAKY_OUTPUTS)).path("scenarios").path(0);

    for (JsonNode run : scenario.path("runs")) {
      boolean isDrovers = run.path("mode").asText().equals("drover");
      assertThat(run.path("replicatedShare").asDouble()).isEqualTo(isDrovers ? 0.04 : 0);
      assertThat(run.has("replicatedBytes")).isEqualTo(isDrovers);
    }
    JsonNode summary = scenario.path("summary");
    assertThat(summary.path("drover").path("replicatedShare").path("max").asDouble())
        .isEqualTo(0.04);
    assertThat(summary.path("stock").has("replicatedShare")).isFalse();
  }

  @Test
  void itNamesTheHadoopAndTheJavaThatRan() throws Exception {
    JsonNode json = json(SampleSources.result(1, Scenario.SKEW));

    assertThat(json.path("hadoop").asText()).isEqualTo(VersionInfo.getVersion());
    assertThat(json.path("java").asInt()).isEqualTo(Runtime.version().feature());
  }

  @Test
  void seriesOfSmallJobsIsOneRunWithThePercentilesOfItsJobs() throws Exception {
    // clean, off, stock, restart, drover for each job
    DemoResult result =
        SampleSources.result(
            SampleSources.lasting(10, 50, 30, 20, 11, 10, 50, 40, 22, 12), 2, Scenario.SMALL_JOBS);

    JsonNode scenario = json(result).path("scenarios").path(0);
    assertThat(scenario.path("runs")).hasSize(2 * 5);
    JsonNode stock = scenario.path("runs").path(4);
    assertThat(stock.path("mode").asText()).isEqualTo("stock");
    assertThat(stock.path("repeat").asInt()).isEqualTo(1);
    assertThat(stock.path("jobs").path("count").asInt()).isEqualTo(5);
    assertThat(stock.path("jobs").path("p50").asDouble()).isEqualTo(30); // 30 40 30 40 30
    assertThat(stock.path("jobs").path("p95").asDouble()).isEqualTo(40);
    assertThat(stock.path("jobSeconds").asDouble()).isEqualTo(30);
    JsonNode drover = scenario.path("summary").path("drover");
    assertThat(drover.path("p95").asDouble()).isEqualTo(12);
    assertThat(drover.path("recovered").path("min").asDouble()).isEqualTo(0.95); // within each job
  }

  @Test
  void howFullTheClusterWasStandsInEachRunOfTheCeiling() throws Exception {
    JsonNode scenario =
        json(SampleSources.result(1, Scenario.CEILING, Scenario.NONE)).path("scenarios").path(0);

    JsonNode stock = scenario.path("runs").path(0).path("ceiling");
    assertThat(stock.path("peakClones").asInt(-1)).isZero();
    assertThat(stock.path("crossedAt").asDouble()).isEqualTo(5.2);
    assertThat(stock.has("reclaimedAt")).isFalse();
    JsonNode drover = scenario.path("runs").path(1).path("ceiling");
    assertThat(drover.path("tau").asDouble()).isEqualTo(0.7);
    assertThat(drover.path("peakClones").asInt()).isEqualTo(6);
    assertThat(drover.path("clonesKilled").asInt()).isEqualTo(6);
    assertThat(drover.path("crossedAt").asDouble()).isEqualTo(5.2);
    assertThat(drover.path("reclaimedAt").asDouble()).isEqualTo(5.6);
    assertThat(drover.path("reclaimSeconds").asDouble()).isEqualTo(0.4);
    assertThat(drover.path("smallJobSeconds")).hasSize(2);
    assertThat(drover.path("samples").path(0).path("at").asDouble()).isEqualTo(-14);
    assertThat(drover.path("samples").path(0).path("utilisation").isNumber()).isTrue();
    assertThat(drover.path("samples").path(0).path("clones").isInt()).isTrue();
    JsonNode summary = scenario.path("summary").path("drover");
    assertThat(summary.path("reclaimSeconds").path("median").asDouble()).isEqualTo(0.4);
    assertThat(summary.path("peakClones").path("max").asInt()).isEqualTo(6);
  }

  @Test
  void whichBlocksWereReadWhereStandsInEachRunOfASample() throws Exception {
    JsonNode json = json(SampleSources.result(1, Scenario.SAMPLING, Scenario.NONE));

    JsonNode scenario = json.path("scenarios").path(1);
    assertThat(scenario.path("name").asText()).isEqualTo("sampling");
    assertThat(scenario.path("load").asDouble()).isEqualTo(0.8);
    JsonNode drover = scenario.path("runs").path(1);
    assertThat(drover.path("outputComparedWith").asText())
        .isEqualTo("the blocks that the run read");
    JsonNode sample = drover.path("sample");
    assertThat(sample.path("needed").asInt()).isEqualTo(20);
    assertThat(sample.path("total").asInt()).isEqualTo(72);
    assertThat(sample.path("maps").asInt()).isEqualTo(21);
    assertThat(sample.path("local").asInt()).isEqualTo(20);
    assertThat(sample.path("rack").asInt(-1)).isZero();
    assertThat(sample.path("other").asInt(-1)).isZero();
    assertThat(sample.path("longestWaitSeconds").asDouble()).isEqualTo(1.25);
    assertThat(sample.path("outputsChosen").path("busiestLinkSeconds").asDouble())
        .isEqualTo(0.0312);
    assertThat(sample.path("slotsHeld").path("n4").asInt()).isEqualTo(4);
    assertThat(sample.path("hosts")).hasSize(72);
    assertThat(sample.path("reads")).hasSize(21);
    assertThat(sample.path("reads").path(20).path("used").asBoolean(true)).isFalse();
    assertThat(scenario.path("runs").path(0).path("sample").has("outputsChosen")).isFalse();
    JsonNode summary = scenario.path("summary").path("drover");
    assertThat(summary.path("localBlocks").path("median").asDouble()).isEqualTo(20);
    assertThat(summary.path("longestWaitSeconds").path("max").asDouble()).isEqualTo(1.25);

    JsonNode other = json.path("scenarios").path(2);
    assertThat(other.has("load")).isFalse();
    assertThat(other.path("runs").path(0).has("outputComparedWith")).isFalse();
    assertThat(other.path("runs").path(0).has("sample")).isFalse();
  }

  @Test
  void everyJobOfASeriesHasItsFaultWhereTheOtherModesHaveIt() {
    for (PlannedRun run : PlannedRun.of(SampleSources.options(3, Scenario.SMALL_JOBS))) {
      for (PlannedRun other : PlannedRun.of(SampleSources.options(3, Scenario.SMALL_JOBS))) {
        if (run.repeat() == other.repeat()) {
          assertThat(run.spec()).isEqualTo(other.spec());
        }
      }
    }
    assertThat(PlannedRun.of(SampleSources.options(1, Scenario.SMALL_JOBS)))
        .filteredOn(run -> run.mode() == RunMode.OFF)
        .extracting(run -> run.spec().faultTaskName())
        .containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "r0");
  }

  private static JsonNode json(DemoResult result) throws Exception {
    return new ObjectMapper().readTree(DemoJson.of(result));
  }
}
