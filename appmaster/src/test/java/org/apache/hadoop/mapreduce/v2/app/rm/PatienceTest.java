// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static boolean isPatient(long ageMillis) {
    Duration patience = Duration.ofMinutes(1);
    return AntiAffinityRequests.isWithin(patience, System.currentTimeMillis() - ageMillis);
  }

  @Test
  void requestHasPatienceForAWhile() {
    assertThat(isPatient(1000)).isTrue();
    assertThat(isPatient(60_001)).isFalse();
  }

  @Test
  void patienceIsOverWhenTheClockIsSetBack() {
    assertThat(isPatient(-3_600_000)).isFalse();
  }
}
