// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.evaluate;

import io.drover.core.predict.EndedJob;

/**
 * A job, and the call that was made when it arrived.
 *
 * @param score the log-odds that it fails
 * @param failing whether it was called failing
 */
public record JudgedJob(EndedJob job, double score, boolean failing) {
  /** Returns whether the policy ends it: it is called failing, and runs longer than it may. */
  boolean isEnded(double graceSeconds) {
    return failing && job.seconds() > graceSeconds;
  }
}
