// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.channel.JobStart;
import io.drover.channel.JobStart.TaskRequest;
import io.drover.core.predict.JobRequests;
import io.drover.core.predict.JobRequests.Spread;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** What AppMasters say of their jobs, until it is taken in. Any thread may add; none waits. */
final class DescribedJobs {
  /** More do not wait: the others are judged without, after a while. */
  private static final int MOST = 50_000;

  private final Queue<Described> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  /** What a job asks for. */
  record Described(ApplicationId application, JobRequests requests) {}

  /**
   * Adds a job. One that does not tell what its tasks ask for is left out: a job that samples sends
   * that later, and an older AppMaster never.
   */
  void add(ApplicationId application, JobStart job) {
    if (job.mapRequest().isEmpty() || job.reduceRequest().isEmpty()) {
      return;
    }
    if (size.incrementAndGet() > MOST) {
      size.decrementAndGet();
    } else {
      queue.add(new Described(application, requests(job)));
    }
  }

  /** Returns how many jobs wait; one of them may not be there yet. */
  int size() {
    return size.get();
  }

  /** Returns the next job; null if there is none. */
  Described next() {
    Described next = queue.poll();
    if (next != null) {
      size.decrementAndGet();
    }
    return next;
  }

  void clear() {
    Described next;
    do {
      next = next();
    } while (next != null);
  }

  /** Returns what a job asks for. The input of a map stands for its disk. */
  private static JobRequests requests(JobStart job) {
    int tasks = job.maps() + job.reduces();
    Spread disk =
        job.inputs()
            .filter(sizes -> job.maps() > 0)
            .map(sizes -> new Spread(sizes.total() / (double) job.maps(), Double.NaN))
            .orElse(Spread.UNKNOWN);
    Optional<TaskRequest> map = job.mapRequest();
    Optional<TaskRequest> reduce = job.reduceRequest();
    if (tasks == 0) {
      return new JobRequests(1, Spread.UNKNOWN, Spread.UNKNOWN, disk, Spread.UNKNOWN);
    }
    double mapRam = map.orElseThrow().megabytes();
    double reduceRam = reduce.orElseThrow().megabytes();
    return new JobRequests(
        tasks,
        Spread.of(map.get().vcores(), job.maps(), reduce.get().vcores(), job.reduces()),
        Spread.of(mapRam, job.maps(), reduceRam, job.reduces()),
        disk,
        Spread.UNKNOWN);
  }
}
