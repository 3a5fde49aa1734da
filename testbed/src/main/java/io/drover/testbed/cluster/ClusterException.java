// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;

/** Thrown if a daemon fails (the message shows the end of its log) or a cluster is unusable. */
public class ClusterException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that says what happened. */
  public ClusterException(String message) {
    super(message);
  }

  /** Creates an exception that says what happened and why. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
