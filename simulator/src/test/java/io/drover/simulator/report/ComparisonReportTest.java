// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.simulator.report.ReplaySamples.Made;
import org.junit.jupiter.api.Test;

class ComparisonReportTest {
  private static final Made HADOOP = new Made("hadoop", 0.1, 0.1);
  private static final Made DROVER = new Made("drover", 0.4, 0.6);
  private static final Made CLAIRVOYANT = new Made("clairvoyant", 0.5, 0.7);

  @Test
  void aRowForEachSchemeWithPerCent() {
    String table = TextReport.of(ReplaySamples.report(HADOOP, DROVER, CLAIRVOYANT));

    assertThat(table)
        .containsPattern("phases shorter, % +slot time less, % +jobs shorter, %")
        .containsPattern("(?m)^ +p25 +p50 +p75 +p90 +p50 +p75 +in all +mean +p50 +small +busy, %")
        .containsPattern("(?m)^  none( +0\\.0){10} +25\\.0 +0\\.0 +0\\.0 +-$")
        .containsPattern("(?m)^  drover( +40\\.0){4}( +0\\.0){3} +41\\.8 +40\\.0 +60\\.0 +25\\.0")
        .containsPattern("2 jobs of 1,045 tasks on 600\\s+machines of 8 slots in 15 racks, seed 7")
        .contains("- Arrivals: real", "- Slowness of attempts: modelled", "- Cluster: modelled");
  }

  @Test
  void repeatsShowTheMedianAndBothEnds() {
    String table = TextReport.of(ReplaySamples.report(3, DROVER));

    assertThat(table)
        .containsPattern("(?m)^  drover( +41\\.0){4}")
        .containsPattern("(?m)^    least( +40\\.0){4}")
        .containsPattern("(?m)^    greatest( +42\\.0){4}")
        .contains("seeds 7 to 9")
        .containsPattern("medians of\\s+3\\s+repeats");
  }

  @Test
  void theVerdictNamesTheFirstTheSecondAndWhatTheClairvoyantLeaves() {
    assertThat(ReplaySamples.report(HADOOP, DROVER, CLAIRVOYANT).conclusion())
        .isEqualTo(
            "drover comes first: it makes the median phase 40.0 % shorter, followed by hadoop with"
                + " 10.0 %; the clairvoyant, which knows every duration, has 50.0 % and leaves"
                + " 10.0 points to win: drover has 80.0 % of its gain.");
  }

  @Test
  void idealsNeverComeFirst() {
    SimulationReport result = ReplaySamples.report(new Made("no-skew", 0.9, 0.9), HADOOP);

    assertThat(result.conclusion())
        .isEqualTo("hadoop comes first: it makes the median phase 10.0 % shorter.");
    assertThat(result.headline()).isEqualTo("Hadoop makes the median phase 10 % shorter");
  }

  @Test
  void aClairvoyantThatIsBehindLeavesNothing() {
    assertThat(ReplaySamples.report(DROVER, new Made("clairvoyant", 0.35, 0.35)).conclusion())
        .endsWith("has 35.0 % and leaves nothing to win.");
  }

  @Test
  void aGainTooSmallToBeWrittenIsNone() {
    SimulationReport result = ReplaySamples.report(new Made("hadoop", 0.0001, -0.3), CLAIRVOYANT);

    assertThat(result.conclusion())
        .startsWith("No scheme makes the median phase shorter; the clairvoyant")
        .endsWith("has 50.0 % and leaves 50.0 points to win.");
    assertThat(result.headline()).startsWith("No scheme");
  }

  @Test
  void aWorkloadWithoutPhasesIsSaidToBeSo() {
    assertThat(TextReport.of(ReplaySamples.empty()))
        .contains("The workload has no phase that takes time");
    assertThat(ReplaySamples.empty().headline()).isEqualTo("Nothing to compare");
  }

  @Test
  void aRoundedNothingHasNoSign() {
    assertThat(Text.points(-0.0001)).isEqualTo("0.0");
    assertThat(Text.points(-0.1234)).isEqualTo("-12.3");
    assertThat(Text.percent(1)).isEqualTo("100.0 %");
    assertThat(Text.count(3000, "machine", "machines")).isEqualTo("3,000 machines");
  }
}
