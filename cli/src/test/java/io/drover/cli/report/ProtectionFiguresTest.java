// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProtectionFiguresTest {
  private static final String DROVER = "io.drover.speculator.DroverCounter/";
  private static final String FILES = "org.apache.hadoop.mapreduce.FileSystemCounter/";
  private static final String TASKS = "org.apache.hadoop.mapreduce.TaskCounter/";
  private static final String FORMATS = "org.apache.hadoop.mapreduce.lib.";

  /** A sort of 10 MB: read, spilled, fetched, merged on disk, and written. */
  private static Map<String, Long> sort() {
    Map<String, Long> counters = new HashMap<>();
    counters.put(FILES + "HDFS_BYTES_READ", 10_000_000L);
    counters.put(FILES + "HDFS_BYTES_READ_EC", 7L); // a part of those before
    counters.put(FILES + "HDFS_READ_OPS", 36L);
    counters.put(FILES + "HDFS_BYTES_WRITTEN", 10_000_000L);
    counters.put(FILES + "FILE_BYTES_READ", 10_000_000L);
    counters.put(FILES + "FILE_BYTES_WRITTEN", 20_000_000L);
    counters.put(FORMATS + "input.FileInputFormatCounter/BYTES_READ", 10_000_000L);
    counters.put(FORMATS + "output.FileOutputFormatCounter/BYTES_WRITTEN", 10_000_000L);
    counters.put(TASKS + "MAP_OUTPUT_MATERIALIZED_BYTES", 10_000_000L);
    counters.put(TASKS + "REDUCE_SHUFFLE_BYTES", 10_000_000L);
    counters.put(TASKS + "CPU_MILLISECONDS", 77L);
    return counters;
  }

  @Test
  void replicasAreComparedWithAllThatWasReadAndWrittenAndWithWhatLimitsThem() {
    Map<String, Long> counters = sort();
    counters.put(DROVER + "REPLICATED_BYTES", 2_000_000L);
    counters.put(DROVER + "REPLICAS_USED", 3L);
    counters.put(DROVER + "RECOMPUTATIONS_AVOIDED", 2L);
    counters.put(DROVER + "OUTPUTS_REMADE", 1L);

    ProtectionFigures figures = ProtectionFigures.of(counters).orElseThrow();

    assertThat(figures)
        .isEqualTo(new ProtectionFigures(2_000_000, 3, 2, 1, 50_000_000, 40_000_000));
    assertThat(figures.shareOfIo()).hasValue(0.04);
    assertThat(figures.shareOfProcessed()).hasValue(0.05);
    assertThat(figures.isOfUse()).isTrue();
    assertThat(figures.sentence())
        .isEqualTo(
            "2.0 MB of map outputs replicated, 4.0 % of the 50.0 MB that the job read and wrote"
                + " (5.0 % of what limits replicas); replicas used 3, maps spared by them 2; outputs"
                + " made again 1.");
  }

  @Test
  void jobInWhichDroverOnlyCopiedTasksReplicatedNothing() {
    Map<String, Long> counters = sort();
    counters.put(DROVER + "COPIES_LAUNCHED", 1L);

    ProtectionFigures figures = ProtectionFigures.of(counters).orElseThrow();

    assertThat(figures.isOfUse()).isFalse();
    assertThat(figures.shareOfIo()).hasValue(0);
  }

  @Test
  void jobWithoutDroversCountersHasNoFigures() {
    assertThat(ProtectionFigures.of(sort())).isEmpty();
  }

  @Test
  void fileSystemsAreToldByTheNameOfTheirGroupAlsoInOldHistories() {
    ProtectionFigures figures =
        ProtectionFigures.of(
                Map.of(
                    "FileSystemCounters/S3A_BYTES_READ",
                    5L,
                    "my.FileSystemCounterOfMine/S3A_BYTES_READ",
                    7L,
                    DROVER + "OUTPUTS_REMADE",
                    1L))
            .orElseThrow();

    assertThat(figures.ioBytes()).isEqualTo(5);
    assertThat(figures.shareOfProcessed()).as("no such counters").isEmpty();
  }
}
