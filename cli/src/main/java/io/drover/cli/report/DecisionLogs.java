// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * What the decision logs say that Drover's AppMasters have written about a job. Each line has the
 * mode of its feature, and {@code decision} lines that of restarts and copies.
 *
 * @param ran whether any feature was on
 * @param observed whether restarts and copies were only observed: no {@code decision} is of mode
 *     {@code on}, or no line, if there are no decisions
 * @param entries the lines, in order
 */
record DecisionLogs(boolean ran, boolean observed, List<ObjectNode> entries) {
  /** Drover has written nothing. */
  static final DecisionLogs NONE = new DecisionLogs(false, false, List.of());

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_MASTERS = 100;

  /**
   * Reads the logs of all AppMasters of a job.
   *
   * @param directory where the logs are
   * @throws IOException if a log cannot be read
   */
  static DecisionLogs read(Path directory, String job, Configuration conf) throws IOException {
    FileSystem files = directory.getFileSystem(conf);
    List<ObjectNode> entries = new ArrayList<>();
    for (int master = 1; master <= MOST_MASTERS; master++) {
      Path log = new Path(directory, job + (master == 1 ? "" : "." + master) + ".jsonl");
      if (files.exists(log)) {
        read(files, log, entries);
      }
    }
    return of(entries);
  }

  private static void read(FileSystem files, Path log, List<ObjectNode> entries)
      throws IOException {
    try (BufferedReader text =
        new BufferedReader(new InputStreamReader(files.open(log), StandardCharsets.UTF_8))) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        parse(line).ifPresent(entries::add);
      }
    }
  }

  /** A last line may be cut off where the disk was full. */
  private static Optional<ObjectNode> parse(String line) {
    try {
      JsonNode entry = JSON.readTree(line);
      return entry instanceof ObjectNode object && object.path("time").isNumber()
          ? Optional.of(object)
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static DecisionLogs of(List<ObjectNode> entries) {
    List<ObjectNode> decisions = entries.stream().filter(line -> is(line, "decision")).toList();
    boolean ran = entries.stream().anyMatch(DecisionLogs::isOn);
    boolean decided = decisions.isEmpty() ? ran : decisions.stream().anyMatch(DecisionLogs::isOn);
    return new DecisionLogs(ran, !entries.isEmpty() && !decided, List.copyOf(entries));
  }

  private static boolean is(ObjectNode line, String type) {
    return line.path("type").asText().equals(type);
  }

  private static boolean isOn(ObjectNode line) {
    return line.path("mode").asText().equals("on");
  }

  /** Returns whether Drover has written nothing. */
  boolean isEmpty() {
    return entries.isEmpty();
  }

  /**
   * Counts the decisions for an action, without those that came too late to be carried out: those
   * that were carried out, or would have been if restarts and copies were {@link #observed}.
   */
  long count(String action) {
    return count("decision", action) - count("refused", action);
  }

  private long count(String type, String action) {
    return entries.stream()
        .filter(line -> is(line, type) && isOn(line) != observed)
        .filter(line -> line.path("action").asText().equals(action))
        .count();
  }
}
