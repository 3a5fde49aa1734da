// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.estimate.NewAttemptEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.ProcessRates;
import io.drover.core.model.SortedArrays;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Judges whether a slow task has more to do than its input says, so that its next attempt would be
 * as slow. By Mantri section 4.1, that is so of a quarter of the outliers. What else is known of
 * the phase changes the odds:
 *
 * <ul>
 *   <li>Each further attempt of the task that is slow too, on another machine, makes it ten times
 *       as likely: one attempt in ten is slow by chance.
 *   <li>An attempt of it that is not slow rules it out.
 *   <li>If other tasks are slow wherever its attempts are, and not as often elsewhere, the machines
 *       are to blame, which makes it a tenth as likely.
 *   <li>So does, by and by, what became of other slow tasks that had a second attempt: in the
 *       phase, and in earlier jobs of the program. One does not count as having more to do if most
 *       tasks that began when it did were slow too: something else made them so, such as another
 *       job.
 * </ul>
 *
 * <p>No paper has this. Mantri compares sizes alone, and so kills and restarts a task that has more
 * to do on as many bytes, up to three times.
 */
final class MoreToDo {
  /** An attempt that takes this many times as long as peers is slow. */
  static final double SLOW = 1.5;

  /**
   * The chance that an attempt is slow though its task is like others, on a machine like others.
   */
  private static final double SLOW_BY_CHANCE = 0.1;

  /** Shorter work is all the same, in seconds: Hadoop's clocks count milliseconds. */
  private static final double SHORTEST = 0.001;

  /** How many slow tasks with second attempts the prior counts as. */
  private static final double PRIOR = 4;

  private final double prior;
  private final ProcessRates rates;
  private final double[] ascending;

  /**
   * Looks at what has become of the slow tasks of a phase.
   *
   * @param prior the chance without any evidence, in [0,1)
   * @param earlier what became of those of earlier jobs of the program
   * @param fresh the phase's process rates at {@code now}
   */
  MoreToDo(
      PhaseModel phase, double prior, SlowTasks earlier, NewAttemptEstimator fresh, double now) {
    this.rates = fresh.observed();
    this.ascending = rates.all();
    if (prior == 0) {
      this.prior = 0; // it is not asked
      return;
    }
    Arrays.sort(ascending);
    SlowTasks seen = slowTasks(phase, fresh.meanRate(), now).plus(earlier);
    this.prior = (PRIOR * prior + seen.withMore()) / (PRIOR + seen.all());
  }

  /**
   * Returns what has become of the slow tasks of a phase that had a second attempt.
   *
   * @param like the usual rate, seconds per unit of input
   */
  static SlowTasks slowTasks(PhaseModel phase, double like, double now) {
    List<TaskModel> more = new ArrayList<>();
    int alike = 0;
    for (TaskModel task : phase.tasks()) {
      if (task.attempts().size() > 1) {
        Seen seen = new Seen(task, like, now);
        if (seen.hasMore()) {
          more.add(task);
        }
        alike += seen.isLikeOthers() ? 1 : 0;
      }
    }
    return new SlowTasks(more.isEmpty() ? 0 : countApart(more, like, now), alike);
  }

  /**
   * Returns how many slow tasks were slow while others were not: of those that began within half of
   * the usual time of each, itself included, at most half and one were slow. What runs at the end
   * of a phase would be no measure, because only slow tasks run then.
   */
  private static long countApart(List<TaskModel> tasks, double like, double now) {
    PhaseModel phase = tasks.get(0).phase();
    double[] known = began(phase, 0, like, now);
    double[] slow = began(phase, SLOW, like, now);
    return tasks.stream()
        .filter(
            task -> {
              double at = task.attempts().get(0).launchedAt();
              double about = usualSeconds(task, like) / 2;
              return 2 * count(slow, at, about) <= count(known, at, about) + 1;
            })
        .count();
  }

  /** Returns when the first attempts of tasks began that are at least so slow, in order. */
  private static double[] began(PhaseModel phase, double slowness, double like, double now) {
    return phase.tasks().stream()
        .filter(task -> !task.attempts().isEmpty() && !task.isSmall())
        .map(task -> task.attempts().get(0))
        .filter(first -> slowness(first, like, now) >= slowness)
        .mapToDouble(AttemptModel::launchedAt)
        .sorted()
        .toArray();
  }

  private static int count(double[] ascending, double at, double about) {
    return SortedArrays.countBelow(ascending, at + about)
        - SortedArrays.countBelow(ascending, at - about);
  }

  private static double usualSeconds(TaskModel task, double like) {
    return Math.max(SHORTEST, like * task.phase().size(task));
  }

  /** Returns how many times as long as usual an attempt takes; NaN and infinite as its pace. */
  private static double slowness(AttemptModel attempt, double like, double now) {
    return attempt.pace().mainSecondsOrNaN(now) / usualSeconds(attempt.task(), like);
  }

  /** What the attempts of a task have shown. */
  private static final class Seen {
    /** The machines of those that were slow. */
    private final List<Integer> slow = new ArrayList<>();

    private int usual;

    /** How slow the one of them is that has shown most of its work, in multiples of others. */
    private double factor = 1;

    private double most = -1;

    /** Compares the attempts with a usual rate, seconds per unit of input. */
    Seen(TaskModel task, double like, double now) {
      for (AttemptModel attempt : task.attempts()) {
        double slowness = slowness(attempt, like, now);
        if (slowness >= SLOW && slowness < Double.POSITIVE_INFINITY) {
          slow.add(attempt.machineNumber());
          if (attempt.work() > most) {
            most = attempt.work();
            factor = slowness;
          }
        } else if (slowness < SLOW) {
          usual++;
        }
      }
    }

    boolean hasMore() {
      return slow.size() > 1 && usual == 0;
    }

    boolean isLikeOthers() {
      return !slow.isEmpty() && usual > 0;
    }
  }

  /**
   * Returns whether tasks of the phase are slow on a machine, besides one that is known to be, at
   * least twice as often as elsewhere. Ten more count as elsewhere, of which one is slow by chance.
   */
  private boolean isSlow(int machine, double like) {
    double[] there = rates.on(machine);
    long slowThere = Arrays.stream(there).filter(rate -> rate >= SLOW * like).count();
    int slow = ascending.length - SortedArrays.countBelow(ascending, SLOW * like);
    double slowElsewhere = slow - slowThere + 1;
    double share = slowElsewhere / (ascending.length - there.length + 1 / SLOW_BY_CHANCE);
    return slowThere > 1 && slowThere - 1 >= 2 * share * (there.length - 1);
  }

  /**
   * Returns the verdict on a task.
   *
   * @param like the usual rate elsewhere, seconds per unit of input
   */
  Verdict of(TaskModel task, double like, double now) {
    if (prior == 0) {
      return Verdict.NO;
    }
    Seen seen = new Seen(task, like, now);
    if (seen.slow.isEmpty() || seen.usual > 0) {
      return Verdict.NO;
    }
    long blameless = seen.slow.stream().distinct().filter(m -> !isSlow(m, like)).count();
    double odds = prior / (1 - prior) * Math.pow(SLOW_BY_CHANCE, 1.0 - blameless);
    return new Verdict(odds / (1 + odds), seen.factor);
  }

  /**
   * Tells how likely a task has more to do, and how much.
   *
   * @param chance in [0,1)
   * @param factor how many times as long its next attempt takes then, at least 1
   */
  record Verdict(double chance, double factor) {
    static final Verdict NO = new Verdict(0, 1);
  }
}
