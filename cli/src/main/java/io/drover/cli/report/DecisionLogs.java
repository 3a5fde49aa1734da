// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.core.config.JobSettings;
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
 * @param entries the lines on what was done: decisions to act, and which of them were refused. The
 *     others, such as progress reports, may be too many to keep
 * @param failure why the logs cannot be read; empty if they can, or are not there
 */
record DecisionLogs(
    boolean ran, boolean observed, List<ObjectNode> entries, Optional<String> failure) {
  /** Drover has written nothing. */
  static final DecisionLogs NONE = new DecisionLogs(false, false, List.of(), Optional.empty());

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_MASTERS = 100;

  /** Takes in the lines of all logs. */
  private static final class Lines {
    private final List<ObjectNode> acts = new ArrayList<>();
    private boolean any;
    private boolean anyOn;
    private boolean decided;
    private boolean decidedOn;

    private void add(ObjectNode line) {
      boolean isDecision = is(line, "decision");
      any = true;
      anyOn |= isOn(line);
      decided |= isDecision;
      decidedOn |= isDecision && isOn(line);
      if ((isDecision && !line.path("action").asText().equals("LEAVE")) || is(line, "refused")) {
        acts.add(line);
      }
    }

    private DecisionLogs logs() {
      boolean observed = decided ? !decidedOn : any && !anyOn;
      return new DecisionLogs(anyOn, observed, List.copyOf(acts), Optional.empty());
    }
  }

  /** Returns where the configuration has AppMasters put their logs; empty if nowhere. */
  static Optional<Path> directory(Configuration conf) {
    return Optional.of(conf.getTrimmed(JobSettings.DECISION_LOG_DIR.key(), ""))
        .filter(directory -> !directory.isEmpty())
        .map(Path::new);
  }

  /** Returns what is known if the logs cannot be read: why. */
  static DecisionLogs unreadable(Throwable failure) {
    String why = failure.toString().lines().findFirst().orElseThrow();
    return new DecisionLogs(false, false, List.of(), Optional.of(Figures.shortened(why)));
  }

  /**
   * Reads the logs of all AppMasters of a job.
   *
   * @param directory where the logs are
   * @throws IOException if a log cannot be read
   */
  static DecisionLogs read(Path directory, String job, Configuration conf) throws IOException {
    FileSystem files = directory.getFileSystem(conf);
    Lines lines = new Lines();
    for (int master = 1; master <= MOST_MASTERS; master++) {
      Path log = new Path(directory, job + (master == 1 ? "" : "." + master) + ".jsonl");
      if (files.exists(log)) {
        read(files, log, lines);
      }
    }
    return lines.logs();
  }

  private static void read(FileSystem files, Path log, Lines lines) throws IOException {
    try (BufferedReader text =
        new BufferedReader(new InputStreamReader(files.open(log), StandardCharsets.UTF_8))) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        parse(line).ifPresent(lines::add);
      }
    }
  }

  /**
   * A last line may be cut off where the disk was full. One that is nested without end is not
   * Drover's; the Jackson of Hadoop 3.4 has no limit.
   */
  private static Optional<ObjectNode> parse(String line) {
    try {
      JsonNode entry = JSON.readTree(line);
      return entry instanceof ObjectNode object && object.path("time").isNumber()
          ? Optional.of(object)
          : Optional.empty();
    } catch (JsonProcessingException | StackOverflowError e) {
      return Optional.empty();
    }
  }

  private static boolean is(ObjectNode line, String type) {
    return line.path("type").asText().equals(type);
  }

  private static boolean isOn(ObjectNode line) {
    return line.path("mode").asText().equals("on");
  }

  /** Returns whether nothing is known that Drover has written. */
  boolean isEmpty() {
    return !ran && !observed;
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
