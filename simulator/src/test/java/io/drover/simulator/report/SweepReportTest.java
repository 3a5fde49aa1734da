// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.RestartKeys;
import io.drover.simulator.report.SweepSamples.Made;
import io.drover.simulator.report.SweepSamples.SweptSetting;
import org.junit.jupiter.api.Test;

/** Tests the table and the JSON of a sweep. */
class SweepReportTest {
  private static final SweptSetting RHO =
      new SweptSetting(
          RestartKeys.RHO, Made.of("1", 0.3, 0.32, 0.34), Made.of("3", 0.4, 0.41, 0.42));
  private static final SweptSetting TAU =
      new SweptSetting(
          ClusterSettings.MAX_UTILISATION,
          Made.of("0.5", 0.2, 0.2, 0.2),
          Made.of("0.7", 0.4, 0.41, 0.42));

  @Test
  void eachSettingHasARowForEachValueAndItsDefaultIsMarkedOnce() {
    String table = TextReport.of(SweepReport.of(SweepSamples.result(RHO, TAU)));

    assertThat(table)
        .containsPattern("2 jobs of 1,045 tasks on 600\\s+machines")
        .contains("seeds 7 to 9, under drover")
        .containsPattern("(?m)^ +p50 +p75 +in all +mean +small +busy, % +restarts +clones")
        .contains("  rho: mapreduce.drover.restart.rho")
        .containsPattern("(?m)^    1 +32\\.0 +- +0\\.0 +- +0\\.0 +25\\.0")
        .containsPattern("(?m)^    3 \\* +41\\.0")
        .containsPattern("(?m)^    0\\.7 \\* +41\\.0")
        .containsPattern("Figures\\s+are\\s+medians\\s+of\\s+3\\s+repeats");
    assertThat(table.lines().filter(line -> line.matches(" +\\S+ \\* .*"))).hasSize(2);
  }

  @Test
  void eachSettingHasItsSentenceAndWhatMovesMostIsNamed() {
    SimulationReport report = SweepReport.of(SweepSamples.result(RHO, TAU));

    assertThat(TextReport.of(report))
        .contains("  - rho, 3 by default: the best for the median phase")
        .contains("  - tau, 0.7 by default: the best");
    assertThat(report.conclusion())
        .startsWith(
            "The largest changes among the values tried: the median phase by tau (-21.0 points");
    assertThat(report.headline())
        .isEqualTo("No value tried beats any of 2 shipped defaults outright");
  }

  @Test
  void oneObjectHasEachSettingWithItsValuesGainsAndVerdict() throws Exception {
    String text = SweepReport.of(SweepSamples.result(RHO, TAU)).facts().toString();
    JsonNode root = new ObjectMapper().readTree(text);

    assertThat(text).doesNotContain("\n");
    assertThat(root.path("sweep").fieldNames()).toIterable().containsExactly("rho", "tau");
    JsonNode rho = root.path("sweep").path("rho");
    assertThat(rho.fieldNames())
        .toIterable()
        .containsExactly("key", "default", "values", "standing", "beatenBy", "verdict");
    assertThat(rho.path("default").asText()).isEqualTo("3");
    assertThat(rho.path("values")).hasSize(2);
    JsonNode one = rho.path("values").path(0);
    assertThat(one.path("value").asText()).isEqualTo("1");
    assertThat(one.path("default").asBoolean()).isFalse();
    assertThat(one.path("phaseReduction").path("p50").asDouble()).isEqualTo(0.32);
    assertThat(one.path("phaseReduction").path("p75").isNull()).isTrue();
    JsonNode gain = one.path("gain").path("phaseReduction.p50");
    assertThat(gain.path("least").asDouble()).isEqualTo(-0.1);
    assertThat(gain.path("median").asDouble()).isEqualTo(-0.09);
    assertThat(gain.path("greatest").asDouble()).isEqualTo(-0.08);
    assertThat(rho.path("values").path(1).path("default").asBoolean()).isTrue();
    assertThat(rho.path("standing").path("phaseReduction.p50").path("default").asText())
        .isEqualTo("best");
    assertThat(rho.path("beatenBy").isNull()).isTrue();
    assertThat(root.path("scheme").asText()).isEqualTo("drover");
    assertThat(root.path("baseline").asText()).isEqualTo("none");
    assertThat(root.path("seed").asLong()).isEqualTo(7);
    assertThat(root.path("repeat").asInt()).isEqualTo(3);
    assertThat(root.path("provenance")).isNotEmpty();
  }
}
