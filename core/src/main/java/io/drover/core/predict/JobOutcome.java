// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

/** How a job ended. */
public enum JobOutcome {
  /** It did what it should. */
  SUCCEEDED,
  /** It failed by itself. */
  FAILED,
  /**
   * Somebody or something else ended it. That is no failure: on Google's cluster two of three such
   * jobs are of programs that are always ended so.
   */
  KILLED
}
