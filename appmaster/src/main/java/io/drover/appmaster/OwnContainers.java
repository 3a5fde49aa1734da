// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.speculator.ContainerHand;
import io.drover.speculator.SecondAttempts;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * Lets the speculator, which knows estimates, and those who look after containers work together.
 *
 * @param cloner is made after the speculator, and before any attempt
 */
record OwnContainers(
    CopiesApart apart,
    AvoidedNodes avoided,
    Supplier<Cloner> cloner,
    ClusterNews news,
    SecondAttempts secondAttempts)
    implements ContainerHand {
  @Override
  public void flees(TaskAttemptId attempt) {
    apart.flees(attempt);
  }

  @Override
  public void fledBefore(TaskId task, String host) {
    apart.fledBefore(task, host);
  }

  @Override
  public boolean avoid(String machine) {
    return avoided.add(machine);
  }

  @Override
  public boolean isClone(TaskAttemptId attempt) {
    return cloner.get().isClone(attempt);
  }

  @Override
  public void outrun(TaskAttemptId attempt, double remaining) {
    if (!isClone(attempt)) {
      apart.flees(attempt); // it was slow enough for a copy
    }
    news.outrun(attempt, remaining);
  }
}
