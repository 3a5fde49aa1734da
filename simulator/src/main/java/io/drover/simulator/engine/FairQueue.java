// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Orders the jobs that want slots: fewest held slots first, then earliest submitted. This is fair
 * sharing, as on the clusters of the traces (Facebook's ran Hadoop's fair scheduler; Mantri section
 * 3.1 speaks of quotas). It is a binary heap in which a job may move.
 */
final class FairQueue {
  private final List<JobRun> heap = new ArrayList<>();

  /** Returns the job that gets the next slot; null if no job wants one. */
  JobRun first() {
    return heap.isEmpty() ? null : heap.get(0);
  }

  /** Moves, adds or removes a job after its requests or its slots may have changed. */
  void update(JobRun job) {
    if (!job.wantsSlots()) {
      remove(job);
    } else if (job.place() < 0) {
      heap.add(job);
      rise(job, heap.size() - 1);
    } else {
      rise(job, job.place());
      sink(job, job.place());
    }
  }

  /** Removes a job, even if it wants slots; {@link #update} adds it again. */
  void remove(JobRun job) {
    int hole = job.place();
    if (hole < 0) {
      return;
    }
    job.place(-1);
    JobRun last = heap.remove(heap.size() - 1);
    if (last != job) {
      rise(last, hole);
      sink(last, last.place());
    }
  }

  private void rise(JobRun job, int from) {
    int hole = from;
    while (hole > 0 && isBefore(job, heap.get((hole - 1) / 2))) {
      put(heap.get((hole - 1) / 2), hole);
      hole = (hole - 1) / 2;
    }
    put(job, hole);
  }

  private void sink(JobRun job, int from) {
    int hole = from;
    while (true) {
      int child = 2 * hole + 1;
      if (child >= heap.size()) {
        break;
      }
      if (child + 1 < heap.size() && isBefore(heap.get(child + 1), heap.get(child))) {
        child++;
      }
      if (!isBefore(heap.get(child), job)) {
        break;
      }
      put(heap.get(child), hole);
      hole = child;
    }
    put(job, hole);
  }

  private void put(JobRun job, int place) {
    heap.set(place, job);
    job.place(place);
  }

  private static boolean isBefore(JobRun a, JobRun b) {
    return a.slots() < b.slots() || (a.slots() == b.slots() && a.number() < b.number());
  }
}
