// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.speculator.DroverCounter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
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

  /** Writes {@link #slowMap} under Drover, which made a copy and a restart. */
  public static Path copiedMap(Path directory, int number) throws IOException {
    Counters counters = new Counters();
    counters.findCounter(DroverCounter.COPIES_LAUNCHED).setValue(1);
    counters.findCounter(DroverCounter.COPIES_WON).setValue(1);
    counters.findCounter(DroverCounter.RESTARTS).setValue(1);
    counters.findCounter(DroverCounter.WASTED_MILLIS).setValue(2500);
    return write(directory, number, 65, counters);
  }

  /** Writes a history whose only event holds another one, and so on, a million deep. */
  public static Path nestedEvents(Path directory) throws IOException {
    return write(
        directory.resolve("nested.jhist"),
        "[\"null\",\"Event\"]",
        data -> {
          for (int depth = 0; depth < 1_000_000; depth++) {
            data.writeString("X");
            data.writeIndex(1);
          }
        });
  }

  /** Writes a history of a few KB whose only event has a thousand lists of a million values. */
  public static Path hugeEvent(Path directory) throws IOException {
    return write(
        directory.resolve("huge.jhist"),
        "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":\"null\"}}",
        data -> {
          data.writeString("X");
          data.setItemCount(1000);
          for (int list = 0; list < 1000; list++) {
            data.setItemCount(1_000_000);
            data.writeArrayEnd();
          }
          data.writeArrayEnd();
        });
  }

  private interface Data {
    void write(BinaryEncoder to) throws IOException;
  }

  /** Writes a history that has a schema of its own: the type of an event, and its content. */
  private static Path write(Path file, String content, Data data) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      String schema =
          "{\"type\":\"record\",\"name\":\"Event\",\"fields\":["
              + "{\"name\":\"type\",\"type\":\"string\"},{\"name\":\"event\",\"type\":%s}]}";
      out.write(
          ("Avro-Binary\n" + schema.formatted(content) + "\n").getBytes(StandardCharsets.UTF_8));
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      data.write(encoder);
      encoder.flush();
    }
    return file;
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
