// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * How much heap an AppMaster needs for a job, and whether it has that.
 *
 * <p>The rule is {@code BASE + tasks * PER_TASK}. Its source is {@code HeapOfTasksIT}, which
 * measures the live heap of Hadoop's job, tasks and attempts with Drover's models of them: the
 * counters of a map take most of it. A task has {@value #ATTEMPTS_PER_TASK} attempts here, since
 * clones, copies and failed attempts stay in memory until the job ends; and half of the heap is
 * left to what comes and goes, such as reports of tasks and events of the job history.
 */
public final class AppMasterHeap {
  /** The live heap of a task with one attempt and its counters, bytes: 8,053, rounded up. */
  static final int PER_ATTEMPT = 10_000;

  /** The attempts of a task that stay in memory. */
  static final int ATTEMPTS_PER_TASK = 2;

  /** The live heap of an AppMaster without tasks, bytes. */
  static final long BASE = 60L << 20;

  /** The share of the heap that may be live before collecting garbage takes over, as a divisor. */
  private static final int LIVE_SHARE = 2;

  /** What a JVM takes beside its heap: classes, compiled code, threads, buffers. */
  private static final long BESIDE_THE_HEAP = 192L << 20;

  private static final Pattern XMX = Pattern.compile("-Xmx(\\d+)([kKmMgGtT]?)(?=\\s|$)");
  private static final int DEFAULT_MB = MRJobConfig.DEFAULT_MR_AM_VMEM_MB;

  private AppMasterHeap() {}

  /** Returns the heap that the AppMaster of a job needs, in bytes. */
  public static long needed(int tasks) {
    return LIVE_SHARE * (BASE + (long) tasks * ATTEMPTS_PER_TASK * PER_ATTEMPT);
  }

  /** Returns how many tasks a job may have whose AppMaster has a heap of so many bytes. */
  static long most(long heap) {
    return Math.max(0, (heap / LIVE_SHARE - BASE) / ((long) ATTEMPTS_PER_TASK * PER_ATTEMPT));
  }

  /**
   * Returns a finding if a heap is too small for a job.
   *
   * @param heap its size, in bytes
   * @param cause what makes it as large as that, as the beginning of a sentence
   * @param job what is known of the job, such as {@code the largest job in the history}
   */
  static Optional<Finding> tooSmall(long heap, String cause, int tasks, String job) {
    return heap >= needed(tasks)
        ? Optional.empty()
        : Optional.of(
            Finding.wrong(
                "heap.small",
                String.format(
                    Locale.ROOT,
                    "%s: enough for %,d tasks, and %s has %,d, which need %d MB",
                    cause,
                    most(heap),
                    job,
                    tasks,
                    needed(tasks) >> 20),
                String.format(
                    Locale.ROOT,
                    "Set -Xmx%dm in %s, and %s to %d or more",
                    needed(tasks) >> 20,
                    MRJobConfig.MR_AM_COMMAND_OPTS,
                    MRJobConfig.MR_AM_VMEM_MB,
                    (needed(tasks) + BESIDE_THE_HEAP) >> 20),
                MRJobConfig.MR_AM_COMMAND_OPTS));
  }

  /**
   * Returns the checks of a configuration with which jobs are submitted.
   *
   * @param tasks how many tasks a large job has
   * @param job what is known of that job, as in {@link #tooSmall}
   */
  public static Checks ofSubmitted(Configuration conf, int tasks, String job) {
    return new Checks()
        .add("heap.size", found -> size(conf, tasks, job, found))
        .add("heap.container", found -> container(conf, found));
  }

  private static void size(Configuration conf, int tasks, String job, Consumer<Finding> found) {
    OptionalLong xmx = xmx(conf);
    if (xmx.isEmpty()) {
      found.accept(
          Finding.warn(
              "heap.unset",
              MRJobConfig.MR_AM_COMMAND_OPTS
                  + " is "
                  + conf.get(MRJobConfig.MR_AM_COMMAND_OPTS, "empty")
                  + ", without -Xmx: the heap of an AppMaster is a quarter of its host's memory,"
                  + " whatever its container may have",
              "Add -Xmx" + (needed(tasks) >> 20) + "m before the class",
              MRJobConfig.MR_AM_COMMAND_OPTS));
      return;
    }
    long heap = xmx.getAsLong();
    String cause = MRJobConfig.MR_AM_COMMAND_OPTS + " has -Xmx" + (heap >> 20) + "m";
    found.accept(
        tooSmall(heap, cause, tasks, job)
            .orElseGet(
                () ->
                    Finding.ok(
                        "heap.size",
                        String.format(
                            Locale.ROOT,
                            "%s: enough for %,d tasks (%s has %,d)",
                            cause,
                            most(heap),
                            job,
                            tasks),
                        MRJobConfig.MR_AM_COMMAND_OPTS)));
  }

  private static void container(Configuration conf, Consumer<Finding> found) {
    OptionalLong xmx = xmx(conf);
    long container = conf.getLong(MRJobConfig.MR_AM_VMEM_MB, DEFAULT_MB) << 20;
    if (xmx.isEmpty() || xmx.getAsLong() + BESIDE_THE_HEAP <= container) {
      return;
    }
    String what =
        String.format(
            Locale.ROOT,
            "%s is %d, and %s has -Xmx%dm",
            MRJobConfig.MR_AM_VMEM_MB,
            container >> 20,
            MRJobConfig.MR_AM_COMMAND_OPTS,
            xmx.getAsLong() >> 20);
    String advice =
        String.format(
            Locale.ROOT,
            "Set %s to %d or more",
            MRJobConfig.MR_AM_VMEM_MB,
            (xmx.getAsLong() + BESIDE_THE_HEAP) >> 20);
    String[] keys = {MRJobConfig.MR_AM_VMEM_MB, MRJobConfig.MR_AM_COMMAND_OPTS};
    found.accept(
        xmx.getAsLong() > container
            ? Finding.wrong(
                "heap.container",
                what + ": the NodeManager ends the AppMaster before its heap is full",
                advice,
                keys)
            : Finding.warn(
                "heap.container",
                what + ": there is little room beside the heap, and the NodeManager may end it",
                advice,
                keys));
  }

  /** Returns the size of the heap that the options set, in bytes. Of several the last one holds. */
  private static OptionalLong xmx(Configuration conf) {
    String options =
        conf.get(MRJobConfig.MR_AM_ADMIN_COMMAND_OPTS, "")
            + " "
            + conf.get(MRJobConfig.MR_AM_COMMAND_OPTS, MRJobConfig.DEFAULT_MR_AM_COMMAND_OPTS);
    Matcher matcher = XMX.matcher(options);
    return matcher
        .results()
        .reduce((first, second) -> second)
        .map(last -> OptionalLong.of(bytes(last)))
        .orElse(OptionalLong.empty());
  }

  private static long bytes(MatchResult xmx) {
    long number = Long.parseLong(xmx.group(1));
    return switch (xmx.group(2).toLowerCase(Locale.ROOT)) {
      case "k" -> number << 10;
      case "m" -> number << 20;
      case "g" -> number << 30;
      case "t" -> number << 40;
      default -> number;
    };
  }
}
