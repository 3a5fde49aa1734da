// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.hadoop;

import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.testing.InPlace;

/** Counted, however it is made: most ResourceManagers make theirs by the name in the settings. */
public class DroverSchedulerUnderTest extends DroverCapacityScheduler {
  /** Made by Hadoop. */
  public DroverSchedulerUnderTest() {
    InPlace.count();
  }
}
