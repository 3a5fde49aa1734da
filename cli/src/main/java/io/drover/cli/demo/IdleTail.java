// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobProgress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Tells from a job's progress when it has come to its tail: most of its maps are done, and the rest
 * together gets on less than half as fast as a single map at its normal pace. Progress is looked at
 * over a few seconds, since tasks report once a second. Not thread-safe.
 */
final class IdleTail {
  private static final double MOST = 0.75;
  private static final Duration WINDOW = Duration.ofSeconds(4);

  private final double leastGain;
  private final Deque<JobProgress> seen = new ArrayDeque<>();

  /** For a job that has not begun. */
  IdleTail(DemoJobSpec spec) {
    double oneMap = (double) WINDOW.toMillis() / spec.mapTime().toMillis() / spec.maps();
    leastGain = oneMap / 2;
  }

  /** Hears how far the job is, and tells whether this is the tail. */
  boolean isReached(JobProgress job) {
    seen.addLast(job);
    Duration begin = job.elapsed().minus(WINDOW);
    JobProgress before = null; // the last one at the window's begin or earlier
    while (seen.getFirst().elapsed().compareTo(begin) <= 0) {
      before = seen.removeFirst();
    }
    if (before == null) {
      return false;
    }
    seen.addFirst(before);
    return job.maps() >= MOST && job.maps() - before.maps() < leastGain;
  }
}
