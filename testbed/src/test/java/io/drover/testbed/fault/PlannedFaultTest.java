// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.testbed.fault.ClusterFault.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Test;

class PlannedFaultTest {
  private final Job job = mock(Job.class);
  private final List<String> done = new ArrayList<>();
  private long seconds;
  private boolean canBegin = true;

  private final Damage damage =
      new Damage() {
        @Override
        public Optional<String> begin(Job victim) {
          done.add("begin at " + seconds);
          return canBegin ? Optional.of("n5 is broken") : Optional.empty();
        }

        @Override
        public void end() {
          done.add("end at " + seconds);
        }
      };

  private PlannedFault fault(FaultPlan plan) {
    return new PlannedFault(plan, "n5", damage, () -> TimeUnit.SECONDS.toNanos(seconds));
  }

  private List<Change> look(PlannedFault fault, long now, float maps) throws Exception {
    seconds = now;
    when(job.mapProgress()).thenReturn(maps);
    return fault.look(job);
  }

  @Test
  void beginsSomeTimeAfterItsProgressAndEndsAfterItsLength() throws Exception {
    PlannedFault fault =
        fault(
            FaultPlan.of(FaultKind.CUT_HOST)
                .afterFirstMap(Duration.ofSeconds(5))
                .lasting(Duration.ofSeconds(10)));
    assertThat(look(fault, 0, 0)).isEmpty();
    assertThat(look(fault, 3, 0.01f)).isEmpty();
    assertThat(look(fault, 7, 0.5f)).isEmpty();
    assertThat(look(fault, 8, 0.5f)).containsExactly(new Change("n5", "n5 is broken"));
    assertThat(look(fault, 17, 1)).isEmpty();
    assertThat(look(fault, 18, 1)).containsExactly(new Change("n5", "cut-host on n5 is over"));
    assertThat(look(fault, 40, 1)).isEmpty();
    fault.close();
    assertThat(done).containsExactly("begin at 8", "end at 18");
  }

  @Test
  void whatCannotBeDamagedYetIsTriedAgain() throws Exception {
    PlannedFault fault = fault(FaultPlan.of(FaultKind.LOST_OUTPUTS).atMaps(1));
    canBegin = false;
    assertThat(look(fault, 1, 0.99f)).isEmpty();
    assertThat(done).isEmpty();
    assertThat(look(fault, 2, 1)).isEmpty();
    canBegin = true;
    assertThat(look(fault, 3, 1)).hasSize(1);
    assertThat(done).containsExactly("begin at 2", "begin at 3");
  }

  @Test
  void endsWithTheJobIfItLastsAsLong() throws Exception {
    PlannedFault fault = fault(FaultPlan.of(FaultKind.STARVED_HOST));
    look(fault, 0, 0);
    seconds = 60;
    fault.close();
    fault.close();
    assertThat(done).containsExactly("begin at 0", "end at 60");
  }

  @Test
  void whatHasNotBegunIsNotEnded() throws Exception {
    PlannedFault fault = fault(FaultPlan.of(FaultKind.STARVED_HOST).atMaps(1));
    look(fault, 0, 0.5f);
    fault.close();
    assertThat(done).isEmpty();
  }
}
