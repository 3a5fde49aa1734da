// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.clone.DelayAssignment;
import io.drover.speculator.Breakers;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.yarn.util.SystemClock;

/** Copies of map outputs, in jobs in which nobody makes clones. */
public final class CopiesUnderTest {
  private CopiesUnderTest() {}

  /** Switched on, and without anything to do. */
  public static MapCopies none() {
    MapCopies.KnownClones none =
        new MapCopies.KnownClones() {
          @Override
          public boolean isClone(TaskAttemptId attempt) {
            return false;
          }

          @Override
          public boolean isCloned(TaskId task) {
            return false;
          }

          @Override
          public boolean areFed(long now) {
            return false;
          }
        };
    return new MapCopies(
        new DelayAssignment(0.1),
        () -> none,
        new AttemptReports(),
        SystemClock.getInstance(),
        () -> 0L,
        (t, f) -> {},
        Breakers.uncounted());
  }
}
