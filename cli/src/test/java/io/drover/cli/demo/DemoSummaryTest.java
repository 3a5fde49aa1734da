// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said where runs are missing or have failed: nothing that only they could have shown. */
class DemoSummaryTest {

  private static DemoResult without(RunMode mode, DemoResult result) {
    List<ScenarioResult> left =
        result.scenarios().stream()
            .map(
                all ->
                    new ScenarioResult(
                        all.scenario(),
                        all.series(),
                        all.runs().stream().filter(run -> run.mode() != mode).toList()))
            .toList();
    return new DemoResult(result.options(), result.at(), result.hosts(), left);
  }

  private static String verdict(DemoResult result) {
    return DemoSummary.verdict(result.scenarios().get(0));
  }

  @Test
  void faultThatCostMuchIsNotSaidToCostNothingWithoutDroversRun() {
    DemoResult all =
        SampleSources.result(SampleSources.lasting(20, 92.3, 80, 36), 1, Scenario.SLOW_NODE);
    DemoResult result = without(RunMode.DROVER, all);

    assertThat(verdict(result))
        .isEqualTo(
            "The fault cost 72.3 s. What Drover wins back is unknown: a run to compare with is"
                + " missing.");
    assertThat(DemoSummary.headline(result)).isEqualTo("One slow node cost this job 72 seconds");
  }

  @Test
  void faultThatCostMuchIsNotSaidToCostNothingIfDroversRunFailed() {
    DemoResult result =
        SampleSources.result(SampleSources.withWrongSample(), 1, Scenario.SLOW_NODE);

    assertThat(verdict(result))
        .startsWith("1 job FAILED. The fault cost ")
        .endsWith(" s. What Drover wins back is unknown: a run to compare with is missing.");
  }

  @Test
  void faultThatCostLittleIsSaidToDoSo() {
    DemoResult result =
        SampleSources.result(SampleSources.lasting(20, 20.2, 20, 20), 1, Scenario.SLOW_NODE);

    assertThat(DemoSummary.headline(result))
        .isEqualTo("One slow node cost this job next to nothing");
    assertThat(verdict(without(RunMode.DROVER, result)))
        .isEqualTo("The fault cost next to nothing (0.2 s).");
  }

  @Test
  void ofAFlakyHostTheSameIsSaidOfStockHadoop() {
    DemoResult all =
        SampleSources.result(SampleSources.lasting(20, 60, 50, 40), 1, Scenario.FLAKY_OUTPUTS);

    assertThat(verdict(all))
        .isEqualTo(
            "The fault cost stock Hadoop 40.0 s. Drover won back 50 % of it, and without replicas"
                + " won back 25 %.");
    assertThat(verdict(without(RunMode.DROVER, all)))
        .isEqualTo(
            "The fault cost stock Hadoop 40.0 s. What Drover wins back is unknown: a run to compare"
                + " with is missing.");
    assertThat(verdict(without(RunMode.CLEAN, all)))
        .isEqualTo(
            "What the fault cost stock Hadoop is unknown: a run to compare with is missing.");
  }

  @Test
  void withoutDroversRunNothingIsSaidOfWhatItDid() {
    DemoResult skew = SampleSources.result(1, Scenario.SKEW);
    assertThat(verdict(without(RunMode.DROVER, skew)))
        .endsWith("What Drover did is unknown: a run to compare with is missing.");

    DemoResult placement = SampleSources.result(1, Scenario.PLACEMENT);
    assertThat(verdict(placement)).isEqualTo("Drover chose no racks.");
    assertThat(verdict(without(RunMode.DROVER, placement)))
        .isEqualTo("A run to compare with is missing.");
  }

  @Test
  void withoutOneModeOfASampleNoShareIsMadeUp() {
    DemoResult all = SampleSources.result(1, Scenario.SAMPLING);

    assertThat(DemoSummary.headline(all)).startsWith("On a busy cluster, ");
    assertThat(DemoSummary.headline(without(RunMode.STOCK, all)))
        .isEqualTo("A sample of the input");
  }
}
