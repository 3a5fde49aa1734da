// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;

class UnplaceableDemandTest {
  private final UnplaceableDemand stuck = new UnplaceableDemand(2);

  private static PendingDemand waiting(int count) {
    return new PendingDemand(
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1),
        new SchedulerRequestKey(Priority.newInstance(20), 0, null),
        Resource.newInstance(1024, 1),
        count,
        Map.of(),
        true,
        List.of());
  }

  private boolean round(int count) {
    return stuck.coverAll(List.of(waiting(count)), Set.of());
  }

  @Test
  void nothingThatWaitsIsNothingInTheWay() {
    assertThat(stuck.coverAll(List.of(), Set.of())).isTrue();
  }

  @Test
  void whatWaitsUnchangedIsStuckAfterItsPatience() {
    assertThat(round(3)).isFalse();
    assertThat(round(3)).isFalse();
    assertThat(round(3)).isTrue();
    assertThat(round(2)).as("it moves").isFalse();
  }

  @Test
  void whatClonesHinderIsNotStuck() {
    round(3);
    round(3);
    assertThat(stuck.coverAll(List.of(waiting(3)), Set.of(waiting(3)))).isFalse();
    assertThat(round(3)).isFalse();
  }
}
