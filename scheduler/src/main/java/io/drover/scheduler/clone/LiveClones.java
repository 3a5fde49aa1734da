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

/** Keeps the running containers of clones, by age. Thread-safe. */
final class LiveClones {
  private final AtomicLong counter = new AtomicLong();
  private final Map<ContainerId, Long> numbers = new ConcurrentHashMap<>();
  private final ConcurrentNavigableMap<Long, RMContainer> byAge = new ConcurrentSkipListMap<>();

  /** Adds a clone that has got a container. */
  void started(RMContainer container) {
    long number = counter.incrementAndGet();
    if (numbers.putIfAbsent(container.getContainerId(), number) == null) {
      byAge.put(number, container);
    }
    // It may have ended before it was added. Nobody would report that again.
    if (container.completed()) {
      ended(container.getContainerId());
    }
  }

  /** Removes a container that has ended. It need not be a clone's. */
  void ended(ContainerId container) {
    if (numbers.isEmpty()) {
      return; // the usual case: hashing an id takes longer than this check
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
