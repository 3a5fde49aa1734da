// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.clone.CloneCeiling;
import io.drover.core.config.ClusterSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The clones of all jobs: those that wait until they are admitted, in their order, and those that
 * run, which give way newest first.
 */
final class CloneAdmission {
  private final CloneCeiling ceiling;
  private final Deque<AttemptRun> waiting = new ArrayDeque<>();
  private final List<AttemptRun> running = new ArrayList<>();

  CloneAdmission(ClusterSettings settings) {
    ceiling = new CloneCeiling(settings.maxUtilisation(), settings.hysteresis());
  }

  void ask(AttemptRun clone) {
    waiting.add(clone);
  }

  /** The clone that is to be admitted next; null if none waits. */
  AttemptRun next() {
    while (!waiting.isEmpty() && waiting.peek().isOver()) {
      waiting.remove();
    }
    return waiting.peek();
  }

  /** The next one is admitted. */
  AttemptRun admit() {
    AttemptRun clone = waiting.remove();
    running.add(clone);
    return clone;
  }

  /** An attempt of a copy of a job runs. */
  void runs(AttemptRun ofCopy) {
    running.add(ofCopy);
  }

  /** The clone that gives way next; null if none runs. */
  AttemptRun newest() {
    while (!running.isEmpty() && running.get(running.size() - 1).isOver()) {
      running.remove(running.size() - 1);
    }
    return running.isEmpty() ? null : running.get(running.size() - 1);
  }

  CloneCeiling ceiling() {
    return ceiling;
  }
}
