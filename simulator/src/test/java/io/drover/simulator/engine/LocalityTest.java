// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.model.TaskKind;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.scheme.Schemes.NoSpeculation;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Inputs;
import io.drover.simulator.world.Slowness;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Tests maps whose blocks have a place, with results worked out by hand. A byte takes a second.
 * Each rack has one machine, so that a block's rack is its machine.
 */
class LocalityTest {
  /** Larger than the wait's own allowance for rounding. */
  private static final Offset<Double> EXACTLY = within(1e-5);

  /** A card and a link carry 10 bytes a second. */
  private static final ClusterShape TWO = new ClusterShape(2, 1, 2, 10, 1);

  private static final Inputs ONE_REPLICA = new Inputs(1, 3, 1);

  private static JobSpec maps(String id, double submitted, int rack, long... bytes) {
    int[] racks = new int[bytes.length];
    Arrays.fill(racks, rack);
    return new JobSpec(id, submitted, List.of(new PhaseSpec(TaskKind.MAP, bytes, 1, racks)));
  }

  private static SchemeOutcome run(
      ClusterShape shape, Inputs inputs, Slowness slowness, Scheme scheme, JobSpec... jobs) {
    SimulationSettings settings = SampleWorkloads.settings().with(inputs);
    return SampleWorkloads.run(
        SampleWorkloads.workload(List.of(jobs)), shape, slowness, scheme, settings);
  }

  private static SchemeOutcome run(ClusterShape shape, Inputs inputs, JobSpec... jobs) {
    return run(shape, inputs, SampleWorkloads.EVEN, new NoSpeculation(), jobs);
  }

  private static double seconds(SchemeOutcome outcome, int job) {
    return outcome.jobs().get(job).seconds();
  }

  @Test
  void aJobTakesTheSlotBesideItsBlock() {
    for (int rack = 0; rack < 2; rack++) {
      SchemeOutcome outcome =
          run(TWO, ONE_REPLICA, maps("a", 0, rack, 100), maps("b", 0, 1 - rack, 100));
      assertThat(seconds(outcome, 0)).isEqualTo(100, EXACTLY);
      assertThat(seconds(outcome, 1)).isEqualTo(100, EXACTLY);
    }
  }

  @Test
  void itWaitsForOneUntilTheTimeoutAndThenTakesAny() {
    SchemeOutcome outcome =
        run(TWO, ONE_REPLICA, maps("busy", 0, 0, 100), maps("waits", 10, 0, 10));
    assertThat(seconds(outcome, 1)).isEqualTo(3 + 10, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(110, EXACTLY);
  }

  @Test
  void itDoesNotWaitLongerThanTheSlotIsBusy() {
    SchemeOutcome outcome = run(TWO, ONE_REPLICA, maps("busy", 0, 0, 12), maps("waits", 10, 0, 10));
    assertThat(seconds(outcome, 1)).isEqualTo(2 + 10, EXACTLY);
  }

  @Test
  void withoutATimeoutItTakesAnySlotAtOnce() {
    SchemeOutcome outcome =
        run(
            TWO,
            ONE_REPLICA.withLocalitySeconds(0),
            maps("busy", 0, 0, 100),
            maps("any", 10, 0, 10));
    assertThat(seconds(outcome, 1)).isEqualTo(10, EXACTLY);
  }

  @Test
  void whileItWaitsTheJobsBehindItGetTheSlot() {
    SchemeOutcome outcome =
        run(
            TWO,
            ONE_REPLICA,
            maps("busy", 0, 0, 100),
            maps("waits", 10, 0, 10),
            maps("behind", 11, 1, 20));
    assertThat(seconds(outcome, 2)).isEqualTo(20, EXACTLY);
    assertThat(seconds(outcome, 1)).as("after it").isEqualTo(21 + 10, EXACTLY);
  }

  @Test
  void aMapAwayFromItsBlockIsDoneWhenItHasReadAndWorked() {
    // 100 bytes at 4 bytes a second, oversubscribed 2.5 : 1, take 25 s; the work takes 10 s.
    ClusterShape slow = new ClusterShape(2, 1, 2, 10, 2.5);
    PhaseSpec quick = new PhaseSpec(TaskKind.MAP, new long[] {100}, 0.1, new int[] {0});
    SchemeOutcome outcome =
        run(slow, ONE_REPLICA, maps("busy", 0, 0, 100), new JobSpec("reads", 10, List.of(quick)));
    assertThat(seconds(outcome, 1)).isEqualTo(3 + 25, EXACTLY);
  }

  @Test
  void withinARackABlockIsReadByTheCardAlone() {
    // One rack, whose uplink carries next to nothing. If the blocks of a job are on one machine,
    // the other one reads 100 bytes at 4 a second, while it works for 10 s.
    ClusterShape rack = new ClusterShape(2, 1, 1, 4, 1000);
    PhaseSpec two = new PhaseSpec(TaskKind.MAP, new long[] {100, 100}, 0.1);
    JobSpec[] jobs =
        IntStream.range(0, 20)
            .mapToObj(i -> new JobSpec("job" + i, i * 100.0, List.of(two)))
            .toArray(JobSpec[]::new);
    SchemeOutcome outcome = run(rack, ONE_REPLICA.withLocalitySeconds(0), jobs);
    assertThat(outcome.jobs().stream().map(job -> Math.round(job.seconds() * 1e3)).distinct())
        .containsExactlyInAnyOrder(10_000L, 25_000L);
  }

  @Test
  void whatLiesInMemoryIsWorkedOnTwentyTimesAsFastBesideIt() {
    SchemeOutcome outcome = run(TWO, Inputs.MEMORY, maps("a", 0, 0, 100));
    assertThat(seconds(outcome, 0)).isEqualTo(5, EXACTLY);
    SchemeOutcome elsewhere =
        run(TWO, Inputs.MEMORY, maps("busy", 0, 0, 1000), maps("b", 1, 0, 100));
    assertThat(seconds(elsewhere, 1)).as("elsewhere").isEqualTo(3 + 100, EXACTLY);
  }

  @Test
  void ofTheBlocksOfAMachineTheLargestIsReadFirstWhereASchemeSaysSo() {
    // Both blocks are on the machine with one slot. In between, the job waits for it for 3 s.
    JobSpec job = maps("a", 0, 0, 10, 40);
    Scheme mantri = Schemes.create("mantri", SampleWorkloads.settings()).orElseThrow();
    SchemeOutcome largest = run(TWO, ONE_REPLICA, SampleWorkloads.EVEN, mantri, job);
    SchemeOutcome first = run(TWO, ONE_REPLICA, job);
    assertThat(seconds(largest, 0)).as("40 at once, 10 elsewhere").isEqualTo(40, EXACTLY);
    assertThat(seconds(first, 0)).as("10 at once, 40 elsewhere").isEqualTo(3 + 40, EXACTLY);
  }

  @Test
  void aCopyRunsBesideTheBlockIfItCan() {
    // Elsewhere, it would read for a day. Three slots beside the block are free from 100 on.
    ClusterShape shape = new ClusterShape(2, 4, 2, 0.001, 1);
    Slowness slow =
        SampleWorkloads.slowness(
            (phase, task, attempt, machine) -> task == 0 && attempt == 0 ? 100 : 1);
    JobSpec job = maps("a", 0, 0, 100, 100, 100, 100);
    SchemeOutcome outcome = run(shape, ONE_REPLICA, slow, new CopiesAt150(), job);
    assertThat(seconds(outcome, 0)).isEqualTo(150 + 100, EXACTLY);
    assertThat(outcome.phases().get(0).won()).isEqualTo(1);
  }

  /** Starts one copy of each task that still runs at 150 s. */
  private static final class CopiesAt150 implements Scheme {
    @Override
    public String name() {
      return "copies";
    }

    @Override
    public double firstScan(PhaseRun phase) {
      return 150;
    }

    @Override
    public double scan(PhaseRun phase, Actions actions) {
      List.copyOf(phase.running()).forEach(actions::copy);
      return 1000;
    }
  }
}
