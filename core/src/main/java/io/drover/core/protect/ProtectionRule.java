// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

/**
 * The reason for a decision about an output: the rule that fired. The text of each constant is the
 * sentence that people read in the log.
 */
public enum ProtectionRule {
  /** Mantri section 5.3: the cost to recompute exceeds the cost to replicate. */
  REPLICATION_PAYS(
      Action.REPLICATE,
      "recomputing it is expected to take longer than copying it: r t_redo > t_rep"),
  /** Mantri sections 5.3 and 6.5: the onset of a temporal problem. */
  MACHINE_SUSPECT(
      Action.RECOMPUTE,
      "its machine has lost so many outputs lately that this one is probably lost too, and a task"
          + " still has to read it"),
  /** Its machine does not answer. The paper has nothing for it: its machines fail outright. */
  MACHINE_SILENT(
      Action.RECOMPUTE,
      "its machine does not answer those who want to read it, and a task still has to"),

  /** It comes from its machine too slowly. */
  MACHINE_CRAWLS(
      Action.RECOMPUTE,
      "what its machine keeps comes so slowly that it is there sooner if it is made again"
          + " elsewhere"),
  /** It comes slowly, but not slowly enough. */
  FETCHING_IS_FASTER(
      Action.LEAVE, "it comes slowly, but to make it again is not expected to be twice as fast"),

  /** The machine's loss probability is not known yet. */
  LOSS_UNKNOWN(Action.LEAVE, "it is not known yet how often its machine loses outputs"),
  /** The bandwidth to the replica's machine is not known yet. */
  BANDWIDTH_UNKNOWN(Action.LEAVE, "it is not known yet how long copying it would take"),
  /** The cost of a loss is at most that of a replica. */
  REDO_IS_CHEAPER(
      Action.LEAVE,
      "recomputing it is not expected to take longer than copying it: r t_redo <= t_rep"),
  /** Mantri section 5.3: "only if an equal number of tokens are available". */
  NO_TOKENS(
      Action.LEAVE, "copying it would pay, but it has more bytes than may still be replicated"),
  /** Mantri section 5.3: "a budget on the extra cluster cycles used for pre-computation". */
  NO_EXTRA_TIME(
      Action.LEAVE,
      "it is probably lost, but a re-run takes longer than the time that is left for re-runs"),
  /** No reader will miss it. */
  READ_BY_ALL(Action.LEAVE, "all tasks that need it have read it");

  /** What to do with an output. */
  public enum Action {
    /** Keep one more copy of it, on another machine. */
    REPLICATE,
    /** Run its task again elsewhere, before any reader misses its output. */
    RECOMPUTE,
    /** Do nothing with it. */
    LEAVE
  }

  private final Action action;
  private final String sentence;

  ProtectionRule(Action action, String sentence) {
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
