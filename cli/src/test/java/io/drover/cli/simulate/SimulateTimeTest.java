// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SimulateTimeTest {
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void aRunIsExpectedToTakeWhatItsSchemeTookBefore() {
    SimulateTime time = new SimulateTime(List.of("none", "late", "none", "late"), nanos::get);
    run(time, 3);
    run(time, 5);

    time.begin(100);

    assertThat(time.status().secondsLeft()).isCloseTo(8, within(1e-9));
    assertThat(time.status().secondsDone()).isCloseTo(8, within(1e-9));
    assertThat(time.status().done()).isEqualTo(2);
    assertThat(time.status().now()).isEqualTo("none");
  }

  @Test
  void anUnknownSchemeIsExpectedToTakeItsWeight() {
    SimulateTime time = new SimulateTime(List.of("none", "mantri"), nanos::get);
    run(time, 3);

    time.begin(100);

    assertThat(time.status().secondsLeft()).isCloseTo(12, within(1e-9));
  }

  @Test
  void thePresentRunIsJudgedByTheJobsThatHaveEnded() {
    SimulateTime time = new SimulateTime(List.of("none", "late"), nanos::get);
    time.begin(100);
    pass(2);
    time.ended(25);

    // 2 s for a quarter of the jobs: 6 s more, and 8 s for the next run.
    assertThat(time.status().secondsLeft()).isCloseTo(6 + 8, within(1e-9));
  }

  @Test
  void nothingIsLeftAfterTheLastRun() {
    SimulateTime time = new SimulateTime(List.of("none"), nanos::get);
    time.begin(0);
    pass(4);

    assertThat(time.end()).isEqualTo(4);
    pass(9);
    assertThat(time.status().secondsLeft()).isZero();
    assertThat(time.status().secondsDone()).isEqualTo(4);
  }

  private void run(SimulateTime time, long seconds) {
    time.begin(100);
    pass(seconds);
    time.end();
  }

  private void pass(long seconds) {
    nanos.addAndGet(seconds * 1_000_000_000);
  }
}
