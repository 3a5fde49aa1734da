// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks that the jobs of one user change links for that user only. */
class UserLinksTest {
  private final RackBandwidths racks =
      new RackBandwidths(rack -> true, user -> user.equals("trusted"));
  private int jobs;

  /** Reports one job of a user for each bandwidth, one after another. */
  private void say(String user, double... bandwidths) {
    for (double bandwidth : bandwidths) {
      jobs++;
      racks.tellUp(user, "job" + jobs, "/a", jobs, bandwidth);
      racks.tellDown(user, "job" + jobs, "/a", jobs, bandwidth);
    }
  }

  @Test
  void whereAllJobsAreOneUsersThatUserAloneIsTold() {
    say("hive", 10, 90, 30, 20, 25);
    assertThat(racks.up("/a", jobs)).isEmpty();
    assertThat(racks.ownUp("/a", jobs)).containsExactly(Map.entry("hive", 25.0));
    assertThat(racks.ownDown("/a", jobs)).containsExactly(Map.entry("hive", 25.0));
    assertThat(racks.ownUp("/b", jobs)).isEmpty();
  }

  @Test
  void ofTwoUsersNobodyKnowsWhichIsRight() {
    say("alice", 10, 11, 12);
    say("mallory", 1e9, 1e9, 1e9, 1e9);
    assertThat(racks.up("/a", jobs)).isEmpty();
    assertThat(racks.ownUp("/a", jobs)).containsEntry("alice", 11.0).containsEntry("mallory", 1e9);
  }

  @Test
  void threeUsersAreEnoughForEverybody() {
    say("alice", 10);
    say("bob", 12);
    say("carol", 11);
    assertThat(racks.up("/a", jobs)).hasValue(11);
    assertThat(racks.ownUp("/a", jobs)).as("all are told the same").isEmpty();
  }

  @Test
  void aTrustedUserIsEnoughForEverybody() {
    say("mallory", 1e9, 1e9, 1e9, 1e9, 1e9);
    say("trusted", 10);
    assertThat(racks.up("/a", jobs)).isEmpty();
    say("trusted", 11);
    assertThat(racks.up("/a", jobs)).hasValue(11);
    say("trusted", 12);
    assertThat(racks.up("/a", jobs)).hasValue(12);
  }

  @Test
  void howeverManyJobsAUserHasTheLinkMovesNoFurtherThanToItsNeighbour() {
    Random random = new Random(20261126);
    for (int life = 0; life < 500; life++) {
      RackBandwidths lied = new RackBandwidths(rack -> true, user -> false);
      double lie = random.nextBoolean() ? 1e-9 : 9e14;
      for (int job = 0; job < 30; job++) {
        boolean lies = random.nextInt(3) > 0;
        double bandwidth = lies ? lie : 90 + random.nextInt(21);
        String user = lies ? "mallory" : "user" + random.nextInt(4);
        lied.tellUp(user, "job" + job, "/a", job, bandwidth);
        lied.up("/a", job).ifPresent(up -> assertThat(up).isBetween(90.0, 110.0));
        assertThat(lied.snapshot(job).up().get("/a")).hasSizeLessThanOrEqualTo(15);
      }
    }
  }

  @Test
  void whoSaysMuchPushesOutNobodyElse() {
    say("alice", 10, 10);
    say("bob", 12, 12);
    say("carol", 11);
    for (int job = 0; job < 100; job++) {
      say("mallory", 1e9);
    }
    assertThat(racks.up("/a", jobs)).hasValue(12);
    assertThat(racks.snapshot(jobs).up().get("/a")).hasSize(15);
  }

  @Test
  void aSnapshotOfAnOlderVersionIsThatOfOneUser() {
    List<RackBandwidths.Measurement> words = new ArrayList<>();
    for (int job = 0; job < 15; job++) {
      words.add(new RackBandwidths.Measurement(null, "old" + job, 0, 1e9));
    }
    racks.restore(new RackBandwidths.Snapshot(1, Map.of("/a", words), Map.of()));
    assertThat(racks.up("/a", 1)).isEmpty();
    say("alice", 10);
    assertThat(racks.up("/a", 1)).isEmpty();
    say("bob", 12);
    assertThat(racks.up("/a", 1)).hasValue(12);
  }
}
