// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Inputs;
import io.drover.simulator.world.Slowness;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Tests that jobs which need any K of N blocks can be copied and restarted. A byte takes a second,
 * and twenty on a machine without the block. The engine checks that no two tasks read one block.
 */
class SampledCopiesTest {
  private static final Offset<Double> EXACTLY = within(1e-5);

  /** The first attempt of a task takes ten times as long as any other. */
  private static final Slowness SLOW_FIRST =
      SampleWorkloads.slowness((phase, task, attempt, machine) -> attempt == 0 ? 200 : 20);

  /** A hundred machines, each with one slot. Each of the 200 blocks is on one of them. */
  private static final ClusterShape HUNDRED = new ClusterShape(100, 1, 1, 1e9, 1);

  private static final SimulationSettings SETTINGS = SampleWorkloads.settings().with(Inputs.MEMORY);

  /** Binds late, and once acts on each task of a phase five seconds after its beginning. */
  private record Acts(int clones, BiConsumer<TaskRun, Actions> what) implements Scheme {
    @Override
    public String name() {
      return "acts";
    }

    @Override
    public OptionalInt upstreamTasks(PhaseSpec phase) {
      return OptionalInt.of(phase.tasks());
    }

    @Override
    public int copiesFromTheStart(PhaseRun phase) {
      return 1 + clones;
    }

    @Override
    public SampleChoice choose(PhaseRun phase, NetworkEstimate network, double now) {
      return SampleChoice.of(
          phase.tasks().stream().filter(TaskRun::isDone).map(TaskRun::index).toList());
    }

    @Override
    public double firstScan(PhaseRun phase) {
      return 5;
    }

    @Override
    public double scan(PhaseRun phase, Actions actions) {
      List.copyOf(phase.running()).forEach(task -> what.accept(task, actions));
      return 1000;
    }

    @Override
    public boolean hasAntiAffinity() {
      return true;
    }
  }

  private static SchemeOutcome run(int clones, BiConsumer<TaskRun, Actions> what) {
    JobSpec all = SampleWorkloads.maps("job", 0, 10, 10, 10, 10);
    JobSpec any = new JobSpec("job", 0, List.of(all.phases().get(0).ofAny(200)));
    Scheme scheme = new Acts(clones, what);
    return SampleWorkloads.run(
        SampleWorkloads.workload(List.of(any)), HUNDRED, SLOW_FIRST, scheme, SETTINGS);
  }

  private static double seconds(SchemeOutcome outcome) {
    return outcome.jobs().get(0).seconds();
  }

  @Test
  void withoutCopiesItWaitsForTheSlowAttempts() {
    assertThat(seconds(run(0, (task, actions) -> {}))).isEqualTo(100, EXACTLY);
  }

  @Test
  void aCopyReadsAnotherBlockBesideItsSlot() {
    SchemeOutcome outcome = run(0, (task, actions) -> actions.copy(task));
    assertThat(seconds(outcome)).as("5 s, and 10 s beside a block").isEqualTo(15, EXACTLY);
    assertThat(outcome.phases().get(0).tasks()).as("K").isEqualTo(4);
  }

  @Test
  void aRestartReadsAnotherBlockBesideItsSlot() {
    SchemeOutcome outcome = run(0, (task, actions) -> actions.restart(running(task)));
    assertThat(seconds(outcome)).isEqualTo(15, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(4 * 15, EXACTLY);
  }

  @Test
  void aCloneReadsAnotherBlockBesideItsSlot() {
    SchemeOutcome outcome = run(1, (task, actions) -> {});
    assertThat(seconds(outcome)).isEqualTo(10, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(2 * 4 * 10, EXACTLY);
  }

  @Test
  void aCopyBesideARestartKeepsTheBlocksApart() {
    SchemeOutcome outcome =
        run(
            1,
            (task, actions) -> {
              actions.copy(task);
              actions.restart(running(task));
            });
    assertThat(outcome.phases().get(0).tasks()).isEqualTo(4);
    assertThat(seconds(outcome)).isEqualTo(10, EXACTLY);
  }

  private static AttemptRun running(TaskRun task) {
    return task.live().stream().filter(AttemptRun::isRunning).findFirst().orElseThrow();
  }
}
