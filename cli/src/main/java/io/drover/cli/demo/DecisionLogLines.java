// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds things in a decision log. */
final class DecisionLogLines {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern TASK = Pattern.compile("_([mr])_0*(\\d+)$");

  private DecisionLogLines() {}

  /** The rack that was last chosen for each reduce, by the reduce's name ({@code r3}). */
  static Map<String, String> racks(List<String> lines) {
    Map<String, String> racks = new HashMap<>();
    for (String line : lines) {
      parse(line)
          .filter(node -> node.path("type").asText().equals("placed"))
          .ifPresent(node -> racks.put(task(node.path("task").asText()), rack(node)));
    }
    return racks;
  }

  private static String rack(JsonNode node) {
    return node.path("rack").asText();
  }

  /** {@code task_…_r_000003} to {@code r3}. */
  private static String task(String id) {
    Matcher task = TASK.matcher(id);
    return task.find() ? task.group(1) + task.group(2) : id;
  }

  /** A line as JSON; empty if it is none. */
  static Optional<JsonNode> parse(String line) {
    try {
      return Optional.of(JSON.readTree(line));
    } catch (JsonProcessingException e) {
      return Optional.empty(); // a line cut short by a dying AppMaster
    }
  }
}
