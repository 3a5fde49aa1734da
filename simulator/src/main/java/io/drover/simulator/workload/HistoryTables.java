// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads a job history from two tables, {@code jobs_NAME} and {@code attempts_NAME} in the same
 * folder, with times in seconds from the first submission. The tables are made from Rumen's JSON,
 * so both formats give the same jobs.
 */
final class HistoryTables {
  private static final String JOBS = "jobs_";
  private static final String ATTEMPTS = "attempts_";
  private static final String JOBS_HEADER =
      "job,user,priority,submit_s,launch_s,finish_s,outcome,maps,reduces";
  private static final String ATTEMPTS_HEADER =
      "job,type,task,attempt,start_s,finish_s,result,rack,node,replica_nodes,locality,hdfs_read,"
          + "hdfs_written,file_read,file_written,map_in_records,map_out_bytes,map_out_records,"
          + "reduce_in_records,reduce_shuffle_bytes,spilled_records,shuffle_done_s,sort_done_s";
  private static final int HDFS_READ = 11;
  private static final int REDUCE_SHUFFLE_BYTES = 19;

  /** Thirty years. */
  private static final double MOST_SECONDS = 1e9;

  private static final int MOST_TASKS = 10_000_000;

  /** A job while it is read: its line in the table of jobs, and its tasks by index. */
  private static final class Job {
    private final TraceRow row;
    private final double submit;
    private final Map<Long, Optional<HistoryJob.Task>> maps = new TreeMap<>();
    private final Map<Long, Optional<HistoryJob.Task>> reduces = new TreeMap<>();

    Job(TraceRow row) throws TraceException {
      this.row = row;
      this.submit = row.number(3, "submit_s", MOST_SECONDS);
      row.whole(7, "maps", 0, MOST_TASKS);
      row.whole(8, "reduces", 0, MOST_TASKS);
    }

    /** Checks that a successful job has all its tasks; if not, the other table was cut off. */
    void mustBeComplete() throws TraceException {
      if (row.text(6).equals("SUCCESS")) {
        mustHave(7, "maps", maps.size());
        mustHave(8, "reduces", reduces.size());
      }
    }

    private void mustHave(int column, String name, int found) throws TraceException {
      if (row.whole(column, name, 0, MOST_TASKS) != found) {
        throw row.wrong(column, name, found + ", as many " + name + " as in the table of attempts");
      }
    }
  }

  private HistoryTables() {}

  static HistoryWorkload.History read(Path file) throws TraceException {
    Map<String, Job> jobs = readJobs(file);
    Path attempts = attemptsOf(file);
    TraceTable.read(
        attempts,
        ',',
        ATTEMPTS_HEADER,
        row -> {
          if (row.line() == 1) {
            row.mustBe(ATTEMPTS_HEADER);
          } else {
            takeAttempt(row, jobs);
          }
        });
    List<HistoryJob> result = new ArrayList<>();
    int unfinished = 0;
    for (Map.Entry<String, Job> entry : jobs.entrySet()) {
      Job job = entry.getValue();
      job.mustBeComplete();
      List<HistoryJob.Task> maps = succeeded(job.maps);
      List<HistoryJob.Task> reduces = succeeded(job.reduces);
      unfinished += job.maps.size() + job.reduces.size() - maps.size() - reduces.size();
      result.add(new HistoryJob(entry.getKey(), job.submit, maps, reduces));
    }
    return new HistoryWorkload.History(result, unfinished);
  }

  private static Path attemptsOf(Path file) throws TraceException {
    String name = file.getFileName().toString();
    if (!name.startsWith(JOBS)) {
      throw new TraceException(
          file + ": expected a name that begins with jobs_, next to a file attempts_...");
    }
    return file.resolveSibling(ATTEMPTS + name.substring(JOBS.length()));
  }

  private static Map<String, Job> readJobs(Path file) throws TraceException {
    Map<String, Job> jobs = new LinkedHashMap<>();
    TraceTable.read(
        file,
        ',',
        "Rumen's JSON, or a table with the columns " + JOBS_HEADER,
        row -> {
          if (row.line() == 1) {
            row.mustBe(JOBS_HEADER);
            return;
          }
          row.mustHave(9, 9, JOBS_HEADER);
          if (jobs.put(row.name(0, "job"), new Job(row)) != null) {
            throw row.wrong(0, "job", "a name that no earlier job has");
          }
        });
    return jobs;
  }

  private static void takeAttempt(TraceRow row, Map<String, Job> jobs) throws TraceException {
    row.mustHave(23, 23, ATTEMPTS_HEADER);
    Job job = jobs.get(row.text(0));
    if (job == null) {
      throw row.wrong(0, "job", "a job from the table of jobs");
    }
    boolean map = row.text(1).equals("MAP");
    if (!map && !row.text(1).equals("REDUCE")) {
      throw row.wrong(1, "type", "MAP or REDUCE");
    }
    long index = row.whole(2, "task", 0, MOST_TASKS);
    row.whole(3, "attempt", 0, Integer.MAX_VALUE);
    Optional<HistoryJob.Task> task = Optional.empty();
    if (row.name(6, "result").equals("SUCCESS")) {
      task = Optional.of(task(row, map));
    }
    (map ? job.maps : job.reduces).merge(index, task, (old, more) -> old.isPresent() ? old : more);
  }

  private static HistoryJob.Task task(TraceRow row, boolean map) throws TraceException {
    double start = row.number(4, "start_s", MOST_SECONDS);
    double end = row.number(5, "finish_s", MOST_SECONDS);
    if (end < start) {
      throw row.wrong(5, "finish_s", "a time not before start_s (" + start + ")");
    }
    int column = map ? HDFS_READ : REDUCE_SHUFFLE_BYTES;
    String name = map ? "hdfs_read" : "reduce_shuffle_bytes";
    long bytes = row.isBlank(column) ? 0 : row.whole(column, name, 0, RumenJson.MOST_BYTES);
    return new HistoryJob.Task(HistoryJob.bytes(bytes), start, end);
  }

  private static List<HistoryJob.Task> succeeded(Map<Long, Optional<HistoryJob.Task>> tasks) {
    return tasks.values().stream().flatMap(Optional::stream).toList();
  }
}
