// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    super(new AppMasterAddress(attempt, container, host, port, httpPort, submitted), clock, false);
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

  /**
   * Hadoop's tests stop an AppMaster as soon as a task has succeeded, and want to find that in its
   * history: what has happened until now is handled first.
   */
  @Override
  public void stop() {
    boolean isHandling = Thread.currentThread().getName().startsWith("AsyncDispatcher");
    if (isInState(STATE.STARTED) && !isHandling) {
      CountDownLatch handled = new CountDownLatch(1);
      getDispatcher().getEventHandler().handle(new DispatcherTask(handled::countDown));
      try {
        handled.await(2, TimeUnit.SECONDS); // not for ever: a test may have stopped the dispatcher
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    super.stop();
  }
}
