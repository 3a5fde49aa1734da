// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.util.Iterator;
import java.util.List;

/**
 * A list of jobs to replay. A workload gives the same jobs every time, so that several schemes can
 * be compared on it.
 */
public interface Workload {
  /** Returns the display name, such as {@code swim:FB-2009_samples_24_times_1hr_0.tsv.gz}. */
  String name();

  /** Returns the number of jobs. */
  int size();

  /**
   * Returns the jobs in the order of their submission. The iterator creates them one at a time
   * because the tasks of a whole day do not fit in memory.
   */
  Iterator<JobSpec> jobs();

  /**
   * Returns sentences for reports that say what is real, what is modelled, and how: one sentence
   * for each part (arrivals, sizes, task counts, durations, racks).
   */
  List<String> provenance();
}
