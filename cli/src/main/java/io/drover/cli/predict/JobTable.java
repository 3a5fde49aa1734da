// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.evaluate.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Jobs that were read.
 *
 * @param skipped the rows that were left out
 * @param notes what a reader of results must know of where the jobs are from
 */
record JobTable(List<TraceJob> jobs, Skipped skipped, List<String> notes) {
  /** Lets notes be added. */
  JobTable {
    notes = new ArrayList<>(notes);
  }

  /** Returns the same jobs, of which those with other outcomes count as failed. */
  JobTable counting(Set<JobOutcome> failing) {
    List<TraceJob> counted =
        jobs.stream()
            .map(
                job ->
                    new TraceJob(
                        job.arrival(),
                        job.requests(),
                        job.startedAt(),
                        job.endedAt(),
                        job.outcome().map(how -> counted(how, failing))))
            .toList();
    return new JobTable(counted, skipped, notes);
  }

  private static JobOutcome counted(JobOutcome outcome, Set<JobOutcome> failing) {
    if (failing.contains(outcome)) {
      return JobOutcome.FAILED;
    }
    return outcome == JobOutcome.FAILED ? JobOutcome.KILLED : outcome;
  }
}
