// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Copies reduces that wait for maps on a machine that is or may be bad. Nothing can be estimated
 * about such a reduce before its work begins, and a new start at that time would be added to the
 * wait. While it waits, the start of a copy costs no time, only a slot and the data that it
 * fetches. The slower of the two is ended as soon as their own paces show which one it is. This
 * goes beyond Mantri, which waits until t_rem is known.
 */
public final class EarlyCopies {
  private EarlyCopies() {}

  /**
   * Gives a copy to each attempt that was to be left waiting for input on such a machine, and to
   * each that was to be left on a dead one because too little is known of it. An attempt gets at
   * most one such copy, even if that copy fails. One that has run for less than the least time gets
   * none, unless its machine is dead: how long it has waited says nothing of its machine, but who
   * sets that time wants no copies of tasks that may be over soon.
   *
   * @param decisions a policy's decisions in one pass over a phase whose tasks have all begun
   * @param bad tells which machines are or may be bad
   * @param mayBeCopied tells which tasks may get a further copy
   * @param leastRunSeconds {@link RestartSettings#leastRunSeconds}
   * @param freeSlots how many copies there is room for, including those of the decisions
   * @return the decisions, with the copies in place of the waits
   */
  public static List<Decision> copyWaiting(
      List<Decision> decisions,
      Predicate<String> bad,
      Predicate<TaskModel> mayBeCopied,
      double leastRunSeconds,
      int freeSlots) {
    long free = freeSlots - decisions.stream().filter(d -> d.action() == Action.DUPLICATE).count();
    List<Decision> revised = new ArrayList<>(decisions.size());
    for (Decision decision : decisions) {
      boolean mayCopy = free > 0 && mayBeCopied.test(decision.task());
      Optional<Rule> why = mayCopy ? why(decision, bad, leastRunSeconds) : Optional.empty();
      revised.add(why.map(decision::because).orElse(decision));
      free -= why.isPresent() ? 1 : 0;
    }
    return revised;
  }

  private static Optional<Rule> why(
      Decision decision, Predicate<String> bad, double leastRunSeconds) {
    Optional<AttemptModel> attempt = decision.attempt();
    if (attempt.isEmpty() || attempt.get() != decision.task().lastAttempt()) {
      return Optional.empty();
    }
    boolean waits = decision.rule() == Rule.INPUTS_MISSING;
    boolean isUnknown =
        decision.rule() == Rule.TOO_FEW_REPORTS || decision.rule() == Rule.TOO_FEW_OBSERVATIONS;
    if ((waits || isUnknown) && decision.task().phase().liveness().isOnDeadMachine(attempt.get())) {
      return Optional.of(Rule.MACHINE_DEAD);
    }
    boolean hasRunBriefly = decision.at() - attempt.get().launchedAt() < leastRunSeconds;
    return waits && !hasRunBriefly && attempt.get().machine().filter(bad).isPresent()
        ? Optional.of(Rule.WAITS_ON_SLOW_MACHINE)
        : Optional.empty();
  }
}
