// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.cli.report.JobAnalysis.PhaseCost;
import io.drover.core.predict.MaskedName;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.JobRecord;
import io.drover.testbed.history.JobRecord.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * What slow tasks cost the jobs of a cluster, and whose fault it was. It keeps sums only, so that
 * any number of jobs can be added.
 */
final class ClusterAnalysis {
  private static final int MOST_JOBS = 20;

  /** A machine is judged over all jobs by at least so many attempts. */
  private static final int ENOUGH = 3;

  /** What one cause, machine, program or user cost. */
  static class Sum {
    private long tasks;
    private long jobs;
    private double costSeconds;
    private String lastJob = "";

    final void add(String job, long moreTasks, double cost) {
      tasks += moreTasks;
      costSeconds += cost;
      if (!job.equals(lastJob)) {
        jobs++;
        lastJob = job;
      }
    }

    private void plus(Sum other, int sign) {
      tasks += sign * other.tasks;
      costSeconds += sign * other.costSeconds;
    }

    /** Returns how many slow tasks there were; of a machine, how many attempts ran there. */
    long tasks() {
      return tasks;
    }

    /** Returns in how many jobs. */
    long jobs() {
      return jobs;
    }

    /** Returns by how much jobs were longer, seconds. */
    double costSeconds() {
      return costSeconds;
    }
  }

  /** What a machine cost, and whether it is slow in most jobs. */
  private static final class Machine extends Sum {
    private final Sum slowForNoReason = new Sum();
    private final Set<String> slowJobs = new HashSet<>();
    private long judged;
    private long slow;

    private boolean isSlow() {
      return judged >= ENOUGH && 2 * slow > judged;
    }
  }

  /** A job that lost much time, without its attempts. */
  record WorstJob(
      String id, String name, String user, double seconds, double costSeconds, String mainCause) {}

  private final Map<Cause, Sum> causes = new EnumMap<>(Cause.class);
  private final Map<String, Machine> machines = new HashMap<>();
  private final Map<String, Sum> programs = new HashMap<>();
  private final Map<String, Sum> users = new HashMap<>();
  private final Map<State, Long> states = new EnumMap<>(State.class);
  private final Set<String> seen = new HashSet<>();
  private final Set<String> slowMachineJobs = new HashSet<>();
  private final PriorityQueue<WorstJob> worst =
      new PriorityQueue<>(Comparator.comparingDouble(WorstJob::costSeconds));
  private final DroverActions drover = new DroverActions();
  private double jobSeconds;
  private double costSeconds;
  private double actedOnSeconds;
  private double savedSeconds;
  private double taskSeconds;
  private double wastedSeconds;
  private long timesMended;
  private long repeated;
  private Instant first = Instant.MAX;
  private Instant last = Instant.MIN;

  /** Counts files of jobs of which another file is added. */
  void repeated(int files) {
    repeated += files;
  }

  /** Adds a job, unless it was added before: a job may have several files. */
  void add(JobAnalysis analysis) {
    JobRecord job = analysis.job();
    if (!seen.add(job.id())) {
      repeated++;
      return;
    }
    states.merge(job.state(), 1L, Long::sum);
    first = job.submitted().isBefore(first) ? job.submitted() : first;
    last = job.finished().isAfter(last) ? job.finished() : last;
    double seconds = job.time().toMillis() / 1e3;
    jobSeconds += seconds;
    costSeconds += analysis.costSeconds();
    actedOnSeconds += analysis.actedOnSeconds();
    savedSeconds += drover.add(job) ? 0 : analysis.savedSeconds();
    taskSeconds += analysis.taskSeconds();
    wastedSeconds += analysis.wastedSeconds();
    timesMended += job.timesMended();
    addCauses(analysis);
    addMachines(analysis);
    addTo(programs, MaskedName.of(job.name()), analysis);
    addTo(users, job.user(), analysis);
    addToWorst(analysis, seconds);
  }

  private void addCauses(JobAnalysis analysis) {
    String job = analysis.job().id();
    for (Straggler straggler : analysis.stragglers()) {
      sum(causes, straggler.cause()).add(job, 1, straggler.costSeconds());
    }
    for (PhaseCost cost : analysis.phaseCosts()) {
      sum(causes, cost.cause()).add(job, 0, cost.costSeconds());
    }
  }

  private static <K> Sum sum(Map<K, Sum> sums, K key) {
    return sums.computeIfAbsent(key, missing -> new Sum());
  }

  /** Counts all attempts of a machine, and what its own faults cost. */
  private void addMachines(JobAnalysis analysis) {
    String job = analysis.job().id();
    for (AttemptRecord attempt : analysis.job().attempts()) {
      machine(attempt.node()).add(job, 1, 0);
    }
    analysis
        .machines()
        .forEach(
            (name, pace) -> {
              Machine machine = machine(name);
              machine.judged++;
              machine.slow += pace > PhaseTimes.SLOW ? 1 : 0;
            });
    for (Straggler straggler : analysis.stragglers()) {
      Machine machine = machine(straggler.attempt().node());
      if (straggler.cause() == Cause.SLOW_MACHINE) {
        slowMachineJobs.add(job);
      }
      if (isOfMachine(straggler.cause())) {
        machine.add(job, 0, straggler.costSeconds());
      }
      if (straggler.cause() == Cause.SLOW_ATTEMPT) {
        machine.slowForNoReason.add(job, 1, straggler.costSeconds());
        machine.slowJobs.add(job);
      }
    }
  }

  private Machine machine(String name) {
    return machines.computeIfAbsent(name, missing -> new Machine());
  }

  private static boolean isOfMachine(Cause cause) {
    return switch (cause) {
      case SLOW_MACHINE, SLOW_ATTEMPT, STOPPED, SLOW_START, SLOW_LINK -> true;
      case LOST_OUTPUT, LOST_MACHINE -> true;
      case PREEMPTED, LOST_MASTER, FAILED, MORE_DATA, MORE_WORK, LONE_TASK, WAITING_FOR_SLOTS ->
          false;
    };
  }

  private static void addTo(Map<String, Sum> sums, String key, JobAnalysis analysis) {
    sum(sums, key).add(analysis.job().id(), analysis.stragglers().size(), analysis.costSeconds());
  }

  private void addToWorst(JobAnalysis analysis, double seconds) {
    if (analysis.costSeconds() <= 0) {
      return;
    }
    JobRecord job = analysis.job();
    worst.add(
        new WorstJob(
            job.id(),
            job.name(),
            job.user(),
            seconds,
            analysis.costSeconds(),
            analysis.mainCause().map(Cause::words).orElse("")));
    if (worst.size() > MOST_JOBS) {
      worst.remove();
    }
  }

  /** Returns how many jobs were added. */
  int jobs() {
    return seen.size();
  }

  /** Returns how many files were of jobs that had been added before. */
  long repeated() {
    return repeated;
  }

  Map<State, Long> states() {
    return states;
  }

  Instant first() {
    return first;
  }

  Instant last() {
    return last;
  }

  double jobSeconds() {
    return jobSeconds;
  }

  double costSeconds() {
    return costSeconds;
  }

  double actedOnSeconds() {
    return actedOnSeconds;
  }

  /** Returns by how much the jobs would have been shorter in which Drover did not act, seconds. */
  double savedSeconds() {
    return savedSeconds;
  }

  /** Returns what Drover did in the others. */
  DroverActions drover() {
    return drover;
  }

  double taskSeconds() {
    return taskSeconds;
  }

  double wastedSeconds() {
    return wastedSeconds;
  }

  long timesMended() {
    return timesMended;
  }

  /**
   * Returns the causes, dearest first. In a job that had one attempt on a machine, nothing shows
   * that the machine is slow. If most attempts of all jobs were slow there, it is, so what these
   * attempts cost counts as its fault.
   */
  List<Map.Entry<Cause, Sum>> causes() {
    Map<Cause, Sum> all = new EnumMap<>(Cause.class);
    causes.forEach((cause, sum) -> sum(all, cause).plus(sum, 1));
    Set<String> ofMachines = new HashSet<>(slowMachineJobs);
    Set<String> ofAttempts = new HashSet<>();
    for (Machine machine : machines.values()) {
      (machine.isSlow() ? ofMachines : ofAttempts).addAll(machine.slowJobs);
      if (machine.isSlow() && machine.slowForNoReason.tasks > 0) {
        sum(all, Cause.SLOW_ATTEMPT).plus(machine.slowForNoReason, -1);
        sum(all, Cause.SLOW_MACHINE).plus(machine.slowForNoReason, 1);
      }
    }
    all.forEach((cause, sum) -> sum.jobs = sum(causes, cause).jobs);
    if (all.containsKey(Cause.SLOW_ATTEMPT)) {
      all.get(Cause.SLOW_ATTEMPT).jobs = ofAttempts.size();
    }
    if (all.containsKey(Cause.SLOW_MACHINE)) {
      all.get(Cause.SLOW_MACHINE).jobs = ofMachines.size();
    }
    all.values().removeIf(sum -> sum.tasks == 0 && sum.jobs == 0);
    return dearestFirst(all);
  }

  /** Returns the machines, dearest first. */
  List<? extends Map.Entry<String, ? extends Sum>> machines() {
    return dearestFirst(machines);
  }

  /** Returns the programs by their masked names, dearest first. */
  List<Map.Entry<String, Sum>> programs() {
    return dearestFirst(programs);
  }

  /** Returns the users, dearest first. */
  List<Map.Entry<String, Sum>> users() {
    return dearestFirst(users);
  }

  private static <K, S extends Sum> List<Map.Entry<K, S>> dearestFirst(Map<K, S> sums) {
    return sums.entrySet().stream()
        .sorted(
            Comparator.comparingDouble((Map.Entry<K, S> entry) -> -entry.getValue().costSeconds())
                .thenComparing(entry -> entry.getKey().toString()))
        .toList();
  }

  /** Returns the jobs that lost most, dearest first. */
  List<WorstJob> worstJobs() {
    List<WorstJob> jobs = new ArrayList<>(worst);
    jobs.sort(Comparator.comparingDouble((WorstJob job) -> -job.costSeconds()));
    return jobs;
  }
}
