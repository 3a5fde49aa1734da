// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The notes that wait for the decision thread. Nobody waits to put one down, and nothing is thrown
 * where there are too many: the decision thread hears that some were lost, and makes its model of
 * the job anew. While nobody keeps a model, only what is written to the decision log is kept.
 */
final class Notes {
  /** Notes that may wait; so many are there only if the decision thread hangs. */
  static final int MOST = 2_000_000;

  private final Queue<Note> queue;
  private final AtomicLong lost = new AtomicLong();
  private volatile boolean isKept = true;

  Notes() {
    this(MOST);
  }

  /** Notes of which so many may wait. */
  Notes(int most) {
    queue = new LinkedBlockingQueue<>(most);
  }

  /** Puts a note down; any thread. */
  void add(Note note) {
    if ((isKept || note.isForTheLog()) && !queue.offer(note)) {
      lost.incrementAndGet();
    }
  }

  /** The next note; null if none waits. */
  Note poll() {
    return queue.poll();
  }

  int size() {
    return queue.size();
  }

  /** A model is kept from now on: notes about the job are, too. */
  void keep() {
    isKept = true;
  }

  /** No model is kept from now on. */
  void rest() {
    isKept = false;
    queue.removeIf(note -> !note.isForTheLog());
    lost.set(0);
  }

  /** How many notes were lost since this was asked last. */
  long takeLost() {
    return lost.getAndSet(0);
  }
}
