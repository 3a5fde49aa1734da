// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app;

/** Hadoop's shutdown hook, which is shown to its own package only. Decides nothing. */
public final class DroverShutdownHook extends MRAppMaster.MRAppMasterShutdownHook {
  private final Runnable first;

  /**
   * The stock hook for an AppMaster.
   *
   * @param first what comes before it
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
