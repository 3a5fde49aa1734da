// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

/**
 * Limits how many bytes of a job's outputs are replicated: in total never more than a share of the
 * bytes that its tasks have processed, 10 % by default. Each task that ends grants tokens in
 * proportion to its bytes. A replica costs as many tokens as it has bytes.
 *
 * <p>Source: Mantri section 5.3. It is never overdrawn, not even for outputs that are expensive to
 * make again. Tokens do not expire within the job. It belongs to one job and to one thread at a
 * time.
 */
public final class ReplicationBudget {
  private final TokenBudget tokens;

  /** Creates the budget of a job that has processed nothing yet. */
  public ReplicationBudget(ProtectSettings settings) {
    tokens = new TokenBudget(settings.replicatedShare());
  }

  /**
   * Grants tokens for a task that has ended. If a task runs again, or in several copies, only the
   * first one to end counts.
   *
   * @param bytesProcessed the bytes that the task has processed, at least 0
   */
  public void grant(long bytesProcessed) {
    tokens.grant((double) bytesProcessed);
  }

  /**
   * Spends tokens on a replica.
   *
   * @param bytes the size of the replica, at least 0
   * @return whether there were enough tokens; if not, none are spent
   */
  public boolean take(long bytes) {
    return tokens.take((double) bytes);
  }

  /**
   * Gives back the tokens of a replica that was not made after all.
   *
   * @param bytes at most the bytes that were taken
   */
  public void giveBack(long bytes) {
    tokens.giveBack((double) bytes);
  }

  /** Returns the bytes that may still be replicated, rounded down. */
  public long leftBytes() {
    return (long) tokens.left();
  }
}
