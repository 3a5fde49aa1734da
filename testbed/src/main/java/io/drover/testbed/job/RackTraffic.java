// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Bytes that went from racks to racks. */
public final class RackTraffic {
  private final Map<String, Map<String, Long>> bytes = new TreeMap<>();

  /** Counts bytes from one rack to another, or within one. */
  void add(String from, String to, long amount) {
    bytes.computeIfAbsent(from, rack -> new TreeMap<>()).merge(to, amount, Long::sum);
    bytes.computeIfAbsent(to, rack -> new TreeMap<>());
  }

  /** What each rack sent to others, bytes. */
  public Map<String, Long> up() {
    Map<String, Long> up = new TreeMap<>();
    bytes.forEach(
        (from, sent) -> {
          long others = 0;
          for (Map.Entry<String, Long> entry : sent.entrySet()) {
            others += entry.getKey().equals(from) ? 0 : entry.getValue();
          }
          up.put(from, others);
        });
    return up;
  }

  /** What each rack received from others, bytes. */
  public Map<String, Long> down() {
    Map<String, Long> down = new TreeMap<>();
    bytes.keySet().forEach(rack -> down.put(rack, 0L));
    bytes.forEach(
        (from, sent) ->
            sent.forEach((to, amount) -> down.merge(to, to.equals(from) ? 0 : amount, Long::sum)));
    return down;
  }

  /** What crossed the busiest link, bytes. */
  public long busiest() {
    return Math.max(most(up()), most(down()));
  }

  /** What went from rack to rack in all, bytes. */
  public long crossRack() {
    return up().values().stream().mapToLong(Long::longValue).sum();
  }

  private static long most(Map<String, Long> links) {
    return links.isEmpty() ? 0 : Collections.max(links.values());
  }
}
