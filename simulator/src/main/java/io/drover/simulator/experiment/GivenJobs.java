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
 * Jobs that are all alike, maps alone, in which a byte takes a second: for comparisons with closed
 * forms.
 *
 * @param size how many
 * @param tasks of each
 * @param bytes of each task, and so the seconds that it takes if it is not slow
 * @param together how many are submitted at the same time
 * @param gap seconds from the submission of such a group to that of the next
 */
record GivenJobs(int size, int tasks, long bytes, int together, double gap) implements Workload {
  /** One job alone. */
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
    return List.of("Jobs: made up, all alike.");
  }
}
