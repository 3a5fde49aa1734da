// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.JobStart;
import io.drover.core.restart.SlowTasks;
import io.drover.scheduler.statistics.SlowTaskMemory.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * Remembers what the jobs of programs have shown about their tasks: that they cannot bear two
 * attempts, and what became of slow ones. Users can report this about their own programs only, and
 * only a limited number of programs.
 *
 * <p>Safe for several threads; each call is short.
 */
final class ProgramMemory {
  /** Programs that are remembered. If there are more, those reported longest ago are forgotten. */
  static final int MAX_PROGRAMS = 5_000;

  /** Programs that are remembered per user. */
  static final int MAX_OF_A_USER = 100;

  /** A program of a user. */
  record Program(String user, String name) {}

  /** A program of a user, and until when it is remembered, in seconds. Used in snapshots. */
  record Remembered(String user, String program, double until) {
    Remembered {
      if (user == null || program == null || !Double.isFinite(until)) {
        throw new IllegalArgumentException("a program must have a user, a name and a time");
      }
    }
  }

  private final Map<ApplicationAttemptId, Program> running = new HashMap<>();
  private final Map<Program, Double> until = new LinkedHashMap<>();
  private final SlowTaskMemory slowTasks = new SlowTaskMemory();

  /**
   * Takes in which job an application runs, and what it has shown.
   *
   * @param memory how long a program is remembered, seconds
   * @param now seconds
   */
  synchronized void onReport(
      ApplicationAttemptId attempt, String user, JobStart job, double memory, double now) {
    if (job.program().isEmpty()) {
      return;
    }
    Program program = new Program(user, job.program().get());
    running.put(attempt, program);
    if (job.singleAttempts() && memory > 0) {
      remember(program, now + memory);
    }
    if (memory > 0) {
      slowTasks.add(
          new Seen(
              user,
              program.name,
              application(attempt),
              attempt.getAttemptId(),
              job.slowTasks(),
              now + memory));
    }
  }

  private static String application(ApplicationAttemptId attempt) {
    return attempt.getApplicationId().toString();
  }

  private void remember(Program program, double end) {
    until.remove(program); // so that it is the newest
    until.put(program, end);
    forgetEldest(until, program);
  }

  /** Forgets the eldest programs, of one program's user and of all, if there are too many. */
  static void forgetEldest(Map<Program, ?> programs, Program newest) {
    forgetEldest(programs, MAX_OF_A_USER, other -> other.user.equals(newest.user));
    forgetEldest(programs, MAX_PROGRAMS, other -> true);
  }

  private static void forgetEldest(Map<Program, ?> programs, int most, Predicate<Program> which) {
    long excess = programs.keySet().stream().filter(which).count() - most;
    for (Iterator<Program> it = programs.keySet().iterator(); excess > 0 && it.hasNext(); ) {
      if (which.test(it.next())) {
        it.remove();
        excess--;
      }
    }
  }

  /** Returns whether an application runs a program whose tasks cannot bear two attempts. */
  synchronized boolean isSingle(ApplicationAttemptId attempt, double now) {
    Program program = running.get(attempt);
    return program != null && now < until.getOrDefault(program, Double.NEGATIVE_INFINITY);
  }

  /** Returns what became of slow tasks in other jobs of the program that an application runs. */
  synchronized SlowTasks slowTasks(ApplicationAttemptId attempt, double now) {
    Program program = running.get(attempt);
    return program == null ? SlowTasks.NONE : slowTasks.others(program, application(attempt), now);
  }

  /** Forgets applications that have ended, and programs that have been remembered long enough. */
  synchronized void forget(Predicate<ApplicationAttemptId> runs, double now) {
    running.keySet().removeIf(attempt -> !runs.test(attempt));
    until.values().removeIf(end -> now >= end);
    slowTasks.forget(now);
  }

  /** Returns how many programs are remembered whose tasks cannot bear two attempts. */
  synchronized int size() {
    return until.size();
  }

  /** Returns the programs for a later ResourceManager. */
  synchronized List<Remembered> snapshot() {
    List<Remembered> all = new ArrayList<>();
    until.forEach((program, end) -> all.add(new Remembered(program.user, program.name, end)));
    return all;
  }

  /** Returns the slow tasks of jobs for a later ResourceManager. */
  synchronized List<Seen> slowTasks() {
    return slowTasks.snapshot();
  }

  /** Adds the slow tasks of jobs that an earlier ResourceManager has known. */
  synchronized void restoreSlowTasks(List<Seen> earlier) {
    slowTasks.restore(earlier);
  }

  /** Adds the programs that an earlier ResourceManager has known and this one does not. */
  synchronized void restore(List<Remembered> earlier) {
    for (Remembered one : earlier) {
      Program program = new Program(one.user, one.program);
      if (!until.containsKey(program)) {
        remember(program, one.until);
      }
    }
  }
}
