// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import java.util.Map;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class MantriExperimentsTest {
  private static final String[] LINES = {
    "beta 1.1, n 200, s 100", "beta 1.5, n 200, s 100", "beta 1.5, n 100, s 50"
  };

  /** Percentage points: more than four standard errors of 400 phases for any row. */
  private static final Offset<Double> CHANCE = within(2.5);

  @Test
  void restartsShortenAHeavyTailAsMuchAsTheTableSays() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new MantriTable3(400).run(ExperimentSettings.of(7)));
    assertThat(rows).hasSize(12);
    for (String line : LINES) {
      for (String how : new String[] {": the bound", ": core", ": core, early"}) {
        Row row = rows.get(line + how);
        assertThat(row.ours().orElseThrow())
            .as(row.label())
            .isCloseTo(row.paper().orElseThrow(), CHANCE);
      }
    }
    assertThat(rows.get("beta 2.0, n 100, s 50: core").ours().orElseThrow()).isCloseTo(59, CHANCE);
  }

  @Test
  void theMeanOfTheLongestIsKnownInClosedForm() {
    assertThat(MantriTable3.meanLongest(1, 2)).as("E[R]").isCloseTo(2, within(1e-9));
    assertThat(MantriTable3.meanLongest(2, 2)).as("8/3").isCloseTo(8 / 3.0, within(1e-9));
  }

  @Test
  void whatSectionSixPrintsStandsBesideTheSchemeItIsOf() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new Mantri16(40, 20).run(ExperimentSettings.of(1)));
    assertThat(rows).hasSize(7 * 6);
    assertThat(rows.values()).filteredOn(row -> row.paper().isPresent()).hasSize(12);
    assertThat(rows.get("mantri: phases shorter, p50").paper().orElseThrow())
        .isCloseTo(21.1, within(1e-9));
    assertThat(rows.get("hadoop-2010: slot time less, p50").paper().orElseThrow())
        .isCloseTo(-15.9, within(1e-9));
    assertThat(rows.get("mantri: restarts of the average phase").paper())
        .isEqualTo(OptionalDouble.of(0.2));
    assertThat(rows.get("drover: phases shorter, p50").paper()).isEmpty();
    assertThat(rows.get("drover: phases shorter, p50").ours()).isPresent();
  }

  @Test
  void whatProtectionSavesStandsBesideWhatTheTextPrints() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new Mantri21(400, 100).run(ExperimentSettings.of(1)));
    assertThat(rows).hasSize(16);
    assertThat(rows.values()).filteredOn(row -> row.paper().isPresent()).hasSize(12);
    assertThat(rows.get("protect-only: jobs faster, p50").paper()).isEqualTo(OptionalDouble.of(20));
    assertThat(rows.get("pre-computations needed, r = 2").paper()).isEqualTo(OptionalDouble.of(93));
    assertThat(rows.get("recomputations gone, all").ours().orElseThrow()).isBetween(0.0, 100.0);
    assertThat(rows.get("drover beyond drover without losses, hit jobs").paper())
        .isEqualTo(OptionalDouble.of(0));
    assertThat(rows.get("drover beyond drover without losses, all jobs").ours().orElseThrow())
        .isBetween(-5.0, 10.0);
    assertThat(rows.get("more network traffic").ours().orElseThrow()).isLessThan(30);
    assertThat(rows.get("more slot time by pre-computation").ours().orElseThrow()).isLessThan(6);
  }

  @Test
  void placementGainsMoreWhereTheNetworkWeighsMore() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new Mantri19(150, 60).run(ExperimentSettings.of(1)));
    assertThat(rows).hasSize(4 * (4 * 2 + 2 * 2));
    assertThat(rows.get("network-bound, placed, p50").paper().orElseThrow())
        .isCloseTo(60, within(1e-9));
    assertThat(rows.get("network-bound, ideal-reduce, p50").paper().orElseThrow())
        .isCloseTo(38.3, within(0.05));
    assertThat(rows.get("network-bound, start, p50").paper()).isEmpty();
    String p75 = ", placed, p75";
    double usual = rows.get("usual" + p75).ours().orElseThrow();
    assertThat(rows.get("packed, congested" + p75).ours().orElseThrow()).isGreaterThan(usual + 5);
  }

  @Test
  void fetchesDifferMoreWhereTheNetworkWeighs() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new Mantri20(150, 60).run(ExperimentSettings.of(1)));
    assertThat(rows).hasSize(4 * 4);
    Row packed = rows.get("packed, congested, first free slot, p75");
    assertThat(packed.paper()).isEqualTo(OptionalDouble.of(14.33));
    assertThat(packed.unit()).isEqualTo(FigureUnit.TIMES);
    assertThat(packed.ours().orElseThrow())
        .isGreaterThan(rows.get("usual, first free slot, p75").ours().orElseThrow());
    assertThat(rows.get("usual, placed, p50").ours().orElseThrow()).isBetween(1.0, 1.1);
  }
}
