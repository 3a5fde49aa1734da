// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.Decision;
import io.drover.core.model.Evidence;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes decisions and their outcomes as JSON lines. The fields are described in {@code
 * docs/decision-log.md}. Times are milliseconds since the epoch, durations seconds.
 *
 * <p>Methods do not throw. If a line cannot be created, or cannot be written because the disk is
 * full, only that line is lost, not the decision. After several failures in a row nothing is
 * written for a minute. The log belongs to the decision thread.
 */
final class DecisionLog implements Closeable {
  /** The fields of a line. */
  @FunctionalInterface
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  /** The number of waiting characters above which lines are written without a flush. */
  private static final int MOST_WAITING = 1 << 16;

  private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);
  private static final JsonFactory JSON = new JsonFactory();

  private final Path file;
  private final String mode;
  private final CircuitBreaker lines;
  private final StringBuilder waiting = new StringBuilder();
  private OutputStream out;
  private boolean isMade;
  private boolean isTorn;

  /** Creates a log whose failures do not go into the job's counters. */
  DecisionLog(Path file, Mode mode) {
    this(file, mode, Breakers.uncounted());
  }

  /**
   * Creates a log. If the file exists, the first line that is written replaces it.
   *
   * @param breakers the job's breakers, to which the log adds one for its lines
   */
  DecisionLog(Path file, Mode mode, Breakers breakers) {
    this.file = file;
    this.mode = mode.name().toLowerCase(Locale.ROOT);
    this.lines = breakers.of("The decision log", DroverCounter.DECISION_LOG_OFF, () -> {});
  }

  Path file() {
    return file;
  }

  void decision(long time, TaskId task, TaskAttemptId attempt, Decision decision) {
    Evidence evidence = decision.evidence();
    line(
        "decision",
        time,
        json -> {
          json.writeStringField("task", task.toString());
          json.writeStringField("kind", task.getTaskType().name());
          if (attempt != null) {
            json.writeStringField("attempt", attempt.toString());
            String node = decision.attempt().flatMap(a -> a.machine()).orElse(null);
            if (node != null) {
              json.writeStringField("node", node);
            }
          }
          json.writeStringField("action", decision.action().name());
          json.writeStringField("rule", decision.rule().name());
          json.writeStringField("reason", decision.explain());
          json.writeNumberField("copies", evidence.copies());
          json.writeNumberField("kills", evidence.kills());
          json.writeBooleanField("tasksWait", evidence.tasksWait());
          number(json, "work", OptionalDouble.of(evidence.work()));
          remaining(json, evidence);
          if (evidence.basis().isPresent()) {
            json.writeStringField("basis", evidence.basis().get().name());
          }
          number(json, "tNew", evidence.fresh());
          number(json, "probability", evidence.probability());
          number(json, "threshold", evidence.threshold());
          json.writeNumberField("observations", evidence.observations());
        });
  }

  /** A remaining time above this (about 30 years) means that the attempt has stopped. */
  private static final double MAX_SECONDS = 1e9;

  /** Logs that an action was refused because the state of the task or the job did not allow it. */
  void refused(long time, TaskId task, Decision decision, String why) {
    line(
        "refused",
        time,
        json -> {
          json.writeStringField("task", task.toString());
          json.writeStringField("action", decision.action().name());
          json.writeStringField("rule", decision.rule().name());
          json.writeStringField("why", why);
        });
  }

  /** Logs that a machine was found slow. In mode {@code on} the job avoids it from now on. */
  void slowMachine(long time, String machine, double factor) {
    line(
        "slowMachine",
        time,
        json -> {
          json.writeStringField("node", machine);
          if (factor > MAX_SECONDS) {
            json.writeBooleanField("stopped", true);
          } else {
            number(json, "factor", OptionalDouble.of(factor));
          }
        });
  }

  /** Logs an event that does not depend on the model of the job. */
  void forTheLog(DecisionThreadEvent event) {
    if (event instanceof DecisionThreadEvent.Settled settled) {
      writeSettled(settled);
    } else if (event instanceof DecisionThreadEvent.ExternalEntry external) {
      external(external.time(), external.type(), external.fields());
    }
  }

  /** Logs a line from another part of the AppMaster. */
  void external(long time, String type, Map<String, Object> fields) {
    line(
        json -> {
          json.writeStringField("type", type);
          json.writeNumberField("time", time);
          for (Map.Entry<String, Object> field : fields.entrySet()) {
            if (field.getValue() instanceof Double number) {
              number(json, field.getKey(), OptionalDouble.of(number));
            } else if (field.getValue() instanceof Number number) {
              json.writeNumberField(field.getKey(), number.longValue());
            } else if (field.getValue() instanceof Boolean truth) {
              json.writeBooleanField(field.getKey(), truth);
            } else {
              json.writeStringField(field.getKey(), String.valueOf(field.getValue()));
            }
          }
        });
  }

  /** Logs what has failed in the job: each feature's failures by the kind of error. */
  void failures(long time, Map<String, String> byFeature) {
    line(
        "failures",
        time,
        json -> {
          for (Map.Entry<String, String> feature : byFeature.entrySet()) {
            json.writeStringField(feature.getKey(), feature.getValue());
          }
        });
  }

  /** Logs that a task on which Drover has acted has ended. */
  private void writeSettled(DecisionThreadEvent.Settled event) {
    line(
        "settled",
        event.time(),
        json -> {
          json.writeStringField("task", event.task().toString());
          if (event.winner().isPresent()) {
            json.writeStringField("winner", event.winner().get().toString());
          }
          json.writeBooleanField("copyWon", event.copyWon());
          json.writeNumberField("wastedMillis", event.wastedMillis());
          json.writeNumberField("savedMillis", event.savedMillis());
        });
  }

  /** Logs what an earlier decision predicted, and what has happened to its attempt. */
  void outcome(long time, TaskAttemptId attempt, Decision decision, String state, double actual) {
    line(
        "outcome",
        time,
        json -> {
          json.writeStringField("task", attempt.getTaskId().toString());
          json.writeStringField("attempt", attempt.toString());
          json.writeStringField("action", decision.action().name());
          json.writeStringField("rule", decision.rule().name());
          json.writeStringField("state", state);
          number(json, "actualRemaining", OptionalDouble.of(actual));
          remaining(json, decision.evidence());
          number(json, "tNew", decision.evidence().fresh());
        });
  }

  /** Logs a report in full. */
  void report(DecisionThreadEvent.Report report, long splitBytes) {
    line(
        "report",
        report.time(),
        json -> {
          json.writeStringField("attempt", report.attempt().toString());
          json.writeStringField("subPhase", report.subPhase().name());
          json.writeNumberField("progress", report.progress());
          json.writeNumberField("fraction", report.fraction());
          json.writeNumberField("bytesRead", report.bytesRead());
          json.writeNumberField("inputBytes", splitBytes);
          json.writeNumberField("bytesShuffled", report.bytesShuffled());
          json.writeNumberField("mapFinished", report.mapFinished());
          json.writeNumberField("shuffleFinished", report.shuffleFinished());
          json.writeNumberField("sortFinished", report.sortFinished());
        });
  }

  /** Logs when an attempt was requested, launched and ended, or overtaken by the job's end. */
  void attempt(
      long time, TaskAttemptId attempt, String state, String node, long asked, long launched) {
    line(
        "attempt",
        time,
        json -> {
          json.writeStringField("attempt", attempt.toString());
          json.writeStringField("state", state);
          if (node != null) {
            json.writeStringField("node", node);
          }
          json.writeNumberField("requested", asked);
          json.writeNumberField("launched", launched);
        });
  }

  private void line(String type, long time, Fields fields) {
    line(
        json -> {
          json.writeStringField("type", type);
          json.writeNumberField("time", time);
          json.writeStringField("mode", mode);
          fields.write(json);
        });
  }

  /** Creates a line, which is written later. If an error occurs, no part of it is kept. */
  private void line(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException | RuntimeException | LinkageError e) {
      lines.failed(e); // successes are not counted: created lines need not be writable
      return;
    }
    waiting.append(text).append('\n');
    if (waiting.length() > MOST_WAITING) {
      flush();
    }
  }

  /** Writes the waiting lines. */
  void flush() {
    if (waiting.length() > 0) {
      String text = waiting.toString();
      waiting.setLength(0);
      lines.run(() -> write(text));
    }
  }

  /** Writes text, after a line break if the last write failed and may have left half a line. */
  private void write(String text) {
    try {
      if (out == null) {
        out = isMade ? Files.newOutputStream(file, CREATE, APPEND) : Files.newOutputStream(file);
        isMade = true;
      }
      byte[] bytes = ((isTorn ? "\n" : "") + text).getBytes(StandardCharsets.UTF_8);
      isTorn = true;
      out.write(bytes);
      isTorn = false;
    } catch (IOException e) {
      IOUtils.cleanupWithLogger(LOG, out);
      out = null;
      throw new UncheckedIOException(file + " cannot be written", e);
    }
  }

  @Override
  public void close() {
    flush();
    IOUtils.cleanupWithLogger(LOG, out);
    out = null;
  }

  private static void remaining(JsonGenerator json, Evidence evidence) throws IOException {
    OptionalDouble seconds = evidence.remaining();
    if (seconds.isPresent() && seconds.getAsDouble() > MAX_SECONDS) {
      json.writeBooleanField("stopped", true);
    } else {
      number(json, "tRem", seconds);
    }
  }

  private static void number(JsonGenerator json, String name, OptionalDouble value)
      throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(name, Math.round(value.getAsDouble() * 1e3) / 1e3);
    }
  }
}
