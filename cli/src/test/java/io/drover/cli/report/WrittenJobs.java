// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;

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

  private static Path write(Path directory, int number, int lastEnd) throws IOException {
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
      history.finished(at(lastEnd + 6), 11, 0, new Counters());
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
