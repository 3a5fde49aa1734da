// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/** A scheduler that remembers what it was told. */
class FakeVoice implements ClusterVoice {
  record Heard(ApplicationAttemptId attempt, Report report) {}

  final Set<ApplicationAttemptId> running = ConcurrentHashMap.newKeySet();
  final Queue<Heard> heard = new ConcurrentLinkedQueue<>();
  volatile ClusterState state = Samples.STATE;

  @Override
  public boolean knows(ApplicationAttemptId attempt) {
    return running.contains(attempt);
  }

  @Override
  public void hear(ApplicationAttemptId attempt, Report report) {
    heard.add(new Heard(attempt, report));
  }

  @Override
  public ClusterState state(ApplicationAttemptId attempt, List<String> machines) {
    return state;
  }

  List<Long> sequences() {
    return heard.stream().map(h -> h.report().sequence()).toList();
  }

  List<Long> containers() {
    return heard.stream()
        .flatMap(h -> h.report().outcomes().stream())
        .map(Outcome::container)
        .toList();
  }
}
