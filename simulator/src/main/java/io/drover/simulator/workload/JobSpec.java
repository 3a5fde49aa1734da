// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes one job of a workload.
 *
 * @param id the job's name in the trace
 * @param submitSeconds the time of submission in seconds from the start of the workload, at least 0
 * @param phases at least one, in order; the first has maps, the others have reduces, and each
 *     begins when the one before it has ended
 */
public record JobSpec(String id, double submitSeconds, List<PhaseSpec> phases) {
  /** Checks the ranges above. */
  public JobSpec {
    phases = List.copyOf(phases);
    if (!(submitSeconds >= 0 && submitSeconds < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("job " + id + " is submitted at " + submitSeconds);
    }
    if (phases.isEmpty() || phases.get(0).kind() != TaskKind.MAP) {
      throw new IllegalArgumentException("job " + id + " does not begin with maps");
    }
    if (phases.stream().skip(1).anyMatch(phase -> phase.kind() != TaskKind.REDUCE)) {
      throw new IllegalArgumentException("job " + id + " has maps after its first phase");
    }
    if (phases.stream().skip(1).anyMatch(phase -> phase.blocks() > phase.tasks())) {
      throw new IllegalArgumentException(
          "job " + id + " has more blocks than tasks after its first phase");
    }
  }

  /** Returns whether the job needs only some of its input blocks, and can read any of them. */
  public boolean samples() {
    return phases.get(0).blocks() > phases.get(0).tasks();
  }

  /** Returns the same job, but it needs any K of {@code N = K / ratio} blocks, rounded. */
  JobSpec sampling(double ratio) {
    List<PhaseSpec> sampling = new ArrayList<>(phases);
    PhaseSpec first = phases.get(0);
    long blocks = Math.min(Integer.MAX_VALUE, Math.round(first.tasks() / ratio));
    sampling.set(0, first.ofAny((int) blocks));
    return new JobSpec(id, submitSeconds, sampling);
  }

  /** Returns the number of tasks in all phases. */
  public int tasks() {
    return phases.stream().mapToInt(PhaseSpec::tasks).sum();
  }
}
