// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Queues events for the decision thread. Adding an event never blocks. If there are too many, new
 * ones are dropped; the decision thread learns of that and rebuilds its model of the job. While
 * there is no model, the queue keeps only events for the decision log.
 */
final class DecisionThreadQueue {
  /** The maximum length of the queue. It is reached only if the decision thread hangs. */
  static final int MOST = 2_000_000;

  private final Queue<DecisionThreadEvent> queue;
  private final AtomicLong lost = new AtomicLong();
  private volatile boolean isKept = true;

  DecisionThreadQueue() {
    this(MOST);
  }

  DecisionThreadQueue(int most) {
    queue = new LinkedBlockingQueue<>(most);
  }

  /** Adds an event; any thread may call this. */
  void add(DecisionThreadEvent event) {
    if ((isKept || event.isForTheLog()) && !queue.offer(event)) {
      lost.incrementAndGet();
    }
  }

  /** Removes and returns the next event; null if there is none. */
  DecisionThreadEvent poll() {
    return queue.poll();
  }

  int size() {
    return queue.size();
  }

  /** Keeps the events of the job from now on, because there is a model again. */
  void keep() {
    isKept = true;
  }

  /** Drops the events of the job from now on, because there is no model. */
  void rest() {
    isKept = false;
    queue.removeIf(event -> !event.isForTheLog());
    lost.set(0);
  }

  /** Returns how many events have been dropped since the last call. */
  long takeLost() {
    return lost.getAndSet(0);
  }
}
