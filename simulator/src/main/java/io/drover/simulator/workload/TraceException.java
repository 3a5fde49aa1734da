// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.io.IOException;

/**
 * A trace cannot be read as what it is said to be. The message names the file, the line, the field,
 * what stands there, and what would be right.
 */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1;

  /** An error at a place of a file. */
  public TraceException(String message) {
    super(message);
  }

  /** An error at a place of a file, with its cause. */
  public TraceException(String message, Throwable cause) {
    super(message, cause);
  }
}
