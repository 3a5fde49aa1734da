// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.drover.core.config.Mode;
import io.drover.core.model.Decision;
import io.drover.core.model.Evidence;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * Writes what was decided, and what came of it, as JSON lines. The fields are described in {@code
 * docs/decision-log.md}. Times are milliseconds since the epoch, durations seconds.
 */
final class DecisionLog implements Closeable {
  private final Path file;
  private final JsonGenerator json;
  private final String mode;

  /** Opens a log; a file that is there is replaced. */
  DecisionLog(Path file, Mode mode) throws IOException {
    this.file = file;
    this.mode = mode.name().toLowerCase(Locale.ROOT);
    json = new JsonFactory().createGenerator(Files.newBufferedWriter(file));
    json.setPrettyPrinter(new MinimalPrettyPrinter(""));
  }

  Path file() {
    return file;
  }

  void decision(long time, TaskId task, TaskAttemptId attempt, Decision decision)
      throws IOException {
    Evidence evidence = decision.evidence();
    begin("decision", time);
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
    number("work", OptionalDouble.of(evidence.work()));
    remaining(evidence);
    if (evidence.basis().isPresent()) {
      json.writeStringField("basis", evidence.basis().get().name());
    }
    number("tNew", evidence.fresh());
    number("probability", evidence.probability());
    number("threshold", evidence.threshold());
    json.writeNumberField("observations", evidence.observations());
    end();
  }

  /** A remaining time above this, some 30 years, is no time but a standstill. */
  private static final double MAX_SECONDS = 1e9;

  /** An action was refused by the state that the task was in when it was to be carried out. */
  void refused(long time, TaskId task, Decision decision, String why) throws IOException {
    begin("refused", time);
    json.writeStringField("task", task.toString());
    json.writeStringField("action", decision.action().name());
    json.writeStringField("rule", decision.rule().name());
    json.writeStringField("why", why);
    end();
  }

  /** A machine was found slow; the job keeps away from it from now on. */
  void slowMachine(long time, String machine) throws IOException {
    begin("slowMachine", time);
    json.writeStringField("node", machine);
    end();
  }

  /** Something that was decided elsewhere in the AppMaster. */
  void told(Note.Told note) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", note.type());
    json.writeNumberField("time", note.time());
    for (Map.Entry<String, Object> field : note.fields().entrySet()) {
      if (field.getValue() instanceof Double number) {
        number(field.getKey(), OptionalDouble.of(number));
      } else if (field.getValue() instanceof Number number) {
        json.writeNumberField(field.getKey(), number.longValue());
      } else if (field.getValue() instanceof Boolean truth) {
        json.writeBooleanField(field.getKey(), truth);
      } else {
        json.writeStringField(field.getKey(), String.valueOf(field.getValue()));
      }
    }
    end();
  }

  /** A task that had been acted on is done. */
  void settled(Note.Settled note) throws IOException {
    begin("settled", note.time());
    json.writeStringField("task", note.winner().getTaskId().toString());
    json.writeStringField("winner", note.winner().toString());
    json.writeBooleanField("copyWon", note.copyWon());
    json.writeNumberField("wastedMillis", note.wastedMillis());
    end();
  }

  /** What an earlier decision foretold, beside what happened to the attempt it was about. */
  void outcome(long time, TaskAttemptId attempt, Decision decision, String state, double actual)
      throws IOException {
    begin("outcome", time);
    json.writeStringField("task", attempt.getTaskId().toString());
    json.writeStringField("attempt", attempt.toString());
    json.writeStringField("action", decision.action().name());
    json.writeStringField("rule", decision.rule().name());
    json.writeStringField("state", state);
    number("actualRemaining", OptionalDouble.of(actual));
    remaining(decision.evidence());
    number("tNew", decision.evidence().fresh());
    end();
  }

  /** A report, in full. */
  void report(Note.Report report, long splitBytes) throws IOException {
    begin("report", report.time());
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
    end();
  }

  /** The life of an attempt that has ended. */
  void attempt(
      long time, TaskAttemptId attempt, String state, String node, long asked, long launched)
      throws IOException {
    begin("attempt", time);
    json.writeStringField("attempt", attempt.toString());
    json.writeStringField("state", state);
    if (node != null) {
      json.writeStringField("node", node);
    }
    json.writeNumberField("requested", asked);
    json.writeNumberField("launched", launched);
    end();
  }

  void flush() throws IOException {
    json.flush();
  }

  @Override
  public void close() throws IOException {
    json.close();
  }

  private void begin(String type, long time) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", type);
    json.writeNumberField("time", time);
    json.writeStringField("mode", mode);
  }

  private void end() throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void remaining(Evidence evidence) throws IOException {
    OptionalDouble seconds = evidence.remaining();
    if (seconds.isPresent() && seconds.getAsDouble() > MAX_SECONDS) {
      json.writeBooleanField("stopped", true);
    } else {
      number("tRem", seconds);
    }
  }

  private void number(String name, OptionalDouble value) throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(name, Math.round(value.getAsDouble() * 1e3) / 1e3);
    }
  }
}
