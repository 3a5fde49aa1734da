// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;

/** Turns the 59 jobs of Rumen's test data into histories as Hadoop writes them today. */
final class RumenHistories {
  private static final long ZERO = 1_256_811_828_131L; // the first submission of the trace

  private RumenHistories() {}

  /**
   * Writes a history for each job of the tables {@code jobs_59jobs} and {@code attempts_59jobs}.
   */
  static int write(Path tables, Path directory) throws IOException {
    Map<String, List<CSVRecord>> attempts = new HashMap<>();
    for (CSVRecord row : read(tables.resolve("attempts_59jobs.csv.gz"))) {
      attempts.computeIfAbsent(row.get("job"), job -> new ArrayList<>()).add(row);
    }
    List<CSVRecord> jobs = read(tables.resolve("jobs_59jobs.csv.gz"));
    for (CSVRecord job : jobs) {
      int number = Integer.parseInt(job.get("job")) + 1;
      JobID id = new JobID("200910281128", number);
      try (HistoryWriter history =
          new HistoryWriter(directory.resolve(id + ".jhist"), id, number % 2 == 0)) {
        write(history, id, job, attempts.getOrDefault(job.get("job"), List.of()));
      }
    }
    return jobs.size();
  }

  private static void write(
      HistoryWriter history, JobID id, CSVRecord job, List<CSVRecord> attempts) throws IOException {
    history.submitted("job " + job.get("job"), "user" + job.get("user"), "", at(job, "submit_s"));
    int maps = Integer.parseInt(job.get("maps"));
    int reduces = Integer.parseInt(job.get("reduces"));
    history.inited(at(job, "launch_s"), maps, reduces);
    for (CSVRecord row : attempts) {
      TaskType type = row.get("type").equals("MAP") ? TaskType.MAP : TaskType.REDUCE;
      int number = Integer.parseInt(row.get("task"));
      TaskID task = history.task(type, number, at(job, "launch_s"), "");
      TaskAttemptID attempt = new TaskAttemptID(task, Integer.parseInt(row.get("attempt")));
      String host = "node" + row.get("node");
      String rack = "/rack" + row.get("rack");
      history.launched(attempt, at(row, "start_s"), host);
      long end = at(row, "finish_s");
      if (type == TaskType.MAP) {
        history.mapDone(attempt, end, host, rack, counters(row), null);
      } else {
        history.reduceDone(
            attempt, at(row, "shuffle_done_s"), end, host, rack, counters(row), null);
      }
    }
    history.finished(at(job, "finish_s"), maps, reduces, new Counters());
  }

  private static long at(CSVRecord row, String column) {
    return ZERO + Math.round(1000 * Double.parseDouble(row.get(column)));
  }

  private static Counters counters(CSVRecord row) {
    Counters counters = new Counters();
    set(row, "hdfs_read", counters.findCounter("hdfs", FileSystemCounter.BYTES_READ)::setValue);
    set(row, "map_in_records", counters.findCounter(TaskCounter.MAP_INPUT_RECORDS)::setValue);
    set(row, "reduce_in_records", counters.findCounter(TaskCounter.REDUCE_INPUT_RECORDS)::setValue);
    set(
        row,
        "reduce_shuffle_bytes",
        counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES)::setValue);
    return counters;
  }

  private static void set(CSVRecord row, String column, LongConsumer counter) {
    if (!row.get(column).isBlank()) {
      counter.accept(Long.parseLong(row.get(column)));
    }
  }

  private static List<CSVRecord> read(Path table) throws IOException {
    try (Reader text =
        new InputStreamReader(
            new GZIPInputStream(Files.newInputStream(table)), StandardCharsets.UTF_8)) {
      return CSVFormat.DEFAULT
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .build()
          .parse(text)
          .getRecords();
    }
  }
}
