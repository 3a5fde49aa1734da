// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.simulator.result.Spread;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScenarioResultTest {

  @Test
  void recoveredIsTheShareOfTheFaultsCost() {
    assertThat(ScenarioResult.share(100, 40, 20)).contains(0.75);
    assertThat(ScenarioResult.share(100, 20, 20)).contains(1.0);
    assertThat(ScenarioResult.share(100, 100, 20)).contains(0.0);
  }

  @Test
  void whatMakesThingsWorseRecoversLessThanNothing() {
    assertThat(ScenarioResult.share(100, 120, 20)).contains(-0.25);
  }

  @Test
  void ofAFaultThatCostNextToNothingNothingIsRecovered() {
    assertThat(ScenarioResult.share(20.5, 20, 20)).isEmpty();
    assertThat(ScenarioResult.share(18, 20, 20)).isEmpty();
  }

  @Test
  void sharesAreTakenWithinARepeatAndTheirMedianCounts() {
    // clean, off, stock, drover; three times
    RunSource runs = SampleSources.lasting(20, 100, 80, 36, 20, 120, 100, 40, 30, 110, 110, 38);
    ScenarioResult result = SampleSources.result(runs, 3, Scenario.SLOW_NODE).scenarios().get(0);

    assertThat(result.recovered(RunMode.DROVER)).contains(new Spread(0.8, 0.8, 0.9));
    assertThat(result.recovered(RunMode.STOCK).orElseThrow().median()).isCloseTo(0.2, within(1e-9));
    assertThat(result.cost()).contains(new Spread(80, 80, 100));
    assertThat(result.jobSeconds(RunMode.DROVER)).contains(new Spread(36, 38, 40));
  }

  @Test
  void failedJobsCountInNoFigure() {
    ScenarioResult result =
        SampleSources.result(
                SampleSources.failing(Optional.of(HostKind.LOOPBACK), null, Optional.empty()),
                1,
                Scenario.SLOW_NODE)
            .scenarios()
            .get(0);

    assertThat(result.jobSeconds(RunMode.STOCK)).isEmpty();
    assertThat(result.recovered(RunMode.STOCK)).isEmpty();
    assertThat(result.recovered(RunMode.DROVER)).isPresent();
    assertThat(result.isGood()).isFalse();
  }

  @Test
  void cleanRunsAreSharedByFaultsWithTheSameInput() {
    DemoResult result =
        SampleSources.result(
            2, Scenario.SLOW_NODE, Scenario.SKEW, Scenario.NONE, Scenario.STALL_90);

    assertThat(result.scenarios().get(0).of(RunMode.CLEAN)).hasSize(2);
    assertThat(result.scenarios().get(3).of(RunMode.CLEAN))
        .isEqualTo(result.scenarios().get(0).of(RunMode.CLEAN));
    assertThat(result.scenarios().get(1).modes())
        .containsExactly(RunMode.OFF, RunMode.STOCK, RunMode.DROVER);
    assertThat(result.scenarios().get(2).modes()).containsExactly(RunMode.STOCK, RunMode.DROVER);
    assertThat(result.isGood()).isTrue();
  }

  @Test
  void theCeilingIsRunOnNewClustersOfWhichDroversHasItsScheduler() {
    List<PlannedRun> plan =
        PlannedRun.of(SampleSources.options(1, Scenario.CEILING, Scenario.NONE));

    assertThat(plan)
        .extracting(PlannedRun::title)
        .containsExactly("ceiling, stock", "ceiling, drover", "none, stock", "none, drover");
    assertThat(plan)
        .extracting(PlannedRun::needsNewCluster)
        .containsExactly(true, true, false, false);
    assertThat(plan)
        .extracting(run -> run.needs().scheduler())
        .containsExactly(false, true, false, false);
  }

  @Test
  void aSampleIsRunAtTwoLoadsAndEachPairHasOneDraw() {
    List<PlannedRun> plan = PlannedRun.of(SampleSources.options(2, Scenario.SAMPLING));

    assertThat(plan)
        .extracting(PlannedRun::title)
        .containsExactly(
            "sampling at 50 %, stock",
            "sampling at 50 %, drover",
            "sampling at 80 %, stock",
            "sampling at 80 %, drover",
            "sampling at 50 %, drover", // the other way round, so that none gains by its place
            "sampling at 50 %, stock",
            "sampling at 80 %, drover",
            "sampling at 80 %, stock");
    assertThat(plan.get(0).spec()).isEqualTo(plan.get(1).spec());
    assertThat(plan).extracting(run -> run.spec().sample().orElseThrow().draw()).contains(1, 2);
  }

  @Test
  void eachLoadHasAResultInWhichOutputsOfOtherSamplesAreNotCompared() {
    RunSource runs =
        SampleSources.differing(Optional.of(HostKind.LOOPBACK), null, Optional.empty());
    List<ScenarioResult> results = SampleSources.result(runs, 2, Scenario.SAMPLING).scenarios();

    assertThat(results)
        .extracting(ScenarioResult::name)
        .containsExactly("sampling at 50 %", "sampling at 80 %");
    assertThat(results).allSatisfy(result -> assertThat(result.runs()).hasSize(4));
    assertThat(results).allMatch(ScenarioResult::isGood);
  }

  @Test
  void whatTheSmallJobsBesideTheBigOneWriteIsComparedToo() {
    RunSource runs = SampleSources.withSmallOutput(RunMode.DROVER, "ff");
    ScenarioResult result = SampleSources.result(runs, 1, Scenario.CEILING).scenarios().get(0);

    assertThat(result.of(RunMode.STOCK).get(0).outputEqual()).isTrue();
    assertThat(result.of(RunMode.DROVER).get(0).outputEqual()).isFalse();
  }
}
