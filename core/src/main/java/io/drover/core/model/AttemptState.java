// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** The state of an attempt, as far as the model knows it. */
public enum AttemptState {
  /** Asked for; has no container yet, or its container has not started it. */
  REQUESTED,
  /** Started in a container; may not have reported yet. */
  RUNNING,
  /** Finished, its output counts. */
  SUCCEEDED,
  /** Ended by somebody's wish. */
  KILLED,
  /** Ended by an error of its own. */
  FAILED;

  /** Whether the attempt holds, or waits for, a container. */
  public boolean isLive() {
    return this == REQUESTED || this == RUNNING;
  }
}
