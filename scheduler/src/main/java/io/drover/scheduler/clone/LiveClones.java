// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/** The running containers of clones, by age. For several threads. */
final class LiveClones {
  private final AtomicLong counter = new AtomicLong();
  private final Map<ContainerId, Long> numbers = new ConcurrentHashMap<>();
  private final ConcurrentNavigableMap<Long, RMContainer> byAge = new ConcurrentSkipListMap<>();

  /** A clone has got a container. */
  void started(RMContainer container) {
    long number = counter.incrementAndGet();
    if (numbers.putIfAbsent(container.getContainerId(), number) == null) {
      byAge.put(number, container);
    }
    // It may have ended before it was written down; nobody would tell again.
    if (container.completed()) {
      ended(container.getContainerId());
    }
  }

  /** A container has ended, a clone's or not. */
  void ended(ContainerId container) {
    if (numbers.isEmpty()) {
      return; // most clusters, most of the time: hashing an id takes longer than asking
    }
    Long number = numbers.remove(container);
    if (number != null) {
      byAge.remove(number);
    }
  }

  boolean isEmpty() {
    return byAge.isEmpty();
  }

  int size() {
    return numbers.size();
  }

  Collection<RMContainer> newestFirst() {
    return byAge.descendingMap().values();
  }
}
