// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import io.drover.core.model.Decision.Action;

/**
 * The reason for a decision: the rule that fired. The text of each constant is the sentence that
 * people read in the log; the figures are in the decision's {@link Evidence}.
 */
public enum Rule {
  /** Mantri pseudocode 1, line 6. */
  RESTART_PAYS(
      Action.KILL_AND_RESTART,
      "tasks wait for slots, and a new attempt would finish much sooner: t_rem > E[t_new] + max(Delta, work/2)"),
  /** Mantri pseudocode 1, line 7. */
  COPY_SAVES_RESOURCES(
      Action.DUPLICATE,
      "tasks wait for slots, and a copy is likely to save slot time: P(t_new < c/(c+1) t_rem) >"
          + " delta"),
  /** Mantri pseudocode 1, line 10, with its sign corrected. */
  COPY_SAVES_TIME(
      Action.DUPLICATE,
      "all tasks have begun, and a copy is expected to end sooner: E[t_rem - t_new] > rho Delta"),
  /** Mantri pseudocode 1, line 3. */
  SLOWER_COPY(Action.PRUNE, "there are faster copies, and this one is older than Delta"),
  /**
   * {@code SlowerAttemptRule}: once it is known which attempt is faster, the other is of no use.
   */
  SLOWER_ATTEMPT(Action.PRUNE, "another attempt of its task is expected to finish sooner"),
  /** Mantri section 5.5: on the same machine a copy would take as long. */
  SAME_MACHINE(
      Action.KILL_AND_RESTART,
      "it got a container on the machine of another attempt of its task, or on the one from which"
          + " its task was moved"),
  /** Not in the paper: all that runs on a machine is lost with it. */
  MACHINE_DEAD(
      Action.DUPLICATE,
      "all tasks have begun, and neither its machine answers nor anything that runs there"),
  /** {@code EarlyCopies}: while an attempt waits, the start of its copy costs no time. */
  WAITS_ON_SLOW_MACHINE(
      Action.DUPLICATE,
      "all tasks have begun, and it waits for input on a machine where most tasks of its job were"
          + " outliers, or whose link is slow"),
  /** Mantri section 5.4. */
  LARGEST_FIRST(Action.START, "it has the most input of all waiting tasks"),

  /** A commit is granted or pending. */
  COMMITTING(Action.LEAVE, "one of its attempts is committing its output"),
  /** The last copy of the task was requested less than Delta ago. */
  COPIED_LATELY(Action.LEAVE, "a copy of it was requested less than Delta ago"),
  /** A copy waits for a container. */
  COPY_PENDING(Action.LEAVE, "a copy that was requested has not started yet"),
  /** A copy has not run for long enough. */
  COPY_TOO_YOUNG(Action.LEAVE, "a copy of it has sent too few reports to be judged"),
  /** The attempt has not sent enough reports. */
  TOO_FEW_REPORTS(Action.LEAVE, "it has sent too few reports for an estimate"),
  /** Too few attempts of the phase have been observed. */
  TOO_FEW_OBSERVATIONS(Action.LEAVE, "too few attempts of the phase have been observed"),
  /** A reduce may be waiting for maps. */
  INPUTS_MISSING(Action.LEAVE, "it may be waiting for input that does not exist yet"),
  /** As many copies as allowed are running, or too many attempts have failed. */
  ENOUGH_COPIES(Action.LEAVE, "as many copies of the task as allowed are running or have failed"),
  /** The task has been restarted as often as allowed, and a copy would not pay. */
  ENOUGH_RESTARTS(Action.LEAVE, "the task was restarted as often as is allowed"),
  /** All free slots have been given out. */
  NO_SLOT(Action.LEAVE, "a copy would pay, but no slot is free for it"),
  /** {@link Liveness}. */
  CORRELATED_STALL(
      Action.LEAVE,
      "it stopped together with most attempts of its phase, on several machines: the same cause"
          + " would stop a new attempt"),
  /** The job's user or the administrator wants short tasks to be left alone. */
  RAN_BRIEFLY(Action.LEAVE, "it would pay, but the attempt has not run for the least time yet"),
  /** The attempt is as fast as a new one would be. */
  ON_COURSE(Action.LEAVE, "a new attempt would not pay");

  private final Action action;
  private final String sentence;

  Rule(Action action, String sentence) {
    this.action = action;
    this.sentence = sentence;
  }

  /** Returns the action that this rule asks for. */
  public Action action() {
    return action;
  }

  /** Returns the rule in words. */
  public String sentence() {
    return sentence;
  }
}
