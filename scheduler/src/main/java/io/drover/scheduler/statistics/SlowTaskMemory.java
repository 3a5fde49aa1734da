// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.restart.SlowTasks;
import io.drover.scheduler.statistics.ProgramMemory.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers what became of slow tasks in the latest jobs of each program and user. What one
 * application reports replaces what it has reported before, so nothing counts twice.
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
   */
  record Seen(String user, String program, String application, SlowTasks slow, double until) {
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

  /**
   * Takes in what an application has seen until now. Less than before comes from a later AppMaster
   * of the job, and is ignored.
   */
  void add(Seen seen) {
    if (seen.slow.all() == 0) {
      return;
    }
    Program program = new Program(seen.user, seen.program);
    Map<String, Seen> known = jobs.remove(program); // so that it is the newest
    known = known == null ? new LinkedHashMap<>() : known;
    Seen before = known.remove(seen.application);
    boolean isLess = before != null && before.slow.all() > seen.slow.all();
    known.put(seen.application, isLess ? before : seen);
    if (known.size() > MAX_JOBS) {
      known.remove(known.keySet().iterator().next());
    }
    jobs.put(program, known);
    ProgramMemory.forgetEldest(jobs, program);
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
    Map<String, Seen> known = new HashMap<>();
    here.forEach(seen -> known.put(seen.application, seen));
    jobs.clear();
    earlier.stream().filter(seen -> !known.containsKey(seen.application)).forEach(this::add);
    here.forEach(this::add);
  }
}
