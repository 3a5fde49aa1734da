// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;

class RecentAllocationsTest {
  private static final int COUNT = 100;

  private final RecentAllocations lately = new RecentAllocations(3);

  private int counts(long allocated, int ungiven) {
    CloneRequestBook.Ask ask =
        new CloneRequestBook.Ask(
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1),
            new SchedulerRequestKey(Priority.newInstance(110), 0, null),
            7,
            "",
            Resource.newInstance(1024, 1),
            COUNT,
            allocated);
    lately.retain(List.of(ask));
    return lately.counts(ask, ungiven);
  }

  @Test
  void patienceIsTwoSecondsAndAtLeastThreeRounds() {
    assertThat(RecentAllocations.patience(Duration.ofMillis(250))).isEqualTo(8);
    assertThat(RecentAllocations.patience(Duration.ofSeconds(5))).isEqualTo(3);
  }

  @Test
  void anAskCountsForAllOfItUntilItHasStayedHandedOn() {
    assertThat(counts(0, 0)).isEqualTo(COUNT);
    assertThat(counts(0, 20)).isEqualTo(COUNT);
    assertThat(counts(0, 20)).isEqualTo(COUNT);
    assertThat(counts(0, 20)).isZero();
    assertThat(counts(0, 20)).as("handed on behind the others").isZero();
  }

  @Test
  void roundsInWhichNothingCouldBeHandedOnAreNotCounted() {
    counts(0, 20);
    counts(0, 20);
    assertThat(counts(0, 0)).as("ordinary demand waited").isEqualTo(COUNT);
    assertThat(counts(0, 20)).isZero();
  }

  @Test
  void whatIsMetNowAndThenCountsForWhatWasGiven() {
    counts(0, 0);
    counts(1, 20);
    counts(2, 20);
    assertThat(counts(2, 20)).isEqualTo(2);
  }

  @Test
  void whatIsMetAgainCountsForTwiceAsManyEachTime() {
    counts(0, 20);
    counts(0, 20);
    assertThat(counts(0, 20)).isZero();
    assertThat(counts(1, 0)).isEqualTo(2);
    assertThat(counts(3, 0)).isEqualTo(4);
    assertThat(counts(7, 0)).isEqualTo(8);
    assertThat(counts(7, 0)).as("where nothing was handed on").isEqualTo(8);
  }
}
