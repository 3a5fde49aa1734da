// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;

/**
 * Thrown if a job's sample cannot be had. Hadoop shows the message to the user, who needs no stack.
 */
public final class SampleRefusedException extends YarnRuntimeException {
  private static final long serialVersionUID = 1;

  SampleRefusedException(String why) {
    super("Drover: " + why);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
