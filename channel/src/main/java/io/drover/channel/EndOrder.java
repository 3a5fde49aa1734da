// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.time.Duration;

/**
 * "End yourself": the job is to end, or it will be ended.
 *
 * @param reason why, for people, at most 1,000 characters
 * @param grace how long it may still go on, from when it was told, at most 10 days. A duration, for
 *     the clocks of two machines differ.
 */
public record EndOrder(String reason, Duration grace) {
  private static final Duration LONGEST = Duration.ofDays(10);

  /** Checks the ranges. */
  public EndOrder {
    Validation.text("reason", reason);
    Validation.within("grace", grace, LONGEST);
  }
}
