// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.io.IOException;

/**
 * Thrown if a trace is not in the expected format. The message names the file, the line, the field,
 * what was found, and what was expected.
 */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates an exception whose message names the place in the file. */
  public TraceException(String message) {
    super(message);
  }

  /** Creates an exception with a cause, whose message names the place in the file. */
  public TraceException(String message, Throwable cause) {
    super(message, cause);
  }
}
