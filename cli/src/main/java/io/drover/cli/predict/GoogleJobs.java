// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.JobRequests;
import io.drover.core.predict.JobRequests.Spread;
import io.drover.core.predict.evaluate.TraceJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads the jobs of Google's cluster in 2011, as the trace's derived table has them: outcomes of 20
 * days, and a second table with what the jobs of the first day asked for.
 *
 * <p>Jobs that were there before the trace begins are left out: nobody knows when they arrived. An
 * eviction or a loss counts as killed. The scheduling class stands for the queue and the priority,
 * because the priority is known of the first day's jobs only.
 */
final class GoogleJobs {
  private static final List<String> JOBS =
      List.of(
          "job",
          "submit_s",
          "sched_s",
          "end_s",
          "outcome",
          "sched_class",
          "user",
          "logical_name",
          "job_name");

  private static final List<String> REQUESTS =
      List.of("job", "priority", "n_tasks", "cpu_mean", "ram_mean", "disk_mean", "logical_name");

  private static final List<String> UNUSED =
      List.of(
          "submit_s",
          "preexisting",
          "sched_class",
          "cpu_max",
          "ram_max",
          "disk_max",
          "diff_machine",
          "user",
          "sched_5m",
          "evict_5m",
          "fail_5m",
          "sched_1h",
          "evict_1h",
          "fail_1h",
          "early5m_seen",
          "early1h_seen",
          "end_s",
          "outcome");

  private final Map<String, JobRequests> ofJob = new HashMap<>();
  private final Map<String, JobRequests> ofProgram = new HashMap<>();
  private int asked;
  private int assumed;

  private GoogleJobs() {}

  /**
   * Reads the tables.
   *
   * @param requests the table of what jobs asked for, if it is there
   */
  static JobTable read(Path jobs, Optional<Path> requests) throws IOException {
    GoogleJobs reader = new GoogleJobs();
    if (requests.isPresent()) {
      reader.requests(requests.get());
    }
    JobTable table = JobFile.read(jobs, JOBS, List.of(), reader::job);
    List<String> notes = new ArrayList<>();
    notes.add(
        "Google's cluster, 2011, 20 days. A job that was killed, evicted or lost is not one that"
            + " failed. Jobs that ran before the trace began are left out.");
    notes.add(
        requests.isPresent()
            ? String.format(
                Locale.ROOT,
                "What jobs ask for is known of the first day only (%,d jobs). For %,d later jobs of"
                    + " programs seen on that day, the same is assumed.",
                reader.asked,
                reader.assumed)
            : "What jobs ask for is not known, so static features say nothing.");
    return new JobTable(table.jobs(), table.skipped(), notes);
  }

  private void requests(Path file) throws IOException {
    JobFile.read(
        file,
        REQUESTS,
        UNUSED,
        row -> {
          JobRequests requests =
              new JobRequests(
                  row.numberOrUnknown("n_tasks"),
                  spread(row, "cpu_mean"),
                  spread(row, "ram_mean"),
                  spread(row, "disk_mean"),
                  Spread.same(row.numberOrUnknown("priority")));
          ofJob.put(row.needed("job"), requests);
          ofProgram.put(row.text("logical_name"), requests);
          JobArrival arrival = new JobArrival(row.needed("job"), 0, "", "", "", 0);
          return new TraceJob(
              arrival, requests, OptionalDouble.empty(), OptionalDouble.empty(), Optional.empty());
        });
  }

  /** Returns a mean of tasks whose deviation the table does not have; "nan" stands for unknown. */
  private static Spread spread(JobFile.Row row, String column) {
    boolean isKnown = !row.text(column).equals("nan");
    double mean = isKnown ? row.numberOrUnknown(column) : Double.NaN;
    return new Spread(mean, Double.NaN);
  }

  private TraceJob job(JobFile.Row row) {
    double submitted = row.neededTime("submit_s");
    if (submitted == 0) {
      throw new IllegalArgumentException("submitted before the trace");
    }
    String program = row.text("logical_name");
    String id = row.needed("job");
    JobRequests requests = ofJob.get(id);
    if (requests != null) {
      asked++;
    } else {
      requests = ofProgram.getOrDefault(program, JobRequests.UNKNOWN);
      assumed += requests.equals(JobRequests.UNKNOWN) ? 0 : 1;
    }
    double schedulingClass = row.number("sched_class").orElse(0);
    JobArrival arrival =
        new JobArrival(
            id,
            submitted,
            row.text("user"),
            "class " + (int) schedulingClass,
            program,
            (int) schedulingClass);
    Optional<JobOutcome> outcome = JobFile.outcome(row.needed("outcome"));
    return new TraceJob(arrival, requests, row.time("sched_s"), row.time("end_s"), outcome);
  }
}
