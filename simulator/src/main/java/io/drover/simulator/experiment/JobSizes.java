// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.result.Comparison;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import java.util.OptionalDouble;

/**
 * Classes of jobs by their number of tasks. Dolly's text prints only the limit of small jobs
 * (section 2.3). The other limits are from KMN, a paper about the same cluster.
 */
enum JobSizes {
  ALL("all jobs", 1, Integer.MAX_VALUE),
  SMALL("small jobs", 1, Comparison.MOST_TASKS_OF_A_SMALL_JOB),
  UP_TO_50("11 to 50 tasks", 11, 50),
  UP_TO_150("51 to 150 tasks", 51, 150),
  LARGER("more than 150 tasks", 151, Integer.MAX_VALUE);

  private final String label;
  private final int least;
  private final int most;

  JobSizes(String label, int least, int most) {
    this.label = label;
    this.least = least;
    this.most = most;
  }

  String label() {
    return label;
  }

  /** Returns whether a job with this number of tasks is in the class. */
  boolean has(int tasks) {
    return tasks >= least && tasks <= most;
  }

  /** Returns the reduction of the mean completion time of the class; empty if it has no jobs. */
  OptionalDouble reduction(SchemeOutcome baseline, SchemeOutcome other) {
    OptionalDouble before = meanSeconds(baseline);
    OptionalDouble after = meanSeconds(other);
    return before.isPresent()
        ? OptionalDouble.of(1 - after.getAsDouble() / before.getAsDouble())
        : OptionalDouble.empty();
  }

  private OptionalDouble meanSeconds(SchemeOutcome outcome) {
    return outcome.jobs().stream()
        .filter(job -> has(job.tasks()))
        .mapToDouble(JobOutcome::seconds)
        .average();
  }
}
