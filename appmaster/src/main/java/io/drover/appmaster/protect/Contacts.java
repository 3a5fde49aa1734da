// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.HadoopAttempts;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * When the AppMaster was last in contact with each running attempt, whatever the attempt wanted. A
 * host from which attempts still call is not gone, even if its NodeManager is. Any thread may use
 * this.
 */
public final class Contacts {
  /** More than attempts run at once, and fewer than fill the memory. */
  private static final int MOST = 200_000;

  /** Attempts that shuffle call every second, others once in a report interval. */
  private static final Duration LEAST_QUIET = Duration.ofSeconds(6);

  private static final double QUIET_INTERVALS = 2.5;

  private final LongSupplier nanos;
  private final boolean isOn;
  private final Map<TaskAttemptId, Long> last = new ConcurrentHashMap<>();

  /**
   * Creates an empty state.
   *
   * @param nanos a clock in nanoseconds
   * @param isOn whether anything is noted
   */
  public Contacts(LongSupplier nanos, boolean isOn) {
    this.nanos = nanos;
    this.isOn = isOn;
  }

  /** Returns for how long a host may be quiet on which an attempt of a job runs. */
  static Duration quiet(Configuration conf) {
    long interval = MRJobConfUtil.getTaskProgressReportInterval(conf);
    return Duration.ofMillis(
        Math.max(LEAST_QUIET.toMillis(), Math.round(QUIET_INTERVALS * interval)));
  }

  /** Notes that an attempt has called. */
  public void heard(TaskAttemptId attempt) {
    if (isOn && (last.size() < MOST || last.containsKey(attempt))) {
      last.put(attempt, nanos.getAsLong());
    }
  }

  /** Forgets an attempt that has ended. */
  void ended(TaskAttemptId attempt) {
    last.remove(attempt);
  }

  /** Returns those of some hosts from which no attempt has called for a time. */
  Set<String> without(Job job, Set<String> hosts, Duration time) {
    Set<String> quiet = new HashSet<>(hosts);
    quiet.removeAll(heardOf(job, time));
    return quiet;
  }

  /** Returns the hosts from which an attempt has called within a time. */
  Set<String> heardOf(Job job, Duration time) {
    Set<String> hosts = new HashSet<>();
    long since = nanos.getAsLong() - time.toNanos();
    last.values().removeIf(at -> at - since < 0);
    last.forEach(
        (id, at) -> {
          if (at - since >= 0) {
            Task task = job.getTask(id.getTaskId());
            TaskAttempt attempt = task == null ? null : task.getAttempt(id);
            if (attempt != null) {
              HadoopAttempts.host(attempt).ifPresent(hosts::add);
            }
          }
        });
    return hosts;
  }
}
