// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.PlacementSettings;
import io.drover.core.model.TaskKind;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Slowness;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests where each estimate of bandwidths places reduces on the same links. */
class IdealReduceTest {
  private static final PlacementSettings PLACEMENT =
      SimulationSettings.defaults(1).job().placement();

  /** Racks of one machine. A card and a link carry 10 bytes a second. */
  private static final ClusterShape THREE = new ClusterShape(3, 2, 3, 10, 1);

  /** Attempts in rack 0 end last. */
  private static final Slowness SLOW_RACK_0 =
      SampleWorkloads.slowness((phase, task, attempt, machine) -> machine == 0 ? 100 : 1);

  /** Links of 10 bytes a second into racks. Rack 0 has no free slots. */
  private record Links(int[] flows, double[] bytes) implements NetworkEstimate {
    @Override
    public int racks() {
      return flows.length;
    }

    @Override
    public double up(int rack) {
      return 1000;
    }

    @Override
    public double down(int rack) {
      return 10;
    }

    @Override
    public int flowsUp(int rack) {
      return 0;
    }

    @Override
    public int flowsDown(int rack) {
      return flows[rack];
    }

    @Override
    public double bytesUp(int rack) {
      return 0;
    }

    @Override
    public double bytesDown(int rack) {
      return bytes[rack];
    }

    @Override
    public int freeSlots(int rack) {
      return rack == 0 ? 0 : 4;
    }

    @Override
    public int slots(int rack) {
      return 4;
    }
  }

  /** More flows go into rack 2, and they have next to nothing left to carry. */
  private static final Links SOON_IDLE = new Links(new int[] {0, 1, 2}, new double[] {0, 1000, 2});

  /** The same with racks 1 and 2 swapped. */
  private static final Links SOON_IDLE_IS_ONE =
      new Links(new int[] {0, 2, 1}, new double[] {0, 2, 1000});

  /** Asks a scheme for racks on given links, and records the attempt that started last. */
  private static final class Probe implements Scheme {
    private final Scheme asked;
    private final Links first;
    private final Links later;
    private int[] placed;
    private AttemptRun youngest;

    Probe(Scheme asked, Links first, Links later) {
      this.asked = asked;
      this.first = first;
      this.later = later;
    }

    @Override
    public String name() {
      return "probe";
    }

    @Override
    public Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
      placed = asked.racks(phase, first).orElseThrow();
      return Optional.of(placed);
    }

    @Override
    public double firstScan(PhaseRun phase) {
      return asked.firstScan(phase);
    }

    @Override
    public double scan(PhaseRun phase, Actions actions) {
      Object onLaterLinks =
          Proxy.newProxyInstance(
              Actions.class.getClassLoader(),
              new Class<?>[] {Actions.class},
              (self, method, arguments) ->
                  method.getName().equals("network") ? later : method.invoke(actions, arguments));
      return asked.scan(phase, (Actions) onLaterLinks);
    }

    @Override
    public void ended(AttemptRun attempt) {
      if (youngest == null || attempt.launchedAt() >= youngest.launchedAt()) {
        youngest = attempt;
      }
    }
  }

  private static Probe run(Scheme scheme, Links first, Links later, int reduces) {
    long[] bytes = new long[reduces];
    Arrays.fill(bytes, 100);
    PhaseSpec maps = new PhaseSpec(TaskKind.MAP, new long[] {100}, 1, new int[] {0});
    JobSpec job = new JobSpec("job", 0, List.of(maps, new PhaseSpec(TaskKind.REDUCE, bytes, 1)));
    Probe probe = new Probe(scheme, first, later);
    SampleWorkloads.run(List.of(job), THREE, SLOW_RACK_0, probe);
    return probe;
  }

  private static int rack(Scheme scheme) {
    return run(scheme, SOON_IDLE, SOON_IDLE, 1).placed[0];
  }

  @Test
  void theIdealKnowsWhichLinkIsSoonIdle() {
    assertThat(rack(new IdealReduce(PLACEMENT))).isEqualTo(2);
    assertThat(rack(new PlaceOnly(PLACEMENT, Bandwidths.START))).as("by flows alone").isEqualTo(1);
    assertThat(rack(new PlaceOnly(PLACEMENT, Bandwidths.HYBRID))).as("20 s are short").isEqualTo(1);
  }

  @Test
  void thoseWhoTakeLinksForAlikeDoNotMindWhoElseUsesThem() {
    Scheme equal = new PlaceOnly(PLACEMENT, Bandwidths.EQUAL);
    assertThat(run(equal, SOON_IDLE, SOON_IDLE, 1).placed)
        .isEqualTo(run(equal, SOON_IDLE_IS_ONE, SOON_IDLE_IS_ONE, 1).placed);
  }

  @Test
  void theIdealPlacesAnewWhatHasNotBegun() {
    // Six slots: one of seven reduces waits until those in racks 1 and 2 have ended at once.
    Scheme ideal = new IdealReduce(PLACEMENT);
    assertThat(run(ideal, SOON_IDLE, SOON_IDLE, 7).youngest.rack()).isEqualTo(2);
    assertThat(run(ideal, SOON_IDLE, SOON_IDLE_IS_ONE, 7).youngest.rack()).isEqualTo(1);
  }
}
