// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.core.model.TaskKind;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.history.AttemptRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Counts the bytes that were sent from rack to rack. */
public final class RackTraffic {
  private final Map<String, Map<String, Long>> bytes = new TreeMap<>();

  /** Counts bytes from one rack to another, or within one. */
  public void add(String from, String to, long amount) {
    bytes.computeIfAbsent(from, rack -> new TreeMap<>()).merge(to, amount, Long::sum);
    bytes.computeIfAbsent(to, rack -> new TreeMap<>());
  }

  /** Returns how many bytes each rack sent to others. */
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

  /** Returns how many bytes each rack received from others. */
  public Map<String, Long> down() {
    Map<String, Long> down = new TreeMap<>();
    bytes.keySet().forEach(rack -> down.put(rack, 0L));
    bytes.forEach(
        (from, sent) ->
            sent.forEach((to, amount) -> down.merge(to, to.equals(from) ? 0 : amount, Long::sum)));
    return down;
  }

  /** Returns how many bytes crossed the busiest link. */
  public long busiest() {
    return Math.max(most(up()), most(down()));
  }

  /** Returns how many bytes were sent from one rack to another in all. */
  public long crossRack() {
    return up().values().stream().mapToLong(Long::longValue).sum();
  }

  private static long most(Map<String, Long> links) {
    return links.isEmpty() ? 0 : Collections.max(links.values());
  }

  /**
   * Reads from the logs of reduces which maps' outputs they fetched, and how many bytes each had.
   * Hadoop writes these logs, in the same way in every mode.
   */
  static final class ShuffleLog {
    private static final Pattern FETCHED =
        Pattern.compile(
            "about to shuffle output of map (attempt_\\S+) decomp: \\d+ len: (\\d+) to");

    private ShuffleLog() {}

    /**
     * Returns what was sent from rack to rack.
     *
     * @param attempts of the job; those whose log is gone are not counted
     * @return empty if no fetch was found
     */
    static Optional<RackTraffic> read(DroverCluster cluster, List<AttemptRecord> attempts)
        throws IOException {
      Map<String, String> racks = new HashMap<>();
      attempts.forEach(attempt -> racks.put(attempt.id(), attempt.rack()));
      RackTraffic traffic = new RackTraffic();
      boolean found = false;
      for (AttemptRecord reduce : attempts) {
        if (reduce.kind() == TaskKind.REDUCE) {
          for (Path log : logs(cluster.containerLogs(reduce.node()), reduce.containerId())) {
            found |= count(log, reduce.rack(), racks, traffic);
          }
        }
      }
      return found ? Optional.of(traffic) : Optional.empty();
    }

    /** Returns the logs of a container, of those that a host has. */
    static List<Path> logs(Path ofHost, String container) throws IOException {
      if (!Files.isDirectory(ofHost)) {
        return List.of();
      }
      try (Stream<Path> files = Files.walk(ofHost, 3)) {
        return files
            .filter(file -> file.getParent().getFileName().toString().equals(container))
            .filter(file -> file.getFileName().toString().startsWith("syslog"))
            .toList();
      }
    }

    private static boolean count(
        Path log, String to, Map<String, String> racks, RackTraffic traffic) throws IOException {
      boolean found = false;
      for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
        Matcher fetch = FETCHED.matcher(line);
        if (fetch.find() && racks.containsKey(fetch.group(1))) {
          traffic.add(racks.get(fetch.group(1)), to, Long.parseLong(fetch.group(2)));
          found = true;
        }
      }
      return found;
    }
  }
}
