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
 * <p>Nothing is thrown: a line that cannot be made, or written since the disk is full, is lost, and
 * no decision with it. After several failures in a row nothing is written for a minute. Belongs to
 * the decision thread.
 */
final class DecisionLog implements Closeable {
  /** The fields of a line. */
  @FunctionalInterface
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  /** Characters after which lines are written, if nobody flushes before. */
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

  /** A log on which no breaker of others depends. */
  DecisionLog(Path file, Mode mode) {
    this(file, mode, Breakers.uncounted());
  }

  /**
   * A log; a file that is there is replaced as soon as a line is written.
   *
   * @param breakers get one more, for the lines
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

  /** A remaining time above this, some 30 years, is no time but a standstill. */
  private static final double MAX_SECONDS = 1e9;

  /** An action was refused by the state that the task was in when it was to be carried out. */
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

  /** A machine was found slow; the job keeps away from it from now on. */
  void slowMachine(long time, String machine) {
    line(
        "slowMachine",
        time,
        json -> {
          json.writeStringField("node", machine);
        });
  }

  /** A line that says the same whatever the job's model is. */
  void forTheLog(DecisionThreadEvent event) {
    if (event instanceof DecisionThreadEvent.Settled settled) {
      writeSettled(settled);
    } else if (event instanceof DecisionThreadEvent.ExternalEntry external) {
      external(external.time(), external.type(), external.fields());
    }
  }

  /** Something that was decided elsewhere in the AppMaster. */
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

  /** What has failed in the job: each feature's failures by the kind of error. */
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

  /** A task that had been acted on is done. */
  private void writeSettled(DecisionThreadEvent.Settled event) {
    line(
        "settled",
        event.time(),
        json -> {
          json.writeStringField("task", event.winner().getTaskId().toString());
          json.writeStringField("winner", event.winner().toString());
          json.writeBooleanField("copyWon", event.copyWon());
          json.writeNumberField("wastedMillis", event.wastedMillis());
        });
  }

  /** What an earlier decision foretold, beside what happened to the attempt it was about. */
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

  /** A report, in full. */
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

  /** The life of an attempt that has ended. */
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

  /** Makes a line, whole or not at all; it is written later. */
  private void line(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException | RuntimeException | LinkageError e) {
      lines.failed(e); // that others can be made does not say that they can be written
      return;
    }
    waiting.append(text).append('\n');
    if (waiting.length() > MOST_WAITING) {
      flush();
    }
  }

  /** Writes the lines that wait. */
  void flush() {
    if (waiting.length() > 0) {
      String text = waiting.toString();
      waiting.setLength(0);
      lines.run(() -> write(text));
    }
  }

  /** Part of a line may be there already, if it is the disk that is full: the next one ends it. */
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
