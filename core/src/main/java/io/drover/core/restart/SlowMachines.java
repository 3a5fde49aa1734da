// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the machines that are slow for a job. These are machines on which several of its tasks, and
 * more than half of them, turned out to be outliers. One slow attempt says something about the
 * attempt; several on one machine say something about the machine.
 *
 * <p>Source: the location factor of Mantri section 5.5 ("whether the candidate machine for running
 * this task is persistently slower than other machines"), reduced to yes or no for callers that can
 * only avoid a machine and not weigh it.
 *
 * <p>A reduce may already be waiting for maps on a machine that turns out to be slow. Nothing can
 * be estimated about it before its work begins, and a new start at that time would be added to the
 * wait. So it gets a copy while it waits: the copy's start then costs no time, only a slot and the
 * data that it fetches. The slower of the two is ended as soon as their own paces show which one it
 * is. This goes beyond Mantri, which waits until t_rem is known.
 */
public final class SlowMachines {
  /** These rules act because of a place and not because of a pace. */
  private static final Set<Rule> NO_OUTLIERS =
      EnumSet.of(Rule.SAME_MACHINE, Rule.WAITS_ON_SLOW_MACHINE);

  private final int outliers;
  private final Map<String, Set<TaskModel>> outliersOn = new HashMap<>();
  private final Set<String> found = new HashSet<>();

  /**
   * Creates the rule.
   *
   * @param outliers tasks that must have been outliers on a machine, at least 1
   */
  public SlowMachines(int outliers) {
    if (outliers < 1) {
      throw new IllegalArgumentException("outliers must be at least 1, was " + outliers);
    }
    this.outliers = outliers;
  }

  /**
   * Takes in the decisions of one pass over a phase.
   *
   * @return the machines that are newly found to be slow
   */
  public List<String> observe(PhaseModel phase, List<Decision> decisions) {
    List<String> fresh = new ArrayList<>();
    for (Decision decision : decisions) {
      String machine = isOutlier(decision) ? machine(decision) : null;
      if (machine == null || found.contains(machine)) {
        continue;
      }
      Set<TaskModel> tasks = outliersOn.computeIfAbsent(machine, m -> new HashSet<>());
      tasks.add(decision.task());
      if (tasks.size() >= outliers && 2 * tasks.size() > tasksOn(machine, phase, tasks)) {
        found.add(machine);
        fresh.add(machine);
      }
    }
    return fresh;
  }

  /** Notes a machine that is known to be slow, so that it is not found again. */
  public void known(String machine) {
    found.add(machine);
  }

  /** Returns whether any machine is known to be slow. */
  public boolean areKnown() {
    return !found.isEmpty();
  }

  /**
   * Gives a copy to each attempt that was to be left waiting for input on a slow machine. An
   * attempt gets at most one such copy, even if that copy fails.
   *
   * @param decisions a policy's decisions in one pass over a phase whose tasks have all begun
   * @param freeSlots how many copies there is room for, including those of the decisions
   * @return the decisions, with the copies in place of the waits
   */
  public List<Decision> copyWaiting(List<Decision> decisions, int freeSlots) {
    long free = freeSlots - decisions.stream().filter(d -> d.action() == Action.DUPLICATE).count();
    List<Decision> revised = new ArrayList<>(decisions.size());
    for (Decision decision : decisions) {
      boolean copy = free > 0 && waits(decision) && found.contains(machine(decision));
      revised.add(copy ? copied(decision) : decision);
      free -= copy ? 1 : 0;
    }
    return revised;
  }

  private static boolean waits(Decision decision) {
    boolean isNewest = decision.attempt().orElse(null) == decision.task().lastAttempt();
    return isNewest && decision.rule() == Rule.INPUTS_MISSING;
  }

  private static Decision copied(Decision left) {
    return new Decision(
        left.at(), left.task(), left.attempt(), Rule.WAITS_ON_SLOW_MACHINE, left.evidence());
  }

  private static boolean isOutlier(Decision decision) {
    boolean acts = decision.action() != Action.LEAVE && decision.action() != Action.START;
    return acts && !NO_OUTLIERS.contains(decision.rule());
  }

  private static String machine(Decision decision) {
    return decision.attempt().flatMap(AttemptModel::machine).orElse(null);
  }

  /** Counts the phase's tasks, and others' outliers, that have had an attempt on the machine. */
  private static int tasksOn(String machine, PhaseModel phase, Set<TaskModel> outliers) {
    Set<TaskModel> tasks = new HashSet<>(outliers);
    for (TaskModel task : phase.tasks()) {
      for (AttemptModel attempt : task.attempts()) {
        boolean worked = attempt.work() > 0 || !attempt.state().isLive();
        if (worked && machine.equals(attempt.machine().orElse(null))) {
          tasks.add(task);
        }
      }
    }
    return tasks.size();
  }
}
