// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** Reaches the hosts that {@link TaskAttemptImpl} will ask for. Decides nothing. */
public final class DroverLocality {
  private DroverLocality() {}

  /**
   * Lets an attempt that has not asked for its container yet ask for any host but this one. What it
   * asks for is a wish: the scheduler may still give it that host.
   */
  public static void avoid(TaskAttempt attempt, String host) {
    if (attempt instanceof TaskAttemptImpl impl) {
      impl.dataLocalHosts.remove(host);
    }
  }
}
