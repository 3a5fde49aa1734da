// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.containment;

import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.util.concurrent.HadoopExecutors;

/** Creates the executors of the scheduler's own work. */
public final class DaemonExecutors {
  private DaemonExecutors() {}

  /**
   * Returns an executor with one thread. It logs exceptions, and does not keep a ResourceManager
   * from ending.
   *
   * @param name the thread's name
   */
  public static ScheduledExecutorService single(String name) {
    return HadoopExecutors.newSingleThreadScheduledExecutor(
        work -> {
          Thread daemon = new Thread(work, name);
          daemon.setDaemon(true);
          return daemon;
        });
  }
}
