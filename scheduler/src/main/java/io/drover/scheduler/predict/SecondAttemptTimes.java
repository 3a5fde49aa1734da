// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * How long second attempts ran, as AppMasters say, until it is taken in. Any thread may add; none
 * waits for long.
 */
final class SecondAttemptTimes {
  /** More applications are not counted in one round. */
  private static final int MOST = 50_000;

  private Map<ApplicationId, Double> seconds = new HashMap<>();

  synchronized void add(ApplicationId application, double more) {
    if (seconds.size() < MOST || seconds.containsKey(application)) {
      seconds.merge(application, more, Double::sum);
    }
  }

  /** Returns the seconds since the last call. */
  synchronized Map<ApplicationId, Double> take() {
    Map<ApplicationId, Double> taken = seconds;
    seconds = new HashMap<>();
    return taken;
  }
}
