// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.model.TaskKind;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.workload.Workload;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Identical jobs that have only maps and take a second per byte, for comparisons with closed
 * formulas.
 *
 * @param size the number of jobs
 * @param tasks the tasks of each job
 * @param bytes the bytes of each task, and so its seconds if it is not slow
 * @param together the number of jobs that are submitted at the same time
 * @param gap the seconds from the submission of one such group to that of the next
 */
record GivenJobs(int size, int tasks, long bytes, int together, double gap) implements Workload {
  /** Creates a workload of one job. */
  static GivenJobs one(int tasks, long bytes) {
    return new GivenJobs(1, tasks, bytes, 1, 0);
  }

  @Override
  public String name() {
    return "given";
  }

  @Override
  public Iterator<JobSpec> jobs() {
    long[] sizes = new long[tasks];
    Arrays.fill(sizes, bytes);
    List<PhaseSpec> phases = List.of(new PhaseSpec(TaskKind.MAP, sizes, 1));
    return IntStream.range(0, size)
        .mapToObj(job -> new JobSpec("given-" + job, Math.floorDiv(job, together) * gap, phases))
        .iterator();
  }

  @Override
  public List<String> provenance() {
    return List.of("Jobs: made up, all equal.");
  }
}
