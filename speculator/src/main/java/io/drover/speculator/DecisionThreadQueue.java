// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events that wait for the decision thread. Adding one never blocks, and nothing is thrown
 * where there are too many: the decision thread hears that some were lost, and makes its model of
 * the job anew. While nobody keeps a model, only what is written to the decision log is kept.
 */
final class DecisionThreadQueue {
  /** Notes that may wait; so many are there only if the decision thread hangs. */
  static final int MOST = 2_000_000;

  private final Queue<DecisionThreadEvent> queue;
  private final AtomicLong lost = new AtomicLong();
  private volatile boolean isKept = true;

  DecisionThreadQueue() {
    this(MOST);
  }

  /** Notes of which so many may wait. */
  DecisionThreadQueue(int most) {
    queue = new LinkedBlockingQueue<>(most);
  }

  /** Adds an event; any thread may call this. */
  void add(DecisionThreadEvent event) {
    if ((isKept || event.isForTheLog()) && !queue.offer(event)) {
      lost.incrementAndGet();
    }
  }

  /** The next event; null if none waits. */
  DecisionThreadEvent poll() {
    return queue.poll();
  }

  int size() {
    return queue.size();
  }

  /** A model is kept from now on: events of the job are kept, too. */
  void keep() {
    isKept = true;
  }

  /** No model is kept from now on. */
  void rest() {
    isKept = false;
    queue.removeIf(event -> !event.isForTheLog());
    lost.set(0);
  }

  /** How many events were lost since the last call. */
  long takeLost() {
    return lost.getAndSet(0);
  }
}
