// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.job.Scenario;
import org.junit.jupiter.api.Test;

class DemoJsonTest {

  @Test
  void everyRunHasTheKeysThatProgramsRelyOn() throws Exception {
    JsonNode json = json(Samples.result(2, Scenario.SLOW_NODE, Scenario.SKEW, Scenario.NONE));

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
        json(Samples.result(Samples.lasting(20, 100, 80.125, 36), 1, Scenario.SLOW_NODE));

    JsonNode runs = json.path("scenarios").path(0).path("runs");
    assertThat(runs).hasSize(4);
    assertThat(runs.path(2).path("mode").asText()).isEqualTo("stock");
    assertThat(runs.path(2).path("jobSeconds").asDouble()).isEqualTo(80.125);
    JsonNode drover = json.path("scenarios").path(0).path("summary").path("drover");
    assertThat(drover.path("recovered").path("median").asDouble()).isEqualTo(0.8);
  }

  @Test
  void whatIsNotKnownIsLeftOut() throws Exception {
    JsonNode json = json(Samples.result(1, Scenario.SKEW));

    JsonNode summary = json.path("scenarios").path(0).path("summary");
    assertThat(summary.path("drover").has("recovered")).isFalse();
    assertThat(summary.has("clean")).isFalse();
    assertThat(json.path("good").asBoolean()).isTrue();
  }

  private static JsonNode json(DemoResult result) throws Exception {
    return new ObjectMapper().readTree(DemoJson.of(result));
  }
}
