// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The jobs of a history that are replayed, and counts of those that are not. The readers of both
 * formats add their jobs here, so both leave out the same ones.
 *
 * <p>Only jobs that succeeded are replayed. The record of a job that failed or was killed ends in
 * the middle: it has no durations of the tasks that were running, and no tasks that had not begun.
 * Replayed as it stands, it would be a complete job that is shorter and smaller than the real one,
 * with no long tasks, because these were running at its end. No scheme could make it better or
 * worse, and it would count among the small jobs. How long it took was up to the fault or to the
 * user. The price is its load, which the replayed cluster does not have; so {@link #provenance}
 * reports the outcomes of the jobs that are left out and the number of their tasks.
 *
 * <p>A job without an outcome, because its history has no end or the format dropped it, counts as
 * successful if all of its tasks have succeeded, and there are as many as it announced.
 *
 * <p>Several jobs of the same name are all replayed. Rumen's Folder repeats jobs under their name
 * to fill a longer time. The second one of a name gets {@code #2} behind it, the next one {@code
 * #3}.
 */
final class HistoryJobs {
  /** Stands for the outcome of a job that has none, and whose tasks did not all succeed. */
  private static final String NO_OUTCOME = "without an outcome";

  private final BadRecords bad;
  private final List<HistoryJob> jobs = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, Integer> lastNumbers = new HashMap<>();
  private final Map<String, Integer> unsuccessful = new TreeMap<>();
  private int unsuccessfulTasks;
  private int withoutMaps;
  private int withoutOutcome;
  private int unfinished;
  private int repeated;

  HistoryJobs(BadRecords bad) {
    this.bad = bad;
  }

  /** Where the bad jobs and lines of the history go. */
  BadRecords bad() {
    return bad;
  }

  /**
   * Reads an outcome of a job or a task's attempt. Hadoop wrote SUCCESS for a success before its
   * version 0.21, and has written SUCCEEDED since then; Rumen writes both.
   *
   * @param recorded a word; blank, or the word "null", if nothing was recorded
   * @return the word in upper case, SUCCESS for every success; empty if nothing was recorded
   */
  static Optional<String> outcome(String recorded) {
    String word = recorded.strip().toUpperCase(Locale.ROOT);
    if (word.isEmpty() || word.equals("NULL")) {
      return Optional.empty();
    }
    return Optional.of(word.equals("SUCCEEDED") ? "SUCCESS" : word);
  }

  /** Returns whether the outcome of an attempt or a job says that it succeeded. */
  static boolean isSuccess(Optional<String> outcome) {
    return outcome.filter("SUCCESS"::equals).isPresent();
  }

  /** Returns whether the outcome says that the job did not succeed, so that it is not replayed. */
  static boolean isUnsuccessful(Optional<String> outcome) {
    return outcome.isPresent() && !isSuccess(outcome);
  }

  /**
   * Counts a job that did not succeed.
   *
   * @param tasks the number of its recorded maps and reduces
   */
  void leaveOut(String outcome, int tasks) {
    unsuccessful.merge(outcome, 1, Integer::sum);
    unsuccessfulTasks += tasks;
  }

  /**
   * Adds a job if it succeeded.
   *
   * @param outcome SUCCESS, or empty if it was not recorded
   * @param announced the number of maps and reduces that the job says it has, 0 if it does not say
   */
  void add(HistoryJob job, Optional<String> outcome, long announced) {
    boolean complete = job.unfinished() == 0 && job.tasks() >= announced;
    if (outcome.isEmpty() && !complete) {
      leaveOut(NO_OUTCOME, job.tasks());
      return;
    }
    unfinished += job.unfinished();
    if (job.maps().isEmpty()) {
      withoutMaps++;
      return;
    }
    withoutOutcome += outcome.isEmpty() ? 1 : 0;
    jobs.add(job.named(unique(job.id())));
  }

  private String unique(String id) {
    if (names.add(id)) {
      return id;
    }
    repeated++;
    String name;
    do {
      name = id + "#" + (1 + lastNumbers.merge(id, 1, Integer::sum));
    } while (!names.add(name));
    return name;
  }

  /** Returns the jobs in the order of the file. Each has a name of its own and at least one map. */
  List<HistoryJob> jobs() {
    return jobs;
  }

  /** Returns the part of a message that says why no job is left. */
  String whyNone() {
    return unsuccessful.isEmpty()
        ? "no job has a map that succeeded; at least one such job is needed"
        : "no job succeeded, found "
            + outcomes()
            + "; expected at least one with the outcome SUCCESS and a map that succeeded";
  }

  /** Returns sentences for reports that say which jobs and tasks are replayed. */
  List<String> provenance() {
    List<String> all = new ArrayList<>();
    all.add(
        "Jobs: real, those that succeeded"
            + (withoutOutcome > 0
                ? " (" + withoutOutcome + " without an outcome, whose tasks all succeeded)"
                : "")
            + ". Left out: "
            + leftOut()
            + ".");
    if (repeated > 0) {
      all.add(
          "Repeated jobs: "
              + repeated
              + " with the name of an earlier job, as in a trace folded by Rumen. Each is replayed"
              + " as a job of its own, called NAME#2, NAME#3 and so on.");
    }
    all.add(
        "Tasks: real counts of the tasks that succeeded. Left out because they never succeeded: "
            + unfinished
            + ".");
    return all;
  }

  private String leftOut() {
    List<String> all = new ArrayList<>();
    if (!unsuccessful.isEmpty()) {
      all.add(outcomes() + " (with " + unsuccessfulTasks + " recorded tasks)");
    }
    if (withoutMaps > 0) {
      all.add(withoutMaps + " without a successful map");
    }
    return all.isEmpty() ? "none" : String.join(", ", all);
  }

  private String outcomes() {
    return unsuccessful.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }
}
