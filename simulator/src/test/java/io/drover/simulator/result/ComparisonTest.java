// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.model.TaskKind;
import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import java.util.List;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final Offset<Double> EXACT = within(1e-12);

  /** A long phase of 100 s and a short one of 10 s, in jobs of 40 and of 5 tasks. */
  private static final SchemeOutcome BASE =
      new SchemeOutcome(
          "none",
          List.of(phase(0, 40, 100, 800, 0, 0, 0, 0), phase(1, 5, 10, 40, 0, 0, 0, 0)),
          List.of(job(0, 40, 100), job(1, 5, 10)),
          0.5,
          840);

  @Test
  void phasesCountByTheirLifetimeInTheBaseline() {
    // The long phase is 20 % shorter, the short one 50 %. 100/110 of the weight is at 0.2.
    Comparison comparison = Comparison.of(BASE, other(80, 600, 5, 60));

    assertThat(comparison.phaseTime().at(0.5).getAsDouble()).isEqualTo(0.2, EXACT);
    assertThat(comparison.phaseTime().at(0.9).getAsDouble()).isEqualTo(0.2, EXACT);
    assertThat(comparison.phaseTime().at(0.92).getAsDouble()).isEqualTo(0.5, EXACT);
    assertThat(comparison.phaseTime().mean().getAsDouble())
        .isEqualTo((100 * 0.2 + 10 * 0.5) / 110, EXACT);
  }

  @Test
  void slotSecondsCountByTheSameLifetimesAndInOne() {
    Comparison comparison = Comparison.of(BASE, other(80, 600, 5, 60));

    assertThat(comparison.phaseSlots().at(0.05).getAsDouble()).isEqualTo(-0.5, EXACT);
    assertThat(comparison.phaseSlots().at(0.5).getAsDouble()).isEqualTo(0.25, EXACT);
    assertThat(comparison.slots().getAsDouble()).isEqualTo((840 - 660) / 840.0, EXACT);
  }

  @Test
  void jobsCountAlikeAndSmallOnesApart() {
    Comparison comparison = Comparison.of(BASE, other(80, 600, 5, 60));

    assertThat(comparison.jobTime().mean().getAsDouble()).isEqualTo((0.2 + 0.5) / 2, EXACT);
    assertThat(comparison.jobTime().at(0.5).getAsDouble()).isEqualTo(0.2, EXACT);
    assertThat(comparison.smallJobTime().mean().getAsDouble()).isEqualTo(0.5, EXACT);
  }

  @Test
  void theMeanTimeOfJobsIsReducedByWhatTheLongOnesSave() {
    Comparison comparison = Comparison.of(BASE, other(80, 600, 5, 60));

    assertThat(comparison.meanJobTime().getAsDouble()).isEqualTo((110 - 85) / 110.0, EXACT);
    assertThat(comparison.meanSmallJobTime().getAsDouble()).isEqualTo(0.5, EXACT);
  }

  @Test
  void copiesAndRestartsAreCountedTogetherAndClonesApart() {
    Comparison comparison = Comparison.of(BASE, other(80, 600, 5, 60));

    assertThat(comparison.restartsPerTask()).isEqualTo((4 + 5) / 45.0, EXACT);
    assertThat(comparison.clonesPerTask()).isEqualTo(3 / 45.0, EXACT);
    assertThat(comparison.restartSuccess().getAsDouble()).isEqualTo(6 / 12.0, EXACT);
    assertThat(comparison.utilisation()).isEqualTo(0.4);
    assertThat(comparison.scheme()).isEqualTo("other");
    assertThat(comparison.baseline()).isEqualTo("none");
  }

  @Test
  void theBaselineBesideItselfReducesNothing() {
    Comparison comparison = Comparison.of(BASE, BASE);

    assertThat(comparison.phaseTime().at(0.25)).hasValue(0);
    assertThat(comparison.phaseTime().at(0.9)).hasValue(0);
    assertThat(comparison.slots()).hasValue(0);
    assertThat(comparison.restartSuccess()).isEmpty();
  }

  @Test
  void aReductionIsNegativeWhereThingsGotWorse() {
    assertThat(Comparison.of(BASE, other(150, 800, 10, 40)).phaseTime().at(0.5)).hasValue(-0.5);
  }

  @Test
  void aPhaseThatTookNoTimeCountsForNothing() {
    SchemeOutcome idle =
        new SchemeOutcome(
            "none", List.of(phase(0, 1, 0, 0, 0, 0, 0, 0)), List.of(job(0, 1, 0)), 0, 0);

    Comparison comparison = Comparison.of(idle, idle);

    assertThat(comparison.phaseTime().isEmpty()).isTrue();
    assertThat(comparison.phaseSlots().isEmpty()).isTrue();
    assertThat(comparison.jobTime().isEmpty()).isTrue();
    assertThat(comparison.slots()).isEmpty();
  }

  @Test
  void ofNoPhasesThereIsNoReduction() {
    SchemeOutcome empty = new SchemeOutcome("none", List.of(), List.of(), 0, 0);

    Comparison comparison = Comparison.of(empty, empty);

    assertThat(comparison.phaseTime().at(0.5)).isEmpty();
    assertThat(comparison.smallJobTime().mean()).isEmpty();
    assertThat(comparison.meanJobTime()).isEmpty();
    assertThat(comparison.meanSmallJobTime()).isEmpty();
    assertThat(comparison.restartsPerTask()).isZero();
  }

  @Test
  void outcomesOfDifferentWorkAreNotCompared() {
    SchemeOutcome fewer =
        new SchemeOutcome("x", BASE.phases().subList(0, 1), BASE.jobs().subList(0, 1), 0.5, 800);
    SchemeOutcome larger =
        new SchemeOutcome(
            "x",
            List.of(phase(0, 41, 100, 800, 0, 0, 0, 0), BASE.phases().get(1)),
            BASE.jobs(),
            0.5,
            840);

    assertThatThrownBy(() -> Comparison.of(BASE, fewer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the outcomes of none and x do not have the same jobs and phases");
    assertThatThrownBy(() -> Comparison.of(BASE, larger))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static SchemeOutcome other(
      double longSeconds, double longSlots, double shortSeconds, double shortSlots) {
    return new SchemeOutcome(
        "other",
        List.of(
            phase(0, 40, longSeconds, longSlots, 3, 5, 2, 5),
            phase(1, 5, shortSeconds, shortSlots, 1, 0, 1, 1)),
        List.of(job(0, 40, longSeconds), job(1, 5, shortSeconds)),
        0.4,
        longSlots + shortSlots);
  }

  private static PhaseOutcome phase(
      int job,
      int tasks,
      double seconds,
      double slotSeconds,
      int copies,
      int restarts,
      int clones,
      int won) {
    return new PhaseOutcome(
        job,
        0,
        TaskKind.MAP,
        tasks,
        7,
        7 + seconds,
        slotSeconds,
        copies,
        restarts,
        clones,
        won,
        OptionalDouble.empty());
  }

  private static JobOutcome job(int job, int tasks, double seconds) {
    return new JobOutcome(job, tasks, 7, 7 + seconds, 0);
  }
}
