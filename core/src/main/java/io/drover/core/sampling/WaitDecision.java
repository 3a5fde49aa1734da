// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.Locale;

/**
 * For how many outputs the next stage waits, and what that is expected to cost and save.
 *
 * @param outputs K', outputs to wait for; so many are there already if it is to start now
 * @param startAt when they are expected, seconds
 * @param delaySeconds of the start, against starting now
 * @param transferSeconds S, of the best K of these outputs
 * @param savedSeconds of the transfer's end, against starting now; at least 0
 * @param searched values of K' for which a transfer was estimated
 * @param configurations values of K' that there were
 */
public record WaitDecision(
    Reason reason,
    int outputs,
    double startAt,
    double delaySeconds,
    double transferSeconds,
    double savedSeconds,
    int searched,
    int configurations) {
  /** Why to wait or to start. */
  public enum Reason {
    /** Start: all outputs that can be expected are there. */
    NOTHING_TO_WAIT_FOR,
    /** Start: the best choice possible would be there later than this one is passed on. */
    NO_GAIN,
    /** Wait: a better choice saves more than the wait costs. */
    BETTER_CHOICE
  }

  /** Whether the next stage is to start now. */
  public boolean startsNow() {
    return reason != Reason.BETTER_CHOICE;
  }

  /** One line for a log. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s: %d outputs in %.1f s, transfer %.1f s, saves %.1f s (searched %d of %d)",
        reason,
        outputs,
        delaySeconds,
        transferSeconds,
        savedSeconds,
        searched,
        configurations);
  }
}
