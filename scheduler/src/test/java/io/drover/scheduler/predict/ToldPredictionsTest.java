// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.scheduler.predict.ToldPredictions.Order;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ToldPredictionsTest {
  private final ApplicationId bad = ApplicationId.newInstance(1, 1);
  private final ApplicationId other = ApplicationId.newInstance(1, 2);
  private long now;

  @Test
  void whatWasToldIsWithdrawnAtOnce() {
    ToldPredictions told = new ToldPredictions(() -> now);
    told.tell(Map.of(bad, new Order("it will fail", 5_000_000_000L)), Map.of(other, 0.25));
    now = 2_000_000_000L;
    assertThat(told.order(bad).orElseThrow().grace()).isEqualTo(Duration.ofSeconds(3));
    assertThat(told.successProbability(other)).hasValue(0.25);
    told.withdraw();
    assertThat(told.order(bad)).isEmpty();
    assertThat(told.successProbability(other)).isEmpty();
  }
}
