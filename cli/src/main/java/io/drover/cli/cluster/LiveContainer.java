// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.cluster;

import java.util.Optional;

/**
 * A process that runs in a container of the cluster.
 *
 * @param pid its process id
 * @param host the host of the container
 * @param containerId the container
 * @param attemptId the task attempt it runs; empty for an AppMaster
 */
public record LiveContainer(
    long pid, String host, String containerId, Optional<String> attemptId) {}
