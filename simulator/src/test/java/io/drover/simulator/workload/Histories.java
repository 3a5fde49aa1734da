// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds small job histories in Rumen's JSON and as tables. */
final class Histories {
  static final String JOBS_HEADER =
      "job,user,priority,submit_s,launch_s,finish_s,outcome,maps,reduces";
  static final String ATTEMPTS_HEADER =
      "job,type,task,attempt,start_s,finish_s,result,rack,node,replica_nodes,locality,hdfs_read,"
          + "hdfs_written,file_read,file_written,map_in_records,map_out_bytes,map_out_records,"
          + "reduce_in_records,reduce_shuffle_bytes,spilled_records,shuffle_done_s,sort_done_s";

  private Histories() {}

  /** Writes JSON with quotes in the place of apostrophes. */
  static String quoted(String json) {
    return json.replace('\'', '"');
  }

  static String attempt(
      String kind, int number, long startMs, long endMs, String result, long bytes) {
    String field = kind.equals("MAP") ? "hdfsBytesRead" : "reduceShuffleBytes";
    return quoted(
        ("{'attemptID': 'x_" + number + "', 'startTime': " + startMs + ", 'finishTime': " + endMs)
            + (", 'result': '" + result + "', '" + field + "': " + bytes + "}"));
  }

  static String task(String... attempts) {
    return "{\"attempts\": [" + String.join(", ", attempts) + "], \"inputBytes\": -1}";
  }

  /** Returns a job without an outcome. */
  static String job(String id, long submitMs, List<String> maps, List<String> reduces) {
    return "{\"jobID\": \""
        + id
        + "\", \"submitTime\": "
        + submitMs
        + ",\n \"mapTasks\": "
        + maps
        + ", \"reduceTasks\": "
        + reduces
        + ", \"user\": null}";
  }

  /** Returns a job of one map of 100 bytes that took a second, with the given outcome. */
  static String ended(String id, long submitMs, String outcome) {
    return with(oneMap(id, submitMs), "'outcome': " + outcome);
  }

  /** Returns a job of one map of 100 bytes that took a second. */
  static String oneMap(String id, long submitMs) {
    String map = task(attempt("MAP", 0, submitMs, submitMs + 1000, "SUCCESS", 100));
    return job(id, submitMs, List.of(map), List.of());
  }

  /** Returns the same job with another field, whose text has apostrophes for quotes. */
  static String with(String job, String field) {
    return job.substring(0, job.length() - 1) + ", " + quoted(field) + "}";
  }

  /** Writes both tables, with their headers, and returns the table of jobs. */
  static Path tables(Path dir, List<String> jobs, List<String> attempts) throws IOException {
    Traces.lines(dir.resolve("attempts_x.csv"), headed(ATTEMPTS_HEADER, attempts));
    return Traces.lines(dir.resolve("jobs_x.csv"), headed(JOBS_HEADER, jobs));
  }

  private static String[] headed(String header, List<String> rows) {
    List<String> all = new ArrayList<>(List.of(header));
    all.addAll(rows);
    return all.toArray(new String[0]);
  }

  /** Returns a row of the table of jobs. */
  static String jobRow(String id, String submit, String outcome, int maps) {
    return id + ",0,NORMAL," + submit + ",1,12," + outcome + "," + maps + ",0";
  }

  /** Returns a row of a map of 100 bytes. */
  static String mapRow(String id, int task, String start, String end, String result) {
    return id + ",MAP," + task + ",0," + start + "," + end + "," + result + ",0,0,,,100,,,,,,,,,,,";
  }
}
