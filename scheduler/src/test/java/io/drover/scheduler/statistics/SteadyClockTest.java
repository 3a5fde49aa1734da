// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private static final double DAY = 86_400;
  private static final Offset<Double> EXACT = within(1e-3);

  private double wall = 1.7e9;
  private long nanos;
  private final SteadyClock clock = new SteadyClock(() -> nanos, () -> wall);

  private void pass(double seconds) {
    nanos += (long) (1e9 * seconds);
    wall += seconds;
  }

  @Test
  void aClockThatIsSetForwardsOrBackwardsChangesNothing() {
    pass(10);
    wall += 365 * DAY;
    assertThat(clock.now()).isCloseTo(1.7e9 + 10, EXACT);
    wall -= 1000 * DAY;
    pass(5);
    assertThat(clock.now()).isCloseTo(1.7e9 + 15, EXACT);
  }

  @Test
  void ofARestartTheTimeBetweenCounts() {
    clock.goOnFrom(1.7e9 - 100, 1.7e9 - 60);
    assertThat(clock.now()).isCloseTo(1.7e9 - 100 + 60, EXACT);
    pass(7);
    assertThat(clock.now()).isCloseTo(1.7e9 - 100 + 67, EXACT);
  }

  @Test
  void aClockThatWasSetBackBetweenLosesNoTime() {
    clock.goOnFrom(1.7e9 + 90 * DAY, 1.7e9 + 90 * DAY);
    assertThat(clock.now()).isCloseTo(1.7e9 + 90 * DAY, EXACT);
    pass(60);
    assertThat(clock.now()).as("and time goes on").isCloseTo(1.7e9 + 90 * DAY + 60, EXACT);
  }

  @Test
  void theWholeGapIsKnown() {
    assertThat(clock.gapSince(1.7e9 - 3 * DAY)).isCloseTo(3 * DAY, EXACT);
    assertThat(clock.gapSince(1.7e9 + DAY)).as("set back, or behind the writer's").isZero();
  }

  @Test
  void aClockThatWasSetForwardsBetweenFadesAnHourAndNoMore() {
    double then = 1.7e9 - 400 * DAY;
    clock.goOnFrom(then, then);
    assertThat(clock.now()).isCloseTo(then + SteadyClock.LONGEST_GAP, EXACT);
    // and the next one, a minute later, a minute
    SteadyClock next = new SteadyClock(() -> nanos, () -> wall);
    double written = clock.now();
    double writtenByTheWall = wall;
    pass(60);
    next.goOnFrom(written, writtenByTheWall);
    assertThat(next.now()).isCloseTo(written + 60, EXACT);
  }
}
