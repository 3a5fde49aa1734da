// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/** A scheduler that records the reports it receives. */
class FakeHandler implements ReportHandler {
  record Received(ApplicationAttemptId attempt, Report report) {}

  final Set<ApplicationAttemptId> running = ConcurrentHashMap.newKeySet();
  final Queue<Received> received = new ConcurrentLinkedQueue<>();
  volatile ClusterState state = SampleMessages.STATE;

  @Override
  public boolean knows(ApplicationAttemptId attempt) {
    return running.contains(attempt);
  }

  @Override
  public void onReport(ApplicationAttemptId attempt, Report report) {
    received.add(new Received(attempt, report));
  }

  @Override
  public ClusterState state(ApplicationAttemptId attempt, List<String> machines) {
    return state;
  }

  List<Long> sequences() {
    return received.stream().map(h -> h.report().sequence()).toList();
  }

  List<Long> containers() {
    return received.stream()
        .flatMap(h -> h.report().outcomes().stream())
        .map(AttemptOutcome::container)
        .toList();
  }
}
