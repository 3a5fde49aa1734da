// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/** Notes who is handed a container before there is a token for its node: the launch may fail. */
final class TokensInTime {
  private final List<TaskAttemptId> withoutToken = new CopyOnWriteArrayList<>();

  /** Looks at events before they go on. */
  EventHandler<Event<?>> before(EventHandler<Event<?>> next) {
    return event -> {
      if (event instanceof TaskAttemptContainerAssignedEvent assigned) {
        NodeId node = assigned.getContainer().getNodeId();
        if (NMTokenCache.getNMToken(node.toString()) == null) {
          withoutToken.add(assigned.getTaskAttemptID());
        }
      }
      next.handle(event);
    };
  }

  List<TaskAttemptId> withoutToken() {
    return withoutToken;
  }
}
