// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * A process that runs in a container of the cluster.
 *
 * @param pid its process id
 * @param host the host of the container
 * @param containerId the container
 * @param attemptId the task attempt it runs; empty for an AppMaster
 */
public record LiveContainer(long pid, String host, String containerId, Optional<String> attemptId) {

  /** Returns the application that the container belongs to. */
  ApplicationId application() {
    return ContainerId.fromString(containerId).getApplicationAttemptId().getApplicationId();
  }

  /** Returns whether the container belongs to a job, such as {@code job_1795564106978_0001}. */
  public boolean isOf(String jobId) {
    return application().toString().equals(jobId.replaceFirst("^job", "application"));
  }
}
