// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.List;
import java.util.Queue;
import org.apache.hadoop.thirdparty.com.google.common.collect.EvictingQueue;
import org.apache.hadoop.thirdparty.com.google.common.collect.Lists;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/**
 * A clone that was killed.
 *
 * @param at milliseconds since 1970
 * @param container its id
 * @param application the id of its application
 * @param node the host it ran on
 * @param why the reason, in words
 */
public record CloneEvent(long at, String container, String application, String node, String why) {
  /** Keeps the clones that were killed last. Thread-safe. */
  static final class Recent {
    private static final int KEPT = 100;

    private final Queue<CloneEvent> events = EvictingQueue.create(KEPT);

    synchronized void add(RMContainer clone, String why) {
      events.add(
          new CloneEvent(
              System.currentTimeMillis(),
              clone.getContainerId().toString(),
              clone.getApplicationAttemptId().getApplicationId().toString(),
              clone.getAllocatedNode().getHost(),
              why));
    }

    synchronized List<CloneEvent> newestFirst() {
      return Lists.reverse(List.copyOf(events));
    }
  }
}
