// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.simulator.experiment.BlockPlacements.Sharing;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import java.util.List;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;

/** Checks that the experiments agree with the formulas of the papers. */
class ClosedFormsTest {
  /** Standard errors that a correct share may be off by: once in 16,000, and there are fifty. */
  private static final double SIGMAS = 4;

  private static void assertWithinChance(Row row, int trials) {
    double expected = row.paper().orElseThrow() / 100;
    // If the expected share is next to nothing, one hit more or less is chance, too.
    double error = Math.sqrt(expected * (1 - expected) / trials) + 0.25 / trials;
    assertThat(row.ours().orElseThrow() / 100)
        .as(row.label())
        .isCloseTo(expected, within(SIGMAS * error));
  }

  @Test
  void clonedJobsMeetOutliersAsDollysFormulasSay() {
    int jobs = 1500;
    ExperimentResult result = new DollyProbability(jobs).run(ExperimentSettings.of(5));
    List<Row> met = result.rows().stream().filter(r -> r.label().startsWith("an out")).toList();
    assertThat(met).hasSize(10);
    met.forEach(row -> assertWithinChance(row, jobs));
  }

  @Test
  void coreStartsAsManyClonesAsTheFormulasAskFor() {
    ExperimentResult result = new DollyProbability(100).run(ExperimentSettings.of(5));
    List<Row> counts = result.rows().stream().filter(r -> r.unit() == FigureUnit.COPIES).toList();
    assertThat(counts).hasSize(4).allMatch(row -> row.ours().equals(row.paper()));
    // 1 - (1 - 0.1^2)^10 = 0.096, with 3: 0.010; (1 - 0.9^10)^6 = 0.076, with 7: 0.0498.
    assertThat(counts.get(0).ours()).hasValue(3);
    assertThat(counts.get(1).ours()).hasValue(7);
  }

  @Test
  void blocksThatShareNothingAreLocalAsKmnsFormulasSay() {
    int trials = 2000;
    for (Experiment experiment : List.of(new Kmn4(trials), new Kmn5(trials))) {
      List<Row> modelled =
          experiment.run(ExperimentSettings.of(5)).rows().stream()
              .filter(row -> !row.label().endsWith("a slot each"))
              .filter(row -> !row.label().endsWith("by the text"))
              .toList();
      assertThat(modelled).hasSize(12).allSatisfy(row -> assertWithinChance(row, trials));
    }
  }

  @Test
  void blocksThatNeedASlotEachAreLocalLessOften() {
    int trials = 2000;
    var rows = ExperimentsTest.byLabel(new Kmn4(trials).run(ExperimentSettings.of(5)));
    String label = "u = 90 %, any 100 of 200";
    double model = rows.get(label).ours().orElseThrow();
    assertThat(rows.get(label + ", a slot each").ours().orElseThrow()).isLessThan(model - 5);
  }

  @Test
  void oneMachineGivesItsSlotsToAsManyBlocks() {
    int trials = 20_000;
    int slots = 4;
    double u = 0.5;
    BlockPlacements one = new BlockPlacements(Sharing.SLOTS, 1, slots, u, 3);
    double expected = 1 - new BinomialDistribution(slots, 1 - u).cumulativeProbability(1);
    double error = Math.sqrt(expected * (1 - expected) / trials);
    assertThat(one.ofAny(2, 10, trials)).isCloseTo(expected, within(SIGMAS * error));
    // Samples are alternatives, so the next one may take the same slots.
    assertThat(one.ofSamples(2, 3, trials)).isCloseTo(expected, within(SIGMAS * error));
    assertThat(one.ofAny(slots + 1, 10, trials)).isZero();
  }

  @Test
  void theTextOfKmnPromisesMoreThanItsFormula() {
    var rows = ExperimentsTest.byLabel(new Kmn5(10).run(ExperimentSettings.of(1)));
    Row row = rows.get("u = 80 %, any of 5 samples of 10, by the text");
    assertThat(row.paper()).hasValue(100);
    double local = Math.pow(1 - Math.pow(0.8, 8), 10);
    assertThat(row.ours().orElseThrow())
        .isCloseTo(100 * (1 - Math.pow(1 - local, 5)), within(1e-9));
  }
}
