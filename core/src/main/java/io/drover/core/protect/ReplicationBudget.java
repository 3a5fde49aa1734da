// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

/**
 * Limits how many bytes of a job's outputs are replicated: in all never more than a share of the
 * bytes that its tasks have processed, 10 % by default. Each task that ends grants tokens in
 * proportion to its bytes; a replica costs as many tokens as it has bytes.
 *
 * <p>Source: Mantri section 5.3. It is never overdrawn, not even by outputs that are dear to make
 * again; tokens do not expire within the job. One job's, one thread at a time.
 */
public final class ReplicationBudget {
  private final TokenBudget tokens;

  /** A budget of a job that has processed nothing yet. */
  public ReplicationBudget(ProtectSettings settings) {
    tokens = new TokenBudget(settings.replicatedShare());
  }

  /**
   * A task has ended that had processed so many bytes. Of a task that is run again, or in several
   * copies, the first to end counts.
   *
   * @param bytesProcessed at least 0
   */
  public void grant(long bytesProcessed) {
    tokens.grant((double) bytesProcessed);
  }

  /**
   * Spends tokens on a replica.
   *
   * @param bytes of the replica, at least 0
   * @return whether there were enough; if not, none are spent
   */
  public boolean take(long bytes) {
    return tokens.take((double) bytes);
  }

  /**
   * Takes the tokens of a replica back that was not made after all.
   *
   * @param bytes at most what was taken
   */
  public void giveBack(long bytes) {
    tokens.giveBack((double) bytes);
  }

  /** Bytes that the job has processed. */
  public long processedBytes() {
    return (long) tokens.worked();
  }

  /** Bytes for which tokens were spent. */
  public long replicatedBytes() {
    return (long) tokens.spent();
  }

  /** Bytes that may still be replicated, rounded down. */
  public long leftBytes() {
    return (long) tokens.left();
  }
}
