// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The bad jobs and lines of a trace. Either the first one ends the reading, with an error that says
 * how to go on without it, or all are left out and counted.
 *
 * <p>Only what can be left out alone comes here. A file that cannot be read as a whole (a wrong
 * header, damaged gzip data) is an error in both cases, and does not come here.
 */
final class BadRecords {
  private static final String OPTION = "--skip-bad";

  private final boolean skip;
  private final List<String> notes = new ArrayList<>();
  private String first = "";
  private int jobs;
  private int lines;

  /**
   * Creates an empty record.
   *
   * @param skip whether bad jobs and lines are left out; if not, the first one is an error
   */
  BadRecords(boolean skip) {
    this.skip = skip;
  }

  /** Leaves out a job, or throws. */
  void job(TraceException bad) throws TraceException {
    goOn(bad, "without this job");
    jobs++;
  }

  /** Leaves out a line, or throws. */
  void line(TraceException bad) throws TraceException {
    goOn(bad, "without this line");
    lines++;
  }

  /** Returns the number of lines that were left out. */
  int lines() {
    return lines;
  }

  /**
   * Notes that a part of the file is missing, or throws.
   *
   * @param how how the reading goes on, such as "with the jobs before it"
   */
  void part(TraceException bad, String how) throws TraceException {
    goOn(bad, how);
    notes.add("Bad input: " + bad.getMessage() + ". The run goes on " + how + " (" + OPTION + ").");
  }

  private void goOn(TraceException bad, String how) throws TraceException {
    if (!skip) {
      throw new TraceException(bad.getMessage() + "; " + OPTION + " goes on " + how, bad);
    }
    first = first.isEmpty() ? bad.getMessage() : first;
  }

  /**
   * Checks that something is left of the file.
   *
   * @param left the number of jobs that are not bad
   * @throws TraceException if all jobs are bad
   */
  void mustLeave(Path file, int left) throws TraceException {
    if (left == 0 && !first.isEmpty()) {
      throw new TraceException(
          file
              + ": no job is left without the bad ones, expected at least one. The first: "
              + first);
    }
  }

  /** Returns sentences for reports that say what was left out; none if nothing was. */
  List<String> provenance() {
    List<String> all = new ArrayList<>();
    if (jobs + lines > 0) {
      all.add("Bad input: left out " + leftOut() + " (" + OPTION + "). The first: " + first);
    }
    all.addAll(notes);
    return all;
  }

  private String leftOut() {
    if (jobs > 0 && lines > 0) {
      return count(jobs, "job") + " and " + count(lines, "line");
    }
    return jobs > 0 ? count(jobs, "job") : count(lines, "line");
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
