// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;

/** A daemon did not start, or ended on its own. The message names it and shows its log's end. */
public class ClusterException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what happened. */
  public ClusterException(String message) {
    super(message);
  }

  /** With what happened and why. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
