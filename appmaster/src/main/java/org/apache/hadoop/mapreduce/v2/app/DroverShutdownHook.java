// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app;

/** Hadoop's shutdown hook, which only its own package can access. Decides nothing. */
public final class DroverShutdownHook extends MRAppMaster.MRAppMasterShutdownHook {
  private final Runnable first;

  /**
   * Creates the stock hook for an AppMaster.
   *
   * @param first runs before the stock hook
   */
  public DroverShutdownHook(MRAppMaster appMaster, Runnable first) {
    super(appMaster);
    this.first = first;
  }

  @Override
  public void run() {
    first.run();
    super.run();
  }
}
