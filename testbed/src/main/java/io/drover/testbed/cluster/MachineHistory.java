// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What Drover's scheduler finds when it starts, as if it had run for long: a snapshot of its
 * statistics in which one host has lost many of the outputs that it kept, and the others none. To
 * learn that, a cluster needs hundreds of outputs.
 */
final class MachineHistory {
  /** Of all hosts. */
  private static final double OUTPUTS = 100_000;

  private static final double OUTPUTS_OF_HOST = 100;
  private static final double LOST = 0.9;

  private MachineHistory() {}

  /**
   * Writes a snapshot.
   *
   * @param directory for {@code yarn.drover.statistics.dir}
   * @param hosts all hosts
   * @param losing the host that has lost outputs
   */
  static void write(Path directory, List<String> hosts, String losing) throws IOException {
    double now = System.currentTimeMillis() / 1e3;
    double losses = LOST * OUTPUTS_OF_HOST;
    double ofEachOther = (OUTPUTS - OUTPUTS_OF_HOST) / (hosts.size() - 1);
    List<Map<String, Object>> all =
        hosts.stream()
            .map(
                host ->
                    host.equals(losing)
                        ? machine(host, now, OUTPUTS_OF_HOST, losses)
                        : machine(host, now, ofEachOther, 0))
            .toList();
    Map<String, Object> machines =
        Map.of(
            "version",
            1,
            "estimator",
            "none",
            "at",
            now,
            "attempts",
            0,
            "outliers",
            0,
            "outputs",
            OUTPUTS,
            "lost",
            losses,
            "machines",
            all);
    Map<String, Object> links = Map.of("version", 1, "up", Map.of(), "down", Map.of());
    Files.createDirectories(directory);
    new ObjectMapper()
        .writeValue(
            directory.resolve(String.format("%019d-%019d.json", 0, 1)).toFile(),
            Map.of("machines", machines, "links", links, "at", now, "wall", now));
  }

  private static Map<String, Object> machine(String host, double now, double outputs, double lost) {
    return Map.of(
        "name", host,
        "heardAt", now,
        "attempts", 0,
        "outliers", 0,
        "outputs", outputs,
        "lost", lost,
        "estimatorState", List.of());
  }
}
