// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MisjudgementGuardTest {
  private static final double DAY = 86_400;
  private final MisjudgementGuard guard = new MisjudgementGuard(0.01);

  private void day(int day, int jobs, int misjudged, double weight) {
    for (int i = 0; i < jobs; i++) {
      guard.ended(day * DAY + i, i % (jobs / Math.max(1, misjudged)) == 0 ? weight : 0);
    }
  }

  @Test
  void fewMisjudgedJobsStopNothing() {
    guard.ended(0, 1); // one of one
    guard.ended(0, 1);
    assertThat(guard.isStopped()).isFalse();
    guard.ended(0, 1); // three of three is no chance
    assertThat(guard.isStopped()).isTrue();
  }

  @Test
  void theAllowedShareStopsNothing() {
    for (int day = 0; day < 30; day++) {
      day(day, 1000, 10, 1);
    }
    assertThat(guard.isStopped()).isFalse();
    assertThat(guard.share()).isEqualTo(0.01);
    assertThat(guard.jobs()).isEqualTo(10_000); // of ten days
  }

  @Test
  void twiceTheAllowedShareStopsIt() {
    day(0, 1000, 20, 1);
    assertThat(guard.isStopped()).isTrue();
  }

  @Test
  void fewJobsThatStandForManyProveLess() {
    day(0, 1000, 2, 10); // 2 %, but it is two jobs
    assertThat(guard.share()).isEqualTo(0.02);
    assertThat(guard.isStopped()).isFalse();
    day(1, 1000, 10, 10);
    assertThat(guard.isStopped()).isTrue();
  }

  @Test
  void itGoesOnAfterAGoodDay() {
    day(0, 1000, 50, 1);
    assertThat(guard.isStopped()).isTrue();
    day(1, 200, 0, 0);
    assertThat(guard.isStopped()).isTrue(); // too few jobs to tell
    day(2, 1000, 0, 0);
    assertThat(guard.isStopped()).isFalse();
  }
}
