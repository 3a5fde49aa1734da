// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.simulator.GivenLosses;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.world.Chance;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Slowness;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests copies of whole jobs with results worked out by hand. A byte takes a second. */
class JobCopiesTest {
  private static final Offset<Double> EXACTLY = within(1e-6);
  private static final ClusterShape ROOMY = ClusterShape.of(20, 1, 1);

  /** The job itself is ten times as slow as its copies. Attempts of copy k have the number k. */
  private static final Slowness SLOW_ITSELF =
      SampleWorkloads.slowness((phase, task, attempt, machine) -> attempt == 0 ? 10 : 1);

  /** Runs each job of at most {@code mostTasks} tasks {@code copies} times. */
  private record Copies(int copies, int mostTasks) implements Scheme {
    @Override
    public String name() {
      return "copies";
    }

    @Override
    public int copiesOfWholeJob(JobSpec job) {
      return job.tasks() <= mostTasks ? copies : 1;
    }
  }

  private static SchemeOutcome run(
      ClusterShape shape, Slowness slowness, int copies, JobSpec... jobs) {
    return SampleWorkloads.run(List.of(jobs), shape, slowness, new Copies(copies, 5));
  }

  @Test
  void theFirstCopyThatEndsCountsAndTheOthersLeaveTheirSlots() {
    JobSpec job = SampleWorkloads.mapReduce("a", 0, new long[] {10, 20}, new long[] {30});
    ClusterShape fast = new ClusterShape(20, 1, 1, 1e9, 1);
    SchemeOutcome outcome =
        run(fast, SLOW_ITSELF, 2, job, SampleWorkloads.maps("next", 200, 1, 1, 1, 1, 1, 1));

    JobOutcome first = outcome.jobs().get(0);
    assertThat(outcome.jobs()).hasSize(2);
    assertThat(first.seconds()).isEqualTo(20 + 30, within(1e-3));
    // The copy: 10 + 20 + 30. The job itself: two maps, which run until the copy ends.
    assertThat(first.slotSeconds()).isEqualTo(60 + 2 * 50, within(1e-2));
    assertThat(outcome.slotSeconds()).isEqualTo(60 + 2 * 50 + 6 * 10, within(1e-2));
    PhaseOutcome maps = outcome.phases().get(0);
    assertThat(maps.clones()).isEqualTo(2);
    assertThat(maps.won()).isEqualTo(2);
    assertThat(maps.slotSeconds()).isEqualTo(30 + 2 * 50, within(1e-2));
  }

  @Test
  void aJobThatIsFasterThanItsCopiesEndsAsWithoutThem() {
    Slowness slowCopies =
        SampleWorkloads.slowness((phase, task, attempt, machine) -> attempt == 0 ? 1 : 10);
    SchemeOutcome outcome = run(ROOMY, slowCopies, 3, SampleWorkloads.maps("a", 0, 10, 20));

    assertThat(outcome.jobs().get(0).seconds()).isEqualTo(20, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(30 + 4 * 20, EXACTLY);
    assertThat(outcome.phases().get(0).won()).isZero();
    assertThat(outcome.phases().get(0).clones()).isEqualTo(4);
  }

  /** Seven of ten slots may be in use. A job of 3 tasks gets one copy: 3 + 3 fit, 3 + 6 do not. */
  @Test
  void noMoreCopiesBeginThanThereIsRoomForUnderTheCeiling() {
    SchemeOutcome outcome =
        run(
            ClusterShape.of(10, 1, 1),
            SampleWorkloads.EVEN,
            4,
            SampleWorkloads.maps("a", 0, 10, 10, 10));

    assertThat(outcome.phases().get(0).clones()).isEqualTo(3);
    assertThat(outcome.slotSeconds()).isEqualTo(60, EXACTLY);
  }

  @Test
  void aCopyGivesWayAsAWholeToAJobThatNeedsASlot() {
    // Ten slots: a job of two tasks with a copy from 0 on, and one that takes eight from 5 on.
    long[] eight = new long[8];
    Arrays.fill(eight, 100);
    SchemeOutcome outcome =
        run(
            ClusterShape.of(10, 1, 1),
            SLOW_ITSELF,
            2,
            SampleWorkloads.maps("small", 0, 10, 10),
            SampleWorkloads.maps("large", 5, eight));

    assertThat(outcome.jobs().get(0).seconds()).as("no copy helps it").isEqualTo(100, EXACTLY);
    assertThat(outcome.jobs().get(0).slotSeconds()).isEqualTo(2 * 100 + 2 * 5, EXACTLY);
    assertThat(outcome.jobs().get(1).seconds()).as("it has all at once").isEqualTo(1000, EXACTLY);
  }

  @Test
  void whatACopyLosesToItsMachineItDoesAgain() {
    GivenLosses losses = new GivenLosses();
    for (int machine = 0; machine < 20; machine++) {
      losses.failure(machine, 1, 2);
    }
    SchemeOutcome outcome =
        SampleWorkloads.run(
            List.of(SampleWorkloads.maps("a", 0, 10)),
            ROOMY,
            SLOW_ITSELF,
            losses,
            new Copies(2, 5));

    // Attempts 0 and 1 die at 1. 2 (the job's) and 3 (the copy's) start when slots are back.
    assertThat(outcome.jobs().get(0).seconds()).isEqualTo(2 + 10, EXACTLY);
    assertThat(outcome.rework().died()).isEqualTo(2);
  }

  /** Dolly section 3.1: all of c copies of a job of n tasks meet an outlier: (1 - (1 - p)^n)^c. */
  @Test
  void copiesMeetOutliersAsDollysFormulaSays() {
    int tasks = 5;
    int copies = 2;
    double p = 0.2;
    int count = 20_000;
    long[] bytes = new long[tasks];
    Arrays.fill(bytes, 10);
    JobSpec[] jobs =
        IntStream.range(0, count)
            .mapToObj(i -> SampleWorkloads.maps("j" + i, i * 200.0, bytes))
            .toArray(JobSpec[]::new);
    Slowness slowness =
        SampleWorkloads.slowness(
            (phase, task, attempt, machine) -> chance(phase, task, attempt) < p ? 10 : 1);
    SchemeOutcome outcome = run(ClusterShape.of(50, 1, 1), slowness, copies, jobs);

    double met = outcome.jobs().stream().filter(job -> job.seconds() > 50).count() / (double) count;
    double expected = Math.pow(1 - Math.pow(1 - p, tasks), copies);
    double error = Math.sqrt(expected * (1 - expected) / count);
    assertThat(met).isCloseTo(expected, within(4 * error));
  }

  private static double chance(long phase, int task, int attempt) {
    return Chance.uniform(Chance.mix(phase, task * 64L + attempt));
  }
}
