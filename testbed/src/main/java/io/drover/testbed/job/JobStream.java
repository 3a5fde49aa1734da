// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.RunResult.OutputDigest;
import java.time.Duration;
import java.util.List;

/**
 * What the jobs of {@link Scenario#FAILING_JOBS} have come to.
 *
 * @param jobs by submission
 */
public record JobStream(List<StreamedJob> jobs) {
  /** Copies the list. */
  public JobStream {
    jobs = List.copyOf(jobs);
  }

  /** How a job has ended. */
  public enum JobEnd {
    /** It did its work. */
    SUCCEEDED,
    /** It failed by itself. */
    FAILED,
    /** Drover ended it, because it expected it to fail. */
    ENDED,
    /** It was killed by somebody else, or never ended. */
    OTHER
  }

  /**
   * One job.
   *
   * @param program its name, without the number of the job
   * @param fails whether its program always fails
   * @param state its final state and what Hadoop said about it, in Hadoop's words
   * @param submitted since the first job was submitted
   * @param finished likewise
   * @param machineTime how long its containers ran, the AppMaster's included, as the
   *     ResourceManager counts
   * @param output what it wrote
   */
  public record StreamedJob(
      String jobId,
      String program,
      boolean fails,
      JobEnd end,
      String state,
      Duration submitted,
      Duration finished,
      Duration machineTime,
      OutputDigest output) {

    /**
     * Returns whether it ended as its program does, or was ended before it failed.
     *
     * @param right what a job writes that succeeds
     */
    boolean isAsExpected(OutputDigest right) {
      return fails
          ? end == JobEnd.FAILED || end == JobEnd.ENDED
          : end == JobEnd.SUCCEEDED && output.equals(right);
    }
  }

  /** Returns how many jobs there are of programs that fail, or of the others. */
  public long count(boolean fails) {
    return jobs.stream().filter(job -> job.fails() == fails).count();
  }

  /** Returns how many jobs of programs that fail, or of the others, ended in a way. */
  public long count(boolean fails, JobEnd end) {
    return jobs.stream().filter(job -> job.fails() == fails && job.end() == end).count();
  }

  /** Returns how long the containers of jobs ran whose programs fail, or of the others. */
  public Duration machineTime(boolean fails) {
    return jobs.stream()
        .filter(job -> job.fails() == fails)
        .map(StreamedJob::machineTime)
        .reduce(Duration.ZERO, Duration::plus);
  }
}
