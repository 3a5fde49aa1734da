// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** Gives access to the hosts that {@link TaskAttemptImpl} will ask for. Decides nothing. */
public final class DroverLocality {
  private DroverLocality() {}

  /**
   * Removes a host from those for which an attempt will ask, if it has not asked yet. This is only
   * a preference: the scheduler may still give it that host.
   */
  public static void avoid(TaskAttempt attempt, String host) {
    if (attempt instanceof TaskAttemptImpl impl) {
      impl.dataLocalHosts.remove(host);
    }
  }
}
