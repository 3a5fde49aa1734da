// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.SystemClock;

/** Drover's AppMaster, made as MRAppMaster is. */
public class DroverAppMasterUnderTest extends DroverAppMaster {
  public DroverAppMasterUnderTest(
      ApplicationAttemptId attempt,
      ContainerId container,
      String host,
      int port,
      int httpPort,
      Clock clock,
      long submitted) {
    super(new Place(attempt, container, host, port, httpPort, submitted), clock);
  }

  public DroverAppMasterUnderTest(
      ApplicationAttemptId attempt,
      ContainerId container,
      String host,
      int port,
      int httpPort,
      long submitted) {
    this(attempt, container, host, port, httpPort, SystemClock.getInstance(), submitted);
  }
}
