// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.speculator.DroverCounter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormatCounter;

/**
 * What the protection of map outputs did in a job, and what its replicas cost, by the job's
 * counters. Drover's counters are those of the job's last AppMaster; Hadoop's are of the one
 * attempt of each task whose output counts.
 *
 * @param replicatedBytes bytes of map outputs that were copied to other nodes
 * @param replicasUsed outputs that reduces were told to read from a replica
 * @param recomputationsAvoided those of them that would have had to be made again
 * @param madeAgain outputs that were made again
 * @param ioBytes what the job read and wrote: the sum of {@code *_BYTES_READ} and {@code
 *     *_BYTES_WRITTEN} of all file systems, {@code FILE} and {@code HDFS} among them. What spills
 *     and merges write and read again is in it
 * @param processedBytes what {@code mapreduce.drover.protect.replicated-share} limits the replicas
 *     by: inputs and outputs of the maps, and of the reduces, each once
 */
public record ProtectionFigures(
    long replicatedBytes,
    long replicasUsed,
    long recomputationsAvoided,
    long madeAgain,
    long ioBytes,
    long processedBytes) {
  private static final String DROVER = DroverCounter.class.getName() + "/";

  /** The name of the group has changed over the years. */
  private static final Pattern IO =
      Pattern.compile("(.*\\.)?FileSystemCounters?/[^/]+_BYTES_(READ|WRITTEN)");

  private static final List<Enum<?>> PROCESSED =
      List.of(
          FileInputFormatCounter.BYTES_READ,
          TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES,
          TaskCounter.REDUCE_SHUFFLE_BYTES,
          FileOutputFormatCounter.BYTES_WRITTEN);

  /**
   * Reads the counters of a job.
   *
   * @param counters by {@code group/name}
   * @return empty if there is none of Drover's: it did not run, or it had nothing to do
   */
  public static Optional<ProtectionFigures> of(Map<String, Long> counters) {
    if (Arrays.stream(DroverCounter.values())
        .noneMatch(counter -> counters.containsKey(DROVER + counter.name()))) {
      return Optional.empty();
    }
    return Optional.of(
        new ProtectionFigures(
            drovers(counters, DroverCounter.REPLICATED_BYTES),
            drovers(counters, DroverCounter.REPLICAS_USED),
            drovers(counters, DroverCounter.RECOMPUTATIONS_AVOIDED),
            drovers(counters, DroverCounter.OUTPUTS_REMADE),
            counters.entrySet().stream()
                .filter(counter -> IO.matcher(counter.getKey()).matches())
                .mapToLong(Map.Entry::getValue)
                .sum(),
            PROCESSED.stream()
                .mapToLong(
                    counter ->
                        counters.getOrDefault(
                            counter.getDeclaringClass().getName() + "/" + counter.name(), 0L))
                .sum()));
  }

  private static long drovers(Map<String, Long> counters, DroverCounter counter) {
    return counters.getOrDefault(DROVER + counter.name(), 0L);
  }

  /** Returns whether anything was replicated or made again. */
  public boolean isOfUse() {
    return replicatedBytes > 0 || replicasUsed > 0 || madeAgain > 0;
  }

  /** Returns the replicated bytes as a share of what the job read and wrote, if that is known. */
  public OptionalDouble shareOfIo() {
    return share(replicatedBytes, ioBytes);
  }

  /** Returns the replicated bytes as a share of what limits them, if that is known. */
  public OptionalDouble shareOfProcessed() {
    return share(replicatedBytes, processedBytes);
  }

  private static OptionalDouble share(long part, long whole) {
    return whole > 0 ? OptionalDouble.of((double) part / whole) : OptionalDouble.empty();
  }

  /** Returns all of it in a sentence for people. */
  public String sentence() {
    String words =
        "%s of map outputs replicated%s%s; replicas used %d, maps spared by them %d; outputs made"
            + " again %d.";
    return words.formatted(
        size(replicatedBytes),
        of(shareOfIo(), ", %s of the " + size(ioBytes) + " that the job read and wrote"),
        of(shareOfProcessed(), " (%s of what limits replicas)"),
        replicasUsed,
        recomputationsAvoided,
        madeAgain);
  }

  private static String of(OptionalDouble share, String words) {
    return share.isEmpty()
        ? ""
        : words.formatted(String.format(Locale.ROOT, "%.1f %%", 100 * share.getAsDouble()));
  }

  /** Returns a size as 12.3 KB or 4.5 MB. */
  static String size(long bytes) {
    return bytes < 1e6
        ? String.format(Locale.ROOT, "%.1f KB", bytes / 1e3)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
