// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.hadoop;

import io.drover.testing.HadoopTestSession;
import io.drover.testing.InPlace;
import java.util.Map;

/** Hadoop's tests of its CapacityScheduler, with Drover's. */
public final class SchedulerTestSession extends HadoopTestSession {
  /** Made by JUnit. */
  public SchedulerTestSession() {
    super(
        new InPlace(
            ".*/hadoop-yarn-server-resourcemanager-[^/]*-tests.jar",
            Map.of(
                "org/apache/hadoop/yarn/server/resourcemanager/scheduler/capacity/CapacityScheduler",
                DroverSchedulerUnderTest.class.getName().replace('.', '/')),
            Map.of()));
  }
}
