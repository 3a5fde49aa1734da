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
      "to make it again is expected to take longer than to copy it: r t_redo > t_rep"),
  /** Mantri sections 5.3 and 6.5: the onset of a temporal problem. */
  MACHINE_SUSPECT(
      Action.RECOMPUTE,
      "the machine that keeps it has lost so many outputs lately that this one is likely lost too,"
          + " and it is still to be read"),

  /** The machine's loss probability is not known yet. */
  LOSS_UNKNOWN(
      Action.LEAVE, "too little is known of how often its machine loses outputs: don't know"),
  /** The bandwidth to the replica's machine is not known yet. */
  BANDWIDTH_UNKNOWN(Action.LEAVE, "it is not known how long a copy would take: don't know"),
  /** The cost of a loss is at most that of a replica. */
  REDO_IS_CHEAPER(
      Action.LEAVE,
      "to make it again is not expected to take longer than to copy it: r t_redo <= t_rep"),
  /** Mantri section 5.3: "only if an equal number of tokens are available". */
  NO_TOKENS(
      Action.LEAVE, "a copy would pay, but is larger than the bytes that may still be replicated"),
  /** Mantri section 5.3: "a budget on the extra cluster cycles used for pre-computation". */
  NO_EXTRA_TIME(
      Action.LEAVE,
      "it is likely lost, but a re-run takes longer than what may still be spent on re-runs"),
  /** No reader will miss it. */
  READ_BY_ALL(Action.LEAVE, "all who need it have read it");

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
