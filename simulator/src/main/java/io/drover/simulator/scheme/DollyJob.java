// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneSettings;
import io.drover.simulator.workload.JobSpec;

/**
 * Dolly, job-level, by core: a small job runs in c copies,
 *
 * <pre>
 *   c = log eps / log(1 - (1 - p)^n), and at most (tau - U) / n
 * </pre>
 *
 * <p>of which the first to end counts. Source: Dolly sections 2.3 and 3.1. The others are left to
 * LATE, as by {@link Dolly}.
 *
 * <p>Departures: c is {@link CloneSettings#maxCopies} at most; and a copy that has to give way does
 * so as a whole, since what has lost a task hardly ends first. The paper says only that copies give
 * way.
 */
public final class DollyJob extends CloningBesideLate {
  /** With a job's settings. */
  public DollyJob(CloneSettings settings) {
    super(settings);
  }

  @Override
  public String name() {
    return "dolly-job";
  }

  @Override
  public int copiesOfWholeJob(JobSpec job) {
    return cloning().copiesOfWholeJob(job);
  }
}
