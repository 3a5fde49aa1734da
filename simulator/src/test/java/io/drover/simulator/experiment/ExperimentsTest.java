// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.simulator.engine.StepProgress;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExperimentsTest {
  /** All experiments, with smaller sizes. */
  private static final List<Experiment> SMALL =
      List.of(
          new MantriTable3(2),
          new Mantri16(40, 20),
          new Mantri19(40, 80),
          new Mantri20(40, 80),
          new Mantri21(40, 20),
          new DollyProbability(20),
          new Dolly6(40, 20),
          new Kmn4(20),
          new Kmn5(20),
          new Kmn6(2),
          new Kmn8(60, 20),
          new Kmn9(150, 200),
          new Kmn15(40, 20),
          new Kmn22(150, 200));

  /** The run of each experiment with seed 1, which several tests examine. */
  private static final Map<Experiment, Run> RUNS = new HashMap<>();

  private record Run(ExperimentResult result, List<String> steps) {}

  private static Run run(Experiment experiment) {
    return RUNS.computeIfAbsent(
        experiment,
        key -> {
          RecordedSteps notes = new RecordedSteps();
          return new Run(key.run(new ExperimentSettings(1, notes)), notes.ended);
        });
  }

  static List<Named<Experiment>> small() {
    return SMALL.stream().map(experiment -> Named.of(experiment.name(), experiment)).toList();
  }

  /** Records the steps. */
  private static final class RecordedSteps implements StepProgress {
    private final List<String> ended = new ArrayList<>();
    private int begun;
    private int parts;
    private int done;

    @Override
    public void begin(int count) {
      begun++;
      parts = count;
      done = 0;
    }

    @Override
    public void ended(int count) {
      assertThat(count).isGreaterThan(done).isLessThanOrEqualTo(parts);
      done = count;
    }

    @Override
    public void end(String step) {
      ended.add(step);
      assertThat(begun).isEqualTo(ended.size());
      assertThat(done).isEqualTo(parts);
    }
  }

  @Test
  void eachIsFoundByItsOwnName() {
    assertThat(Experiments.names())
        .containsExactly(
            "mantri-table3",
            "mantri-16",
            "mantri-19",
            "mantri-20",
            "mantri-21",
            "dolly-probability",
            "dolly-6",
            "kmn-4",
            "kmn-5",
            "kmn-6",
            "kmn-8",
            "kmn-9",
            "kmn-15",
            "kmn-22")
        .isEqualTo(SMALL.stream().map(Experiment::name).toList());
    for (Experiment experiment : Experiments.all()) {
      assertThat(Experiments.of(experiment.name())).containsSame(experiment);
      assertThat(experiment.source()).matches(".*(section|appendix) .*(figure|table) \\d+");
    }
    assertThat(Experiments.of("mantri-99")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("small")
  void eachTellsOfAllItsStepsInTheirOrder(Experiment experiment) {
    assertThat(run(experiment).steps()).isEqualTo(experiment.steps());
  }

  @ParameterizedTest
  @MethodSource("small")
  void theSameSeedGivesTheSameResultAndAnotherSeedAnother(Experiment experiment) {
    ExperimentResult result = run(experiment).result();
    assertThat(experiment.run(ExperimentSettings.of(1))).isEqualTo(result);
    assertThat(experiment.run(ExperimentSettings.of(2)).rows()).isNotEqualTo(result.rows());
  }

  @ParameterizedTest
  @MethodSource("small")
  void eachRowHasALabelOfItsOwnAndEachResultSaysWhyAndWhatIsReal(Experiment experiment) {
    ExperimentResult result = run(experiment).result();
    assertThat(result.rows()).extracting(Row::label).doesNotHaveDuplicates();
    assertThat(result.rows()).anyMatch(row -> row.paper().isPresent());
    assertThat(result.why()).isNotEmpty().allMatch(sentence -> sentence.endsWith("."));
    assertThat(result.provenance()).isNotEmpty().allMatch(sentence -> sentence.endsWith("."));
  }

  /** Returns the rows of a result by their labels. */
  static Map<String, Row> byLabel(ExperimentResult result) {
    return result.rows().stream().collect(Collectors.toMap(Row::label, Function.identity()));
  }
}
