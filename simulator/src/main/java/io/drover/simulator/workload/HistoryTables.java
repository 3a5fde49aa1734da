// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads a job history from two tables, {@code jobs_NAME} and {@code attempts_NAME} in the same
 * folder, with times in seconds from the first submission. The tables are made from Rumen's JSON,
 * so both formats give the same jobs.
 *
 * <p>A bad line of either table makes its job bad, as a bad attempt does in the JSON. Its other
 * lines are then not read. A line of attempts is bad alone if no job of its name is known.
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

  private final BadRecords bad;
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final Set<String> badNames = new HashSet<>();

  private HistoryTables(BadRecords bad) {
    this.bad = bad;
  }

  /** A job while it is read: its line in the table of jobs, and its tasks by index. */
  private static final class Job {
    private final TraceRow row;
    private final Optional<String> outcome;
    private final Map<Long, Optional<HistoryJob.Task>> maps = new TreeMap<>();
    private final Map<Long, Optional<HistoryJob.Task>> reduces = new TreeMap<>();

    /** Checks the line. Nothing but the outcome of a job that is not replayed must be right. */
    Job(TraceRow row) throws TraceException {
      this.row = row;
      this.outcome = HistoryJobs.outcome(row.text(6));
      if (isReplayed()) {
        submit();
        announced(7, "maps");
        announced(8, "reduces");
      }
    }

    boolean isReplayed() {
      return !HistoryJobs.isUnsuccessful(outcome);
    }

    private double submit() throws TraceException {
      return row.number(3, "submit_s", MOST_SECONDS);
    }

    private long announced(int column, String name) throws TraceException {
      return row.whole(column, name, 0, MOST_TASKS);
    }

    private int tasks() {
      return maps.size() + reduces.size();
    }

    void addTo(HistoryJobs history) throws TraceException {
      if (!isReplayed()) {
        history.leaveOut(outcome.orElseThrow(), tasks());
        return;
      }
      mustBeComplete();
      HistoryJob job =
          new HistoryJob(row.text(0), submit(), succeeded(maps), succeeded(reduces), tasks());
      history.add(job, outcome, announced(7, "maps") + announced(8, "reduces"));
    }

    /** Checks that a successful job has all its tasks; if not, the other table was cut off. */
    private void mustBeComplete() throws TraceException {
      if (HistoryJobs.isSuccess(outcome)) {
        mustHave(7, "maps", maps.size());
        mustHave(8, "reduces", reduces.size());
      }
    }

    private void mustHave(int column, String name, int found) throws TraceException {
      if (announced(column, name) != found) {
        throw row.wrong(column, name, found + ", as many " + name + " as in the table of attempts");
      }
    }

    private static List<HistoryJob.Task> succeeded(Map<Long, Optional<HistoryJob.Task>> tasks) {
      return tasks.values().stream().flatMap(Optional::stream).toList();
    }
  }

  /**
   * Reads both tables into a history.
   *
   * @throws TraceException if a table as a whole is malformed, or if the history skips nothing and
   *     a line is
   */
  static void read(Path file, HistoryJobs into) throws TraceException {
    HistoryTables tables = new HistoryTables(into.bad());
    tables.readJobs(file);
    tables.readAttempts(attemptsOf(file));
    for (Job job : tables.jobs.values()) {
      try {
        job.addTo(into);
      } catch (TraceException e) {
        into.bad().job(e);
      }
    }
  }

  private static Path attemptsOf(Path file) throws TraceException {
    String name = file.getFileName().toString();
    if (!name.startsWith(JOBS)) {
      throw new TraceException(
          file + ": expected a name that begins with jobs_, next to a file attempts_...");
    }
    return file.resolveSibling(ATTEMPTS + name.substring(JOBS.length()));
  }

  private void readJobs(Path file) throws TraceException {
    String right = "Rumen's JSON, or a table with the columns " + JOBS_HEADER;
    new TraceTable(file, ',', right)
        .read(row -> row.mustBe(JOBS_HEADER), this::takeJob, this::badJob);
  }

  private void takeJob(TraceRow row) throws TraceException {
    row.mustHave(9, 9, JOBS_HEADER);
    String name = row.name(0, "job");
    if (jobs.containsKey(name) || badNames.contains(name)) {
      throw row.wrong(0, "job", "a name that no earlier job has");
    }
    jobs.put(name, new Job(row));
  }

  /** Leaves out a job, and an earlier one of its name: their attempts cannot be told apart. */
  private void badJob(TraceRow row, TraceException error) throws TraceException {
    bad.job(error);
    if (jobs.remove(row.text(0)) != null) {
      bad.job(error);
    }
    if (!row.isBlank(0)) {
      badNames.add(row.text(0));
    }
  }

  private void readAttempts(Path file) throws TraceException {
    new TraceTable(file, ',', ATTEMPTS_HEADER)
        .read(row -> row.mustBe(ATTEMPTS_HEADER), this::takeAttempt, this::badAttempt);
  }

  private void takeAttempt(TraceRow row) throws TraceException {
    if (badNames.contains(row.text(0))) {
      return;
    }
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
    if (job.isReplayed() && HistoryJobs.isSuccess(HistoryJobs.outcome(row.text(6)))) {
      task = Optional.of(task(row, map));
    }
    (map ? job.maps : job.reduces).merge(index, task, (old, more) -> old.isPresent() ? old : more);
  }

  private void badAttempt(TraceRow row, TraceException error) throws TraceException {
    String name = row.text(0);
    if (badNames.contains(name)) {
      return;
    }
    // A line that was cut off inside its first field does not name its job.
    if (row.columns() > 1 && jobs.remove(name) != null) {
      bad.job(error);
      badNames.add(name);
    } else {
      bad.line(error);
    }
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
}
