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
 */
final class Lead {
  private Lead() {}

  /** Returns whether an attempt has done at least as much as another one of its task. */
  static boolean hasOvertaken(AttemptModel ahead, AttemptModel behind) {
    int further = ahead.subPhase().compareTo(behind.subPhase());
    return further > 0 || (further == 0 && ahead.work() >= behind.work());
  }
}
