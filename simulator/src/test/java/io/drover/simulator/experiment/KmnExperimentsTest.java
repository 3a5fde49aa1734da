// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks what KMN says about extra tasks, as far as few jobs can show it. */
class KmnExperimentsTest {
  private static double ours(Map<String, Row> rows, String label) {
    return rows.get(label).ours().orElseThrow();
  }

  @Test
  void aFifthMoreTasksHalvesTheSkewOfAThousand() {
    Map<String, Row> rows = ExperimentsTest.byLabel(new Kmn6(20).run(ExperimentSettings.of(1)));
    for (String placement : new String[] {"uniform", "lognormal"}) {
      Row row = rows.get(placement + ", K = 1000, M/K = 1.2: less skew");
      assertThat(row.paper()).hasValue(2);
      assertThat(row.ours().orElseThrow()).isBetween(2.0, 4.0);
      assertThat(row.unit()).isEqualTo(FigureUnit.TIMES);
    }
    assertThat(ours(rows, "uniform, K = 1000, M/K = 1.0: skew")).isGreaterThan(4);
  }

  @Test
  void waitingForMoreExtraTasksCostsMore() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new Kmn8(150, 60).run(ExperimentSettings.of(1)));
    String size = ", 51 to 150 tasks";
    assertThat(ours(rows, "mild, M/K = 1.02" + size))
        .isLessThan(ours(rows, "mild, M/K = 1.10" + size))
        .isPositive();
    assertThat(ours(rows, "mild, M/K = 1.10" + size))
        .isLessThan(ours(rows, "published, M/K = 1.10" + size));
  }

  @Test
  void theBestOutputsAreMovedSoonerThanTheFirst() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new Kmn9(150, 200).run(ExperimentSettings.of(1)));
    assertThat(ours(rows, "published, M/K = 1.10, 11 to 50 tasks")).isPositive();
  }

  @Test
  void blocksBesideFreeSlotsMakeJobsShorter() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new Kmn15(100, 40).run(ExperimentSettings.of(1)));
    String shorter = ": all jobs shorter than in any slot";
    assertThat(ours(rows, "reads only, kmn" + shorter))
        .as("what a map beside its block saves is all that takes time")
        .isGreaterThan(ours(rows, "whole tasks, kmn" + shorter))
        .isGreaterThan(50);
    assertThat(ours(rows, "published outliers, drover" + shorter))
        .as("restarts and clones gain more beside the choice of blocks")
        .isGreaterThan(ours(rows, "published outliers, kmn" + shorter));
  }

  @Test
  void itPaysToWaitWhereTransfersAreLong() {
    Map<String, Row> rows =
        ExperimentsTest.byLabel(new Kmn22(150, 200).run(ExperimentSettings.of(1)));
    String waits = ": jobs that do not wait";
    assertThat(ours(rows, "mild, narrow links" + waits)).isLessThan(ours(rows, "mild" + waits));
  }
}
