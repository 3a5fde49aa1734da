// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.cluster;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A process that runs in a container of the cluster.
 *
 * @param pid its process id
 * @param host the host of the container
 * @param containerId the container
 * @param attemptId the task attempt it runs; empty for an AppMaster
 */
public record LiveContainer(long pid, String host, String containerId, Optional<String> attemptId) {

  /** Whether it is a job's, such as {@code job_1795564106978_0001}. */
  public boolean isOf(String jobId) {
    String application = jobId.substring("job_".length());
    // After a ResourceManager's restart there is an epoch: container_e02_1795564106978_0001_01_...
    return containerId.matches("container_(e\\d+_)?" + Pattern.quote(application) + "_.*");
  }
}
