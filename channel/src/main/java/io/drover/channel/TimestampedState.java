// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.time.Duration;

/**
 * What the ResourceManager said last.
 *
 * @param state of the cluster, as it was then
 * @param age how long ago that was
 */
public record TimestampedState(ClusterState state, Duration age) {}
