// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks what Dolly says about clones, as far as few jobs can show it. */
class DollyExperimentsTest {
  private static Map<String, Row> rows;

  @BeforeAll
  static void play() {
    rows = ExperimentsTest.byLabel(new Dolly6(200, 100).run(ExperimentSettings.of(1)));
  }

  private static double ours(String label) {
    return rows.get(label).ours().orElseThrow();
  }

  @Test
  void whatTheTextPrintsStandsBesideTheWayAndTheBaselineItIsOf() {
    for (String world : new String[] {"published, ", "costly, "}) {
      for (String way : new String[] {"dolly", "drover"}) {
        String small = world + way + ": small jobs faster than under ";
        assertThat(rows.get(small + "late").paper()).isEqualTo(OptionalDouble.of(47));
        assertThat(rows.get(small + "mantri").paper()).isEqualTo(OptionalDouble.of(39));
        Row cost = rows.get(world + way + ": utilisation beyond mantri's");
        assertThat(cost.paper()).isEqualTo(OptionalDouble.of(3.3));
        assertThat(cost.unit()).isEqualTo(FigureUnit.POINTS);
      }
    }
    assertThat(rows.get("costly, dolly-job, all cloned: all jobs faster than under mantri").paper())
        .isEqualTo(OptionalDouble.of(26));
    assertThat(rows.get("costly, dolly-job: all jobs faster than under late").paper()).isEmpty();
    assertThat(rows.values()).filteredOn(row -> row.paper().isPresent()).hasSize(17 + 23);
  }

  @Test
  void clonesGainMostWhereOutliersCostMost() {
    for (String way : new String[] {"no outliers", "dolly", "drover"}) {
      String small = way + ": small jobs faster than under late";
      assertThat(ours("costly, " + small)).isGreaterThan(ours("published, " + small) + 10);
    }
  }

  @Test
  void clonesOfTasksGainMoreThanCopiesOfJobs() {
    String small = ": small jobs faster than under late";
    assertThat(ours("costly, dolly" + small)).isGreaterThan(ours("costly, dolly-job" + small));
    assertThat(ours("costly, dolly-job" + small)).isPositive();
  }

  @Test
  void clonesOfAllJobsTakeMoreSlotsThanThoseOfSmallJobs() {
    double timesLate = ours("costly, dolly, all cloned: utilisation over late's");
    assertThat((timesLate - 1) * ours("costly, late: utilisation"))
        .isGreaterThan(ours("costly, dolly: utilisation beyond late's"));
  }
}
