// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.channel.ClusterState.EndOrder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** What AppMasters are told of predictions. One thread changes it; any thread may ask. */
final class ToldPredictions {
  private final LongSupplier nanos;
  private volatile Map<ApplicationId, Order> orders = Map.of();
  private volatile Map<ApplicationId, Double> successes = Map.of();

  /** An order to end. */
  record Order(String reason, long dueNanos) {}

  ToldPredictions(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Replaces what is told by the end of a round. The maps must not change any more. */
  void tell(Map<ApplicationId, Order> due, Map<ApplicationId, Double> less) {
    orders = due;
    successes = less;
  }

  /** Withdraws everything, on any thread. */
  void withdraw() {
    tell(Map.of(), Map.of());
  }

  Optional<EndOrder> order(ApplicationId application) {
    Order order = orders.get(application);
    return order == null
        ? Optional.empty()
        : Optional.of(new EndOrder(order.reason, left(order.dueNanos)));
  }

  private Duration left(long dueNanos) {
    return Duration.ofNanos(Math.max(0, dueNanos - nanos.getAsLong()));
  }

  OptionalDouble successProbability(ApplicationId application) {
    Double success = successes.get(application);
    return success == null ? OptionalDouble.empty() : OptionalDouble.of(success);
  }
}
