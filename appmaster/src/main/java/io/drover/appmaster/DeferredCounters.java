// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.speculator.DroverCounter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Drover's counters of a job apart from the job's own until the job ends.
 *
 * <p><b>What stock Hadoop does.</b> A job may have {@code mapreduce.job.counters.max} (120)
 * counters. JobImpl adds up the counters of the job and of all tasks when the job ends. If there
 * are more, {@link LimitExceededException} is thrown on the dispatcher thread, which ends the
 * AppMaster. The tasks' counters are known only then, so nobody knows earlier how much room there
 * is.
 *
 * <p><b>What is done here.</b> The amounts wait here. When the job has nothing left to do but end,
 * they are given to it if they fit beside all others. Otherwise they are dropped, with one line in
 * the log. A job that is asked for its counters earlier returns both, if they fit.
 *
 * <p>Any thread may call this, because clients ask for counters on threads of their own.
 */
public final class DeferredCounters {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredCounters.class);

  private final Map<DroverCounter, Long> amounts = new EnumMap<>(DroverCounter.class);
  private boolean published;

  /**
   * Takes an update if it is about Drover's counters. An update after {@link #atTheEnd} has no
   * effect, because the job's sums are made.
   *
   * @return whether it is about Drover's counters
   */
  public synchronized boolean takes(JobCounterUpdateEvent update) {
    boolean isOwn =
        update.getCounterUpdates().stream()
            .allMatch(each -> each.getCounterKey() instanceof DroverCounter);
    if (isOwn) {
      update
          .getCounterUpdates()
          .forEach(
              each ->
                  amounts.merge(
                      (DroverCounter) each.getCounterKey(), each.getIncrementValue(), Long::sum));
    }
    return isOwn;
  }

  /** Sets an amount, whatever was added before; does nothing if the amount is not positive. */
  public synchronized void set(DroverCounter counter, long amount) {
    if (amount > 0) {
      amounts.put(counter, amount);
    }
  }

  /** Returns all counters of a job: its own and these, or only its own if these do not fit. */
  public synchronized Counters with(Counters jobs) {
    return published || amounts.isEmpty() ? jobs : sum(jobs).orElse(jobs);
  }

  /**
   * Returns what to add to the job's counters before it sums them up; empty after the first call.
   *
   * @param jobs returns the counters of the job and its tasks, without these
   */
  public synchronized Optional<JobCounterUpdateEvent> atTheEnd(JobId job, Supplier<Counters> jobs) {
    if (published || amounts.isEmpty()) {
      published = true;
      return Optional.empty();
    }
    published = true;
    if (!fit(jobs)) {
      LOG.warn("Drover's counters do not fit beside those of {}: {}", job, amounts);
      return Optional.empty();
    }
    JobCounterUpdateEvent update = new JobCounterUpdateEvent(job);
    amounts.forEach(update::addCounterUpdate);
    return Optional.of(update);
  }

  private boolean fit(Supplier<Counters> jobs) {
    try {
      return sum(jobs.get()).isPresent();
    } catch (LimitExceededException e) {
      LOG.debug("The job has too many counters even without Drover's", e);
      return false;
    }
  }

  private Optional<Counters> sum(Counters jobs) {
    try {
      Counters all = new Counters();
      all.incrAllCounters(jobs);
      amounts.forEach((counter, amount) -> all.findCounter(counter).increment(amount));
      return Optional.of(all);
    } catch (LimitExceededException e) {
      LOG.debug("Drover's counters do not fit", e);
      return Optional.empty();
    }
  }
}
