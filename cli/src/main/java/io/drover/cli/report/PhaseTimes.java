// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.core.machine.OutlierRule;
import io.drover.core.model.TaskKind;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.JobRecord;
import io.drover.testbed.history.JobRecord.Master;
import io.drover.testbed.history.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * When the tasks of a phase worked, in seconds since the job was submitted.
 *
 * <p>A task works from the launch of its first attempt until the attempt ends whose output is the
 * task's, failed attempts and waits between them included. A reduce works from the end of the last
 * map, if it was launched before: until then it waited for maps. A task that never succeeded works
 * until its last attempt ended.
 */
final class PhaseTimes {
  /**
   * A task is slow if it took longer than 1.5 times the median of its phase. Source: Mantri section
   * 3, whose outliers are tasks with 1.5 times the median duration. Its attempts are judged by
   * {@link OutlierRule} elsewhere, since Dolly compares rates; here it is time that counts.
   */
  static final double SLOW = 1.5;

  /** Clocks of a cluster may differ by so much, seconds. Chosen: NTP keeps them closer. */
  private static final double SKEW = 2;

  /** A median of fewer tasks says nothing. */
  static final int LEAST_TASKS = 3;

  private final JobRecord job;
  private final TaskKind kind;
  private final double earliest;
  private final double needed;
  private final List<TaskRecord> tasks;
  private final double[] begins;
  private final double[] ends;
  private final OptionalDouble median;

  private PhaseTimes(JobRecord job, TaskKind kind, double earliest, double needed) {
    this.job = job;
    this.kind = kind;
    this.earliest = earliest;
    this.needed = needed;
    this.tasks =
        job.tasks().stream()
            .filter(task -> task.kind() == kind && !task.attempts().isEmpty())
            .toList();
    this.begins = new double[tasks.size()];
    this.ends = new double[tasks.size()];
    for (int i = 0; i < ends.length; i++) {
      double launched = since(job, tasks.get(i).attempts().get(0).start());
      ends[i] = Math.max(launched, since(job, end(tasks.get(i))));
      begins[i] = Math.min(ends[i], Math.max(earliest, launched));
    }
    double[] usual =
        IntStream.range(0, ends.length)
            .filter(this::isMeasured)
            .mapToDouble(this::seconds)
            .toArray();
    this.median = new OutlierRule(SLOW, LEAST_TASKS).median(usual);
  }

  /** Returns whether the history tells how long a task takes that is not cut off. */
  private boolean isMeasured(int task) {
    return begins[task] > 0 && tasks.get(task).winner().filter(this::isTimed).isPresent();
  }

  /**
   * Returns whether the history tells how long an attempt that succeeded took. A time at the edge
   * of the job's was clipped, because clocks differ, or because the job did not wait for the
   * attempt. A reduce that had fetched all when the last map was started again, because its output
   * was lost, did not need that one. When it had fetched is told by another clock than when the map
   * ran, so one that seems to have fetched only somewhat before the map ended counts.
   */
  boolean isTimed(AttemptRecord attempt) {
    return since(job, attempt.start()) > 0
        && attempt.finish().isBefore(job.finished())
        && seconds(attempt) > 0
        && attempt.shuffleFinish().stream().allMatch(end -> since(job, end) >= needed);
  }

  private static Instant end(TaskRecord task) {
    return task.winner()
        .or(() -> task.attempts().stream().max(Comparator.comparing(AttemptRecord::finish)))
        .map(AttemptRecord::finish)
        .orElseThrow();
  }

  /** Returns the times of a job's maps. */
  static PhaseTimes ofMaps(JobRecord job) {
    return new PhaseTimes(job, TaskKind.MAP, 0, 0);
  }

  /** Returns the times of a job's reduces. */
  static PhaseTimes ofReduces(JobRecord job, PhaseTimes maps) {
    return new PhaseTimes(job, TaskKind.REDUCE, maps.end(), maps.lastStartOfLost() - SKEW);
  }

  /**
   * Returns when the last task was started again because its output was lost: who had that output
   * by then needed no other. It is 0 if the task that ended last had lost none.
   */
  private double lastStartOfLost() {
    return IntStream.range(0, ends.length)
        .filter(task -> ends[task] == end())
        .mapToObj(tasks::get)
        .filter(task -> task.attempts().stream().anyMatch(a -> a.outcome() == Outcome.OUTPUT_LOST))
        .flatMap(task -> task.winner().stream())
        .mapToDouble(winner -> since(job, winner.start()))
        .max()
        .orElse(0);
  }

  /** Returns a time in seconds since the job was submitted. */
  static double since(JobRecord job, Instant time) {
    return Duration.between(job.submitted(), time).toMillis() / 1e3;
  }

  TaskKind kind() {
    return kind;
  }

  /** Returns the tasks that had an attempt, in order. */
  List<TaskRecord> tasks() {
    return tasks;
  }

  /** Returns how long a task worked. */
  double seconds(int task) {
    return ends[task] - begins[task];
  }

  /** Returns how long an attempt worked. */
  double seconds(AttemptRecord attempt) {
    double from = Math.max(earliest, since(job, attempt.start()));
    return Math.max(0, since(job, attempt.finish()) - from);
  }

  /** Returns how long a reduce fetched after the maps had ended; empty if that is not recorded. */
  OptionalDouble fetchSeconds(AttemptRecord attempt) {
    return attempt.shuffleFinish().stream()
        .mapToDouble(
            end -> Math.max(0, since(job, end) - Math.max(earliest, since(job, attempt.start()))))
        .findFirst();
  }

  /** Returns how long after a task began to work something happened; negative if before. */
  double secondsUntil(int task, Instant time) {
    return since(job, time) - begins[task];
  }

  double begin(int task) {
    return begins[task];
  }

  double end(int task) {
    return ends[task];
  }

  double[] ends() {
    return ends.clone();
  }

  /** Returns when the last task ended; 0 if there is none. */
  double end() {
    return Arrays.stream(ends).max().orElse(0);
  }

  /**
   * Returns when the first task began; 0 if there is none. Reduces that ended before a lost map
   * output was there again waited for nothing, so what others waited for it counts as no wait here.
   */
  double begin() {
    return Math.min(end(), Math.max(earliest, Arrays.stream(begins).min().orElse(0)));
  }

  /** Returns the median time of the tasks that succeeded; empty if too few did to tell. */
  OptionalDouble median() {
    return median;
  }

  /** Returns whether a task was slow; one that was cut off is once it has worked for so long. */
  boolean isSlow(int task) {
    return median.isPresent() && seconds(task) > SLOW * median.getAsDouble();
  }

  /** Returns when each task would have ended if no slow one had taken longer than the median. */
  double[] usualEnds() {
    double[] usual = ends.clone();
    for (int i = 0; i < usual.length; i++) {
      if (isSlow(i)) {
        usual[i] = begins[i] + median.getAsDouble();
      }
    }
    return usual;
  }

  /**
   * Returns by how much the phase would have been shorter if no task had waited for a slot and none
   * had been slow: then each would have begun when the first did.
   */
  double secondsOfWaiting() {
    if (tasks.isEmpty()) {
      return 0;
    }
    double last = 0;
    double longest = 0;
    double[] usual = usualEnds();
    for (int i = 0; i < usual.length; i++) {
      last = Math.max(last, usual[i]);
      longest = Math.max(longest, usual[i] - begins[i]);
    }
    return Math.max(0, last - begin() - longest);
  }

  /**
   * Returns how long the phase was held up because AppMasters were lost. The next one keeps the
   * tasks that were done and runs the others again, and the history has nothing of their earlier
   * attempts (Hadoop's {@code MRAppMaster.parsePreviousJobHistory}). So the time counts from the
   * last start of a task that was kept to the first start by the next AppMaster.
   */
  double secondsOfLostMasters() {
    NavigableSet<Double> starts = new TreeSet<>();
    Arrays.stream(begins).forEach(starts::add);
    Map<Double, Double> spans = new HashMap<>(); // by their end: one AppMaster may start no task
    for (Master later : job.masters().stream().skip(1).toList()) {
      double started = since(job, later.started());
      Double before = starts.lower(started);
      Double after = starts.ceiling(started);
      if (before != null && after != null) {
        spans.put(after, after - before);
      }
    }
    return spans.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
