// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.simulator.report.ReplaySamples.Made;
import org.junit.jupiter.api.Test;

class ComparisonFactsTest {
  private static final Made DROVER = new Made("drover", 0.4, 0.6);

  @Test
  void aSchemeHasThePromisedKeysAndNoOthers() throws Exception {
    JsonNode scheme = json(ReplaySamples.report(DROVER)).path("schemes").path("drover");

    assertThat(scheme.fieldNames())
        .toIterable()
        .containsExactly(
            "phaseReduction",
            "resourceReduction",
            "jobReduction",
            "utilisation",
            "restartsPerTask",
            "restartSuccess",
            "clonesPerTask",
            "recomputationsPerTask",
            "seconds");
    assertThat(scheme.path("phaseReduction").fieldNames())
        .toIterable()
        .containsExactly("p25", "p50", "p75", "p90");
    assertThat(scheme.path("resourceReduction").fieldNames())
        .toIterable()
        .containsExactly("p25", "p50", "p75", "p90", "total");
    assertThat(scheme.path("jobReduction").fieldNames())
        .toIterable()
        .containsExactly("mean", "small", "p50");
  }

  @Test
  void reductionsAreFractions() throws Exception {
    JsonNode root = json(ReplaySamples.report(DROVER));
    JsonNode scheme = root.path("schemes").path("drover");

    assertThat(scheme.path("phaseReduction").path("p50").asDouble()).isEqualTo(0.4);
    assertThat(scheme.path("jobReduction").path("mean").asDouble()).isEqualTo(0.418182); // 46 / 110
    assertThat(scheme.path("jobReduction").path("small").asDouble()).isEqualTo(0.6);
    assertThat(scheme.path("restartsPerTask").asDouble()).isEqualTo(0.061244); // 64 / 1045
    assertThat(scheme.path("restartSuccess").asDouble()).isEqualTo(0.333333);
    assertThat(scheme.path("seconds").asDouble()).isEqualTo(2);
    assertThat(root.path("baseline").asText()).isEqualTo("none");
    assertThat(root.path("seed").asLong()).isEqualTo(7);
    assertThat(root.path("provenance").path(0).asText()).startsWith("Arrivals: real");
    assertThat(root.path("tasks").asLong()).isEqualTo(1045);
    assertThat(root.has("runs")).isFalse();
  }

  @Test
  void whatIsNotKnownIsNull() throws Exception {
    JsonNode none = json(ReplaySamples.report(DROVER)).path("schemes").path("none");
    JsonNode empty = json(ReplaySamples.empty()).path("schemes").path("drover");

    assertThat(none.path("restartSuccess").isNull()).isTrue();
    assertThat(none.path("phaseReduction").path("p50").asDouble()).isZero();
    assertThat(empty.path("phaseReduction").path("p50").isNull()).isTrue();
    assertThat(empty.path("jobReduction").path("small").isNull()).isTrue();
  }

  @Test
  void severalRepeatsGiveTheirMedianAndEachOfThem() throws Exception {
    JsonNode root = json(ReplaySamples.report(3, DROVER));

    JsonNode median = root.path("schemes").path("drover").path("phaseReduction").path("p50");
    assertThat(median.asDouble()).isEqualTo(0.41);
    assertThat(root.path("repeat").asInt()).isEqualTo(3);
    assertThat(root.path("runs")).hasSize(3);
    JsonNode last = root.path("runs").path(2);
    assertThat(last.path("seed").asLong()).isEqualTo(9);
    assertThat(last.path("schemes").path("drover").path("phaseReduction").path("p50").asDouble())
        .isEqualTo(0.42);
  }

  private static JsonNode json(SimulationReport report) throws Exception {
    String text = report.facts().toString();
    assertThat(text).doesNotContain("\n");
    return new ObjectMapper().readTree(text);
  }
}
