// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.model.AttemptModel;

/**
 * Compares how far attempts of one task have come.
 *
 * <p>An attempt that works must not be ended for one that has yet to do as much, however fast that
 * one seems. An attempt that has just begun seems faster than it is: the first bytes come at once,
 * from a buffer, and its pace shows only later. On a real cluster, a task with ten times the work
 * of others got a copy, was ended for it when the copy seemed faster, as it had seemed itself at
 * that age, and so did that copy and 26 others: the task never ended. If only attempts that have
 * been overtaken are ended, what a task has done is never lost, and it ends.
 *
 * <p>An attempt that has stopped may go on: a read of HDFS times out after a minute. The longer it
 * has stood still, the longer it is likely to. So it is ended once it has stood still for as long
 * as the other one still needs to overtake it; on a dead machine, at once.
 */
final class Lead {
  private Lead() {}

  /** Returns whether an attempt's work need not be kept because another one of its task runs. */
  static boolean isLost(AttemptModel attempt, boolean hasStopped, AttemptModel other, double now) {
    if (attempt.task().phase().liveness().isOnDeadMachine(attempt)) {
      return true;
    }
    int further = other.subPhase().compareTo(attempt.subPhase());
    if (further != 0) {
      return further > 0;
    }
    double lead = attempt.work() - other.work();
    double standsStill = hasStopped ? now - attempt.pace().progressedAt() : 0;
    return lead <= 0 || lead / other.pace().meanRateOrNaN(now) < standsStill;
  }
}
