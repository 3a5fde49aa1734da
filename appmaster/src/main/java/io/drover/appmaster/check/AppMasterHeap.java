// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.BadSettingException;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
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

  /** What a JVM takes beside its heap, MB: classes, compiled code, threads, buffers. */
  private static final long BESIDE_THE_HEAP_MB = 192;

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
                    (needed(tasks) >> 20) + BESIDE_THE_HEAP_MB),
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
    Optional<Xmx> option = Xmx.of(conf);
    if (option.isEmpty()) {
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
    Xmx xmx = option.get();
    String cause = xmx.key() + " has " + xmx.text();
    if (xmx.bytes().isEmpty()) {
      found.accept(
          Finding.wrong(
              "heap.size",
              cause + ", more than any JVM can have: no AppMaster starts",
              "Write the size that is meant, such as -Xmx" + (needed(tasks) >> 20) + "m",
              xmx.key()));
      return;
    }
    long heap = xmx.bytes().getAsLong();
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
                        xmx.key())));
  }

  private static void container(Configuration conf, Consumer<Finding> found) {
    RequestedMemory requested;
    try {
      requested = RequestedMemory.ofAppMaster(conf);
    } catch (BadSettingException e) {
      found.accept(
          Finding.wrong(
              "heap.container",
              e.getMessage() + ": no job can be submitted",
              "Write a whole number and a unit, such as 2048Mi or 2Gi",
              RequestedMemory.keyOfAppMaster(conf)));
      return;
    }
    Optional<Xmx> option = Xmx.of(conf).filter(xmx -> xmx.bytes().isPresent());
    long granted = requested.grantedMb(conf);
    if (option.isEmpty() || option.get().mb() + BESIDE_THE_HEAP_MB <= granted) {
      return;
    }
    Xmx xmx = option.get();
    String what =
        String.format(
            Locale.ROOT,
            "%s is %d%s, and %s has %s",
            requested.key(),
            requested.mb(),
            granted == requested.mb() ? "" : ", which YARN makes " + granted,
            xmx.key(),
            xmx.text());
    String advice =
        String.format(
            Locale.ROOT, "Set %s to %d or more", requested.key(), xmx.mb() + BESIDE_THE_HEAP_MB);
    String[] keys = {requested.key(), xmx.key()};
    found.accept(
        xmx.mb() > granted
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

  /**
   * The option that sets the size of the heap.
   *
   * @param key the setting in which it is
   * @param text the option, as it is written
   * @param bytes the size; empty if no number of bytes can be as large
   */
  private record Xmx(String key, String text, OptionalLong bytes) {
    private static final Pattern OPTION = Pattern.compile("-Xmx(\\d+)([kKmMgGtT]?)(?=\\s|$)");

    /** Returns the option that holds: of several the last one, and the user's come last. */
    static Optional<Xmx> of(Configuration conf) {
      String own = MRJobConfig.MR_AM_COMMAND_OPTS;
      String admins = MRJobConfig.MR_AM_ADMIN_COMMAND_OPTS;
      return last(own, conf.get(own, MRJobConfig.DEFAULT_MR_AM_COMMAND_OPTS))
          .or(() -> last(admins, conf.get(admins, "")));
    }

    private static Optional<Xmx> last(String key, String options) {
      return OPTION
          .matcher(options)
          .results()
          .reduce((first, second) -> second)
          .map(last -> new Xmx(key, last.group(), bytes(last)));
    }

    private static OptionalLong bytes(MatchResult option) {
      int shift =
          switch (option.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            case "t" -> 40;
            default -> 0;
          };
      BigInteger bytes = new BigInteger(option.group(1)).shiftLeft(shift);
      return bytes.bitLength() < Long.SIZE
          ? OptionalLong.of(bytes.longValueExact())
          : OptionalLong.empty();
    }

    long mb() {
      return bytes.orElseThrow() >> 20;
    }
  }
}
