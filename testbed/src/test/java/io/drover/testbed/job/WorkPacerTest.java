// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.testbed.job.PacedTextInputFormat.WorkPacer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkPacerTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private long now = 1000;
  private int sleeps;

  private WorkPacer pace(double unitsPerSecond, long oversleep) {
    return new WorkPacer(
        unitsPerSecond,
        () -> now,
        nanos -> {
          now += nanos + oversleep;
          sleeps++;
        });
  }

  @Test
  void takesAsLongAsTheRateSays() throws InterruptedException {
    WorkPacer pace = pace(100, 0);
    for (int done = 1; done <= 1000; done++) {
      pace.upTo(done);
    }
    assertThat(now - 1000).isEqualTo(TimeUnit.SECONDS.toNanos(10));
  }

  @Test
  void sleepsThatLastTooLongDoNotAddUp() throws InterruptedException {
    WorkPacer pace = pace(1000, 4 * MILLI);
    for (int done = 1; done <= 10_000; done++) {
      pace.upTo(done);
    }
    assertThat((double) (now - 1000)).isCloseTo(10_000d * MILLI, within(15d * MILLI));
  }

  @Test
  void whoWasStoppedDoesNotCatchUp() throws InterruptedException {
    WorkPacer pace = pace(1000, 0);
    for (int done = 1; done <= 10_000; done++) {
      if (done % 1000 == 0) {
        now += 2_000 * MILLI; // ten times, two seconds each
      }
      pace.upTo(done);
    }
    double lost = 10 * 2_000d;
    assertThat((double) (now - 1000)).isCloseTo((10_000 + lost) * MILLI, within(110d * MILLI));
  }

  @Test
  void progressIsLinearInTime() throws InterruptedException {
    WorkPacer pace = pace(1000, MILLI);
    for (int done = 1; done <= 5_000; done++) {
      pace.upTo(done);
      double shouldBe = done * (double) MILLI;
      assertThat((double) (now - 1000)).isCloseTo(shouldBe, within(12d * MILLI));
    }
  }

  @Test
  void waitsShorterThanASleepIsExactAreLeftToGather() throws InterruptedException {
    WorkPacer pace = pace(1000, 0);
    for (int done = 1; done <= 9; done++) {
      pace.upTo(done);
    }
    assertThat(sleeps).isZero();
    pace.upTo(10);
    assertThat(sleeps).isEqualTo(1);
  }

  @Test
  void noRateIsNoLimit() throws InterruptedException {
    pace(0, 0).upTo(Long.MAX_VALUE);
    assertThat(sleeps).isZero();
  }
}
