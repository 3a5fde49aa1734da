// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import java.util.LinkedHashMap;
import java.util.Map;

/** The ids of applications that were added last. Not thread-safe. */
final class LatestIds {
  private final Map<String, Boolean> ids;

  /** Creates an empty set that keeps so many at most. */
  LatestIds(int most) {
    ids =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > most;
          }
        };
  }

  void add(String id) {
    ids.put(id, true);
  }

  boolean contains(String id) {
    return ids.containsKey(id);
  }

  void clear() {
    ids.clear();
  }
}
