// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.job.Occupancy;
import io.drover.testbed.job.Occupancy.Sample;
import io.drover.testbed.job.Occupancy.SmallJob;
import io.drover.testbed.job.RunResult.OutputDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes up the occupancy of a cluster of 24 containers, with five samples a second. */
final class SampleOccupancy {
  private static final double TAU = 0.7;
  private static final int ROOM = 24;
  private static final long PERIOD = 200;

  private SampleOccupancy() {}

  /**
   * Returns the occupancy for two small jobs that start 14 s before the big one.
   *
   * @param cloned whether the small jobs have clones until the big one needs the room
   * @param end how many seconds the big job takes
   */
  static Occupancy of(boolean cloned, double end) {
    List<Sample> samples = new ArrayList<>();
    for (long at = -14_000; at <= Math.round(end * 1000) + 1000; at += PERIOD) {
      int clones = cloned ? clones(at) : 0;
      double used = small(at) + big(at, Math.round(end * 1000)) + clones;
      samples.add(new Sample(Duration.ofMillis(at), used / ROOM, clones, clones / (double) ROOM));
    }
    List<Duration> kills = new ArrayList<>();
    if (cloned) {
      kills.add(Duration.ofMillis(320));
      for (long at : new long[] {5_130, 5_130, 5_130, 5_130, 5_480}) {
        kills.add(Duration.ofMillis(at));
      }
    }
    return new Occupancy(TAU, samples, kills, List.of(job(1), job(2)), 0, "");
  }

  private static SmallJob job(int number) {
    return new SmallJob(
        "job_1767323045000_900" + number,
        "SUCCEEDED",
        true,
        Duration.ofMillis(30_000 + 400L * number),
        new OutputDigest("cc".repeat(32), 10, 100));
  }

  private static int small(long at) {
    return at < -9_000 ? (at < -12_000 ? 0 : 2) : at < 16_000 ? 10 : at < 20_000 ? 4 : 0;
  }

  private static int clones(long at) {
    if (at < -6_000 || at >= 5_600) {
      return 0;
    }
    return at < -5_000 ? 3 : at < 400 ? 6 : at < 5_200 ? 5 : 1;
  }

  private static int big(long at, long end) {
    if (at < 200 || at >= end) {
      return 0;
    }
    return at < 5_200 ? 1 : at < 5_600 ? 8 : at < 19_000 ? 13 : 5;
  }
}
