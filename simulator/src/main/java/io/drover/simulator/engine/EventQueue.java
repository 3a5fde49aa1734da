// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.Arrays;

/**
 * What is going to happen, by time; of what happens at the same time, what was added first. A
 * binary heap on plain arrays, so that nothing is allocated for an event.
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

  /** When the next event is, seconds; not to be asked of an empty queue. */
  double nextTime() {
    return times[0];
  }

  /** How many have been added so far. */
  long added() {
    return added;
  }

  void add(double at, Event event) {
    if (!(at < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("an event at " + at);
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

  /** Takes the next event away. */
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

  /** Something that happens at a time. */
  interface Event {
    /**
     * It happens.
     *
     * @param now seconds; who has put off or given up what was to happen sees by it that this is
     *     not the time
     */
    void happen(double now);
  }
}
