// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.cluster.Await;
import java.time.Duration;
import org.apache.hadoop.mapreduce.Job;

/**
 * Waits for jobs, but not for ever: a job that hangs has to fail its test, not the whole build.
 * {@link Job#waitForCompletion} has no limit, and goes on after an interrupt.
 */
public final class JobEnd {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private JobEnd() {}

  /**
   * Waits until a submitted job has ended.
   *
   * @return whether it succeeded
   * @throws AssertionError if it runs for ten minutes; it is killed then
   */
  public static boolean succeeds(Job job) throws Exception {
    if (!Await.until(LIMIT, Duration.ofMillis(200), job::isComplete)) {
      job.killJob();
      assertThat(job.getStatus()).as("the job runs after %s", LIMIT).isNull();
    }
    return job.isSuccessful();
  }
}
