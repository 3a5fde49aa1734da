// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneSettings;
import io.drover.simulator.workload.JobSpec;

/**
 * Job-level Dolly, implemented by core. A small job runs in c copies,
 *
 * <pre>
 *   c = log eps / log(1 - (1 - p)^n), and at most (tau - U) / n
 * </pre>
 *
 * <p>and the first copy to end counts. Source: Dolly sections 2.3 and 3.1. Other jobs are left to
 * LATE, as in {@link Dolly}.
 *
 * <p>Departures: c is at most {@link CloneSettings#maxCopies}. A copy that has to give way does so
 * as a whole, because a copy that has lost a task is unlikely to end first. The paper says only
 * that copies give way.
 */
public final class DollyJob extends CloningBesideLate {
  /** Creates the scheme with the settings of cloning. */
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
