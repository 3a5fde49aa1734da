// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.restart.SlowTasks;
import io.drover.scheduler.statistics.ProgramMemory.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers what became of slow tasks in the latest jobs of each program and user. What an
 * AppMaster reports replaces what it has reported before, so nothing counts twice. It may be less:
 * an AppMaster sees more clearly by and by what made a task slow. A later AppMaster of the job does
 * not know of all attempts that an earlier one has seen; less from it is ignored.
 *
 * <p>Not for several threads at once.
 */
final class SlowTaskMemory {
  /** Jobs that are remembered of a program. */
  static final int MAX_JOBS = 10;

  /** More slow tasks of a program count as this many. */
  static final double MAX_TASKS = 20;

  /**
   * The slow tasks of one job, and until when they are remembered, in seconds. Used in snapshots.
   *
   * @param attempt the number of the application's attempt whose AppMaster has seen them; 0 in
   *     snapshots of older versions
   */
  record Seen(
      String user, String program, String application, int attempt, SlowTasks slow, double until) {
    Seen {
      if (user == null || program == null || application == null || slow == null) {
        throw new IllegalArgumentException("slow tasks must be those of an application's program");
      }
      if (!Double.isFinite(until)) {
        throw new IllegalArgumentException("the time must be a number of seconds");
      }
    }
  }

  private final Map<Program, Map<String, Seen>> jobs = new LinkedHashMap<>();

  /** Takes in what an AppMaster has seen until now. */
  void add(Seen seen) {
    Program program = new Program(seen.user, seen.program);
    Seen before = jobs.getOrDefault(program, Map.of()).get(seen.application);
    boolean isNews =
        before == null
            ? seen.slow.all() > 0
            : before.attempt == seen.attempt || before.slow.all() <= seen.slow.all();
    if (!isNews) {
      return;
    }
    Map<String, Seen> known = jobs.remove(program); // so that it is the newest
    known = known == null ? new LinkedHashMap<>() : known;
    known.remove(seen.application);
    if (seen.slow.all() > 0) {
      known.put(seen.application, seen);
    }
    if (known.size() > MAX_JOBS) {
      known.remove(known.keySet().iterator().next());
    }
    if (!known.isEmpty()) {
      jobs.put(program, known);
      ProgramMemory.forgetEldest(jobs, program);
    }
  }

  /** Returns what became of slow tasks in the program's jobs other than one. */
  SlowTasks others(Program program, String application, double now) {
    return jobs.getOrDefault(program, Map.of()).values().stream()
        .filter(seen -> now < seen.until && !seen.application.equals(application))
        .map(Seen::slow)
        .reduce(SlowTasks.NONE, SlowTasks::plus)
        .atMost(MAX_TASKS);
  }

  /** Forgets what has been remembered long enough. */
  void forget(double now) {
    jobs.values().forEach(known -> known.values().removeIf(seen -> now >= seen.until));
    jobs.values().removeIf(Map::isEmpty);
  }

  /** Returns all jobs for a later ResourceManager. */
  List<Seen> snapshot() {
    List<Seen> all = new ArrayList<>();
    jobs.values().forEach(known -> all.addAll(known.values()));
    return all;
  }

  /** Adds the jobs that an earlier ResourceManager has known; what is known here is newer. */
  void restore(List<Seen> earlier) {
    List<Seen> here = snapshot();
    jobs.clear();
    earlier.forEach(this::add);
    here.forEach(this::add);
  }
}
