// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** What a decision asks for. */
public enum Action {
  /** Nothing is to be done to the task. */
  LEAVE,
  /** One more attempt is to run beside those that are there. */
  DUPLICATE,
  /** The attempt is to be killed and its task started again elsewhere. */
  KILL_AND_RESTART,
  /** The attempt is to be killed; others go on. */
  PRUNE,
  /** A waiting task is to get the next slot. */
  START
}
