// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/** The clones that were killed last. For several threads. */
final class RecentEvents {
  private static final int KEPT = 100;

  private final Deque<CloneEvent> events = new ArrayDeque<>();

  synchronized void add(RMContainer clone, String why) {
    if (events.size() == KEPT) {
      events.removeFirst();
    }
    events.addLast(
        new CloneEvent(
            System.currentTimeMillis(),
            clone.getContainerId().toString(),
            clone.getApplicationAttemptId().getApplicationId().toString(),
            clone.getAllocatedNode().getHost(),
            why));
  }

  /** The newest first. */
  synchronized List<CloneEvent> all() {
    List<CloneEvent> all = new ArrayList<>(events);
    Collections.reverse(all);
    return all;
  }
}
