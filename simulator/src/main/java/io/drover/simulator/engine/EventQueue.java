// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.Arrays;

/**
 * Orders events by time, and events of the same time by when they were added. It is a binary heap
 * on plain arrays, so that no object is allocated per event.
 */
final class EventQueue {
  private double[] times = new double[1024];
  private long[] orders = new long[1024];
  private Event[] events = new Event[1024];
  private int size;
  private long added;

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns when the next event is, seconds. The queue must not be empty. */
  double nextTime() {
    return times[0];
  }

  /** Returns how many events have been added so far. */
  long added() {
    return added;
  }

  void add(double at, Event event) {
    if (!(at < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("an event needs a finite time, not " + at);
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
      events = Arrays.copyOf(events, 2 * size);
    }
    long order = added++;
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (!isBefore(at, order, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, at, order, event);
  }

  /** Removes and returns the next event. */
  Event remove() {
    Event first = events[0];
    size--;
    double at = times[size];
    long order = orders[size];
    Event last = events[size];
    events[size] = null;
    if (size > 0) {
      sink(at, order, last);
    }
    return first;
  }

  private void sink(double at, long order, Event event) {
    int hole = 0;
    while (true) {
      int child = 2 * hole + 1;
      if (child >= size) {
        break;
      }
      int right = child + 1;
      if (right < size && isBefore(times[right], orders[right], child)) {
        child = right;
      }
      if (isBefore(at, order, child)) {
        break;
      }
      move(child, hole);
      hole = child;
    }
    put(hole, at, order, event);
  }

  private boolean isBefore(double at, long order, int other) {
    return at < times[other] || (at == times[other] && order < orders[other]);
  }

  private void move(int from, int to) {
    put(to, times[from], orders[from], events[from]);
  }

  private void put(int place, double at, long order, Event event) {
    times[place] = at;
    orders[place] = order;
    events[place] = event;
  }

  interface Event {
    /**
     * Handles the event.
     *
     * @param now seconds; an event that was postponed or given up can tell from it that it is stale
     */
    void happen(double now);
  }
}
