// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.speculator.DroverCounter;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;

/** Histories of small jobs, as Hadoop writes them. */
public final class WrittenJobs {
  private static final long ZERO = 1_700_000_000_000L;

  private WrittenJobs() {}

  /** Writes a job of eleven maps from second 5 to 25, but the last one ends at 65. */
  public static Path slowMap(Path directory, int number) throws IOException {
    return write(directory, number, 65);
  }

  /** Writes a job of eleven maps of equal length. */
  public static Path evenMaps(Path directory, int number) throws IOException {
    return write(directory, number, 25);
  }

  /** Writes the 59 jobs of Rumen's tables, and returns how many there are. */
  public static int rumen(Path tables, Path directory) throws IOException {
    return RumenHistories.write(tables, directory);
  }

  /**
   * Writes the same job under Drover, which replicated 3 MB of map outputs, while the job read and
   * wrote 100 MB.
   */
  public static Path replicatedOutputs(Path directory, int number) throws IOException {
    Counters counters = new Counters();
    counters.findCounter("hdfs", FileSystemCounter.BYTES_READ).setValue(40_000_000);
    counters.findCounter("file", FileSystemCounter.BYTES_WRITTEN).setValue(60_000_000);
    counters.findCounter(FileInputFormatCounter.BYTES_READ).setValue(40_000_000);
    counters.findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).setValue(20_000_000);
    counters.findCounter(DroverCounter.REPLICATED_BYTES).setValue(3_000_000);
    counters.findCounter(DroverCounter.REPLICAS_USED).setValue(2);
    counters.findCounter(DroverCounter.RECOMPUTATIONS_AVOIDED).setValue(1);
    counters.findCounter(DroverCounter.OUTPUTS_REMADE).setValue(4);
    return write(directory, number, 25, counters);
  }

  private static Path write(Path directory, int number, int lastEnd) throws IOException {
    return write(directory, number, lastEnd, new Counters());
  }

  private static Path write(Path directory, int number, int lastEnd, Counters counters)
      throws IOException {
    JobID job = new JobID(Long.toString(ZERO), number);
    Path file = directory.resolve(job + "-1700000000000-ada.jhist");
    try (HistoryWriter history = new HistoryWriter(file, job, number % 2 == 0)) {
      history.submitted("word count", "ada", "etl", ZERO);
      history.inited(at(3), 11, 0);
      for (int map = 0; map <= 10; map++) {
        int end = map == 10 ? lastEnd : 25;
        String node = "n" + (map % 5 + 1);
        TaskAttemptID attempt = new TaskAttemptID(history.task(TaskType.MAP, map, at(4), node), 0);
        history.launched(attempt, at(5), node);
        history.mapDone(attempt, at(end), node, "/rack1", new Counters(), splits(end - 5));
      }
      history.finished(at(lastEnd + 6), 11, 0, counters);
    }
    return file;
  }

  private static int[][] splits(int seconds) {
    int[][] splits = new int[4][12];
    for (int part = 0; part < 12; part++) {
      splits[0][part] = (seconds - 2) * 1000 / 12 + (part == 0 ? 2000 : 0);
    }
    return splits;
  }

  private static long at(int second) {
    return ZERO + second * 1000L;
  }
}
