// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** The state of an attempt, as far as the model knows it. */
public enum AttemptState {
  /** Requested, but it has no container yet, or its container has not started it. */
  REQUESTED,
  /** Started in a container; may not have reported yet. */
  RUNNING,
  /** Finished, and its output counts. */
  SUCCEEDED,
  /** Killed on request. */
  KILLED,
  /** Ended by its own error. */
  FAILED;

  /** Returns whether the attempt holds a container or waits for one. */
  public boolean isLive() {
    return this == REQUESTED || this == RUNNING;
  }
}
