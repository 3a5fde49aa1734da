// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.job.Occupancy.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OccupancyTest {
  private static final double TAU = 0.7;

  @Test
  void reclaimIsFromTheCrossingUntilNoCloneIsLeft() {
    Occupancy seen =
        seen(
            at(-1, .66, 6),
            at(0, .66, 6),
            at(5, .75, 4),
            at(5.5, .9, 1),
            at(6, .9, 0),
            at(9, .95, 0));

    assertThat(seen.peakClones()).isEqualTo(6);
    assertThat(seen.crossedAt()).contains(seconds(5));
    assertThat(seen.reclaimedAt()).contains(seconds(6));
    assertThat(seen.reclaimTime()).contains(seconds(1));
  }

  @Test
  void crossingIsThatWhichTheBigJobStaysAbove() {
    // The big job's AppMaster replaces only one clone. Its maps come later
    Occupancy seen =
        seen(at(.3, .708, 6), at(.5, .66, 5), at(5, .8, 5), at(5.2, .8, 0), at(9, .9, 0));

    assertThat(seen.crossedAt()).contains(seconds(5));
    assertThat(seen.reclaimTime()).contains(Duration.ofMillis(200));
  }

  @Test
  void theRoomBetweenAKillAndItsUseIsNoEnd() {
    Occupancy seen =
        seen(at(5, .8, 5), at(5.2, .6, 1), at(5.4, .8, 1), at(5.6, .9, 0), at(9, .9, 0));

    assertThat(seen.crossedAt()).contains(seconds(5));
    assertThat(seen.reclaimTime()).contains(Duration.ofMillis(600));
  }

  @Test
  void whatWasFullBeforeTheBigJobCameIsNotItsDoing() {
    Occupancy seen = seen(at(-9, .8, 2), at(-2, .8, 2), at(1, .5, 0));

    assertThat(seen.crossedAt()).isEmpty();
    assertThat(seen.reclaimedAt()).isEmpty();
    assertThat(seen.reclaimTime()).isEmpty();
  }

  @Test
  void clonesThatStayAreNotReclaimed() {
    Occupancy seen = seen(at(1, .8, 2), at(8, .8, 2), at(9, .6, 0));

    assertThat(seen.crossedAt()).contains(seconds(1));
    assertThat(seen.reclaimTime()).isEmpty();
  }

  @Test
  void withoutClonesNothingIsReclaimed() {
    Occupancy seen = seen(at(1, .8, 0), at(8, .8, 0));

    assertThat(seen.crossedAt()).contains(seconds(1));
    assertThat(seen.reclaimedAt()).isEmpty();
  }

  @Test
  void ofAClusterThatNobodyLookedAtNothingIsKnown() {
    assertThat(seen().peakClones()).isZero();
    assertThat(seen().crossedAt()).isEmpty();
  }

  private static Occupancy seen(Sample... samples) {
    return new Occupancy(TAU, new ArrayList<>(List.of(samples)), List.of(), List.of(), 0, "");
  }

  private static Sample at(double seconds, double utilisation, int clones) {
    return new Sample(seconds(seconds), utilisation, clones, clones / 24.0);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
