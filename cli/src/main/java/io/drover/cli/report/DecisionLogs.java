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

/** Reads the decision logs that Drover's AppMasters have written about a job. */
final class DecisionLogs {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_MASTERS = 100;

  private DecisionLogs() {}

  /**
   * Reads the logs of all AppMasters of a job.
   *
   * @param directory where the logs are
   * @return the entries, in the order of the files; empty if Drover has written none
   * @throws IOException if a log cannot be read
   */
  static List<ObjectNode> read(Path directory, String job, Configuration conf) throws IOException {
    FileSystem files = directory.getFileSystem(conf);
    List<ObjectNode> entries = new ArrayList<>();
    for (int master = 1; master <= MOST_MASTERS; master++) {
      Path log = new Path(directory, job + (master == 1 ? "" : "." + master) + ".jsonl");
      if (files.exists(log)) {
        read(files, log, entries);
      }
    }
    return entries;
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
}
