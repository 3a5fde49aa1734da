// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.util.Iterator;
import java.util.List;

/**
 * Jobs to be replayed. The same workload gives the same jobs every time, so that several schemes
 * can be compared on it.
 */
public interface Workload {
  /** What people call it, such as {@code swim:FB-2009_samples_24_times_1hr_0.tsv.gz}. */
  String name();

  /** How many jobs there are. */
  int size();

  /**
   * The jobs, in the order of their submission. They are made one at a time, since all tasks of a
   * day do not fit in memory.
   */
  Iterator<JobSpec> jobs();

  /**
   * What of it is real and what is modelled, and by what: sentences for people, one for each part
   * (arrivals, sizes, task counts, durations, racks).
   */
  List<String> provenance();
}
