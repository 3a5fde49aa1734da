// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.model.TaskKind;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.scheme.Schemes.NoSpeculation;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.ClusterShape;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests how fast reduces fetch relative to one another, with results worked out by hand. */
class ThroughputsTest {
  /** Racks of one machine. A card carries 10 bytes a second, a link 2.5. */
  private static final ClusterShape TWO = new ClusterShape(2, 3, 2, 10, 4);

  private static List<PhaseOutcome> phases(long[] bytes, int... racks) {
    PhaseSpec maps = new PhaseSpec(TaskKind.MAP, new long[] {10, 10}, 1, new int[] {1, 1});
    PhaseSpec reduces = new PhaseSpec(TaskKind.REDUCE, bytes, 1, racks);
    JobSpec job = new JobSpec("job", 0, List.of(maps, reduces));
    return SampleWorkloads.run(List.of(job), TWO, SampleWorkloads.EVEN, new NoSpeculation())
        .phases();
  }

  @Test
  void theMedianIsComparedWithTheSlowest() {
    // Two reduces run where the maps are, at 10 bytes a second, and one elsewhere, at 2.5.
    List<PhaseOutcome> phases = phases(new long[] {20, 20, 40}, 0, 1, 1);
    assertThat(phases.get(1).throughputSpread()).isEqualTo(OptionalDouble.of(10 / 2.5));
  }

  @Test
  void theMedianOfTwoLiesBetweenThem() {
    List<PhaseOutcome> phases = phases(new long[] {20, 20}, 0, 1);
    assertThat(phases.get(1).throughputSpread()).isEqualTo(OptionalDouble.of((10 + 2.5) / 2 / 2.5));
  }

  @Test
  void whoFetchesNothingIsNotCompared() {
    List<PhaseOutcome> phases = phases(new long[] {20, 0}, 0, 1);
    assertThat(phases)
        .extracting(PhaseOutcome::throughputSpread)
        .containsOnly(OptionalDouble.empty());
  }
}
