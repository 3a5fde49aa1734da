// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class RackBandwidthsTest {
  private static final double DAY = 86_400;

  private final RackBandwidths racks = everyUserTrusted(rack -> rack.startsWith("/"));

  /** Creates bandwidths that trust every user, so that each user's jobs count for everybody. */
  private static RackBandwidths everyUserTrusted(Predicate<String> isRack) {
    return new RackBandwidths(isRack, user -> true);
  }

  private void say(double... bandwidths) {
    for (int job = 0; job < bandwidths.length; job++) {
      racks.tellUp("u", "job" + job, "/a", job, bandwidths[job]);
    }
  }

  @Test
  void linkBearsTheMedianOfWhatJobsSay() {
    say(10, 90, 30, 20, 25);
    assertThat(racks.up("/a", 5)).hasValue(25);
    assertThat(racks.down("/a", 5)).as("nothing was said").isEmpty();
    assertThat(racks.up("/b", 5)).isEmpty();
  }

  @Test
  void fewerThanThreeJobsAreNotEnough() {
    say(10, 20);
    racks.tellUp("u", "job1", "/a", 3, 22);
    assertThat(racks.up("/a", 5)).isEmpty();
  }

  @Test
  void oneJobMovesItNoFurtherThanToItsNeighbour() {
    Random random = new Random(1);
    for (int life = 0; life < 200; life++) {
      RackBandwidths honest = everyUserTrusted(rack -> true);
      RackBandwidths lied = everyUserTrusted(rack -> true);
      int jobs = 3 + random.nextInt(20);
      for (int job = 0; job < jobs; job++) {
        double bandwidth = 90 + random.nextInt(21);
        honest.tellDown("u", "job" + job, "/a", job, bandwidth);
        lied.tellDown("u", "job" + job, "/a", job, bandwidth);
        for (int i = 0; i < 20; i++) {
          lied.tellDown("u", "liar", "/a", job, random.nextBoolean() ? 1e-9 : 9e14);
        }
      }
      assertThat(lied.down("/a", jobs).orElseThrow()).isBetween(90.0, 110.0);
      assertThat(honest.down("/a", jobs).orElseThrow()).isBetween(90.0, 110.0);
    }
  }

  @Test
  void lastWordOfAJobCounts() {
    say(10, 20, 30);
    racks.tellUp("u", "job0", "/a", 4, 40);
    assertThat(racks.up("/a", 5)).hasValue(30);
  }

  @Test
  void lastFifteenJobsCount() {
    double[] said = new double[40];
    for (int i = 0; i < said.length; i++) {
      said[i] = 1 + i;
    }
    say(said);
    assertThat(racks.up("/a", 50)).hasValue(33);
    assertThat(racks.snapshot(50).up().get("/a")).hasSize(15);
  }

  @Test
  void whatIsAWeekOldIsForgotten() {
    say(10, 20, 30);
    assertThat(racks.up("/a", 7 * DAY)).hasValue(20);
    assertThat(racks.up("/a", 7 * DAY + 1)).isEmpty();
    assertThat(racks.snapshot(8 * DAY).up()).isEmpty();
  }

  @Test
  void ofRacksThatAreNoneNothingIsHeard() {
    for (int job = 0; job < 5; job++) {
      racks.tellUp("u", "job" + job, "invented", 0, 10);
    }
    assertThat(racks.up("invented", 0)).isEmpty();
    assertThat(racks.snapshot(0).up()).isEmpty();
  }

  @Test
  void restartChangesNoAnswer() {
    say(10, 90, 30, 20);
    racks.tellDown("u", "job9", "/a", 3, 7);
    RackBandwidths restored = everyUserTrusted(rack -> true);
    restored.restore(racks.snapshot(5));
    assertThat(restored.snapshot(5)).isEqualTo(racks.snapshot(5));
    restored.tellUp("u", "job0", "/a", 6, 40);
    racks.tellUp("u", "job0", "/a", 6, 40);
    assertThat(restored.up("/a", 7)).isEqualTo(racks.up("/a", 7)).isPresent();
  }

  @Test
  void whatWasSaidOutlivesARestartBeforeAnyNodeHasRegistered() {
    say(10, 90, 30);
    racks.tellDown("u", "job9", "/a", 3, 7);
    RackBandwidths restored = everyUserTrusted(rack -> false);
    restored.restore(racks.snapshot(5));
    assertThat(restored.up("/a", 5)).hasValue(30);
    assertThat(restored.snapshot(5)).isEqualTo(racks.snapshot(5));
  }

  @Test
  void theLargestBandwidthIsTaken() {
    for (int job = 0; job < 3; job++) {
      racks.tellUp("u", "job" + job, "/a", 0, RackBandwidths.MAX_BANDWIDTH);
    }
    assertThat(racks.up("/a", 1)).hasValue(1e15);
  }

  @Test
  void whatIsNoBandwidthIsRefused() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1.1e15}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> racks.tellUp("u", "job", "/a", 0, bad))
          .withMessageContaining("a bandwidth must lie between 0 and");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RackBandwidths.Snapshot(9, Map.of(), Map.of("/a", List.of())))
        .withMessageContaining("version must be 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RackBandwidths.Snapshot(1, Map.of(), null))
        .withMessageContaining("down");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RackBandwidths.Snapshot(1, Collections.singletonMap("/a", null), Map.of()))
        .withMessageContaining("up");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RackBandwidths.Measurement("u", null, 0, 1));
  }
}
