// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.QuarantineKeys;
import io.drover.core.containment.CircuitBreaker;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.junit.jupiter.api.Test;

class NodeQuarantineTest {
  /** A scheduler whose nodes cannot be read. */
  private static final class Unreadable extends CapacityScheduler {
    @Override
    public ClusterNodeTracker<FiCaSchedulerNode> getNodeTracker() {
      throw new IllegalStateException("never thought of");
    }
  }

  private final AtomicLong nanos = new AtomicLong();
  private final NodeQuarantine quarantine =
      new NodeQuarantine(new Unreadable(), () -> nanos.get() / 1e9, nanos::get);

  private void configure(String mode) throws BadSettingException {
    quarantine.configure(
        ClusterSettings.read(
            List.of(), key -> key.equals(QuarantineKeys.MODE.key()) ? mode : null));
  }

  /** The learning thread calls it twice a second. Between two looks nothing happens. */
  @Test
  void onlyALookIsASuccessOrAFailure() throws BadSettingException {
    configure("on");
    for (int i = 0; i < 10 * CircuitBreaker.FAILURES; i++) {
      quarantine.advance(OptionalDouble.of(0.1), List.of());
      nanos.addAndGet(500_000_000);
    }
    assertThat(quarantine.breaker().failures()).isEqualTo(CircuitBreaker.FAILURES);
    assertThat(quarantine.breaker().isOpen()).isTrue();
    configure("off");
    assertThat(quarantine.breaker().isOpen()).as("an administrator's doing").isFalse();
  }
}
