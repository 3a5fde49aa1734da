// SPDX-License-Identifier: Apache-2.0
package io.drover.it.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.core.model.SubPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * The progress reports of one real job, in the order in which the AppMaster got them. They come
 * from a decision log written with {@code mapreduce.drover.decision-log.reports=true}.
 */
final class RecordedJob {
  /** An event, with its time in milliseconds. */
  sealed interface Happening {
    long time();

    TaskAttemptId attempt();
  }

  /** A container started an attempt. */
  record Launch(long time, TaskAttemptId attempt, String node, long requested)
      implements Happening {}

  /** An attempt reported. */
  record Report(
      long time,
      TaskAttemptId attempt,
      SubPhase subPhase,
      float progress,
      double fraction,
      long bytesRead,
      long inputBytes,
      long bytesShuffled,
      long mapFinished,
      long shuffleFinished,
      long sortFinished)
      implements Happening {}

  /** An attempt ended. */
  record End(long time, TaskAttemptId attempt, boolean succeeded) implements Happening {}

  private final List<Happening> happenings = new ArrayList<>();
  private final Map<TaskAttemptId, End> ends = new LinkedHashMap<>();

  /** Reads the reports from the lines of a decision log. */
  static RecordedJob read(List<String> lines) throws IOException {
    RecordedJob job = new RecordedJob();
    ObjectMapper mapper = new ObjectMapper();
    for (String line : lines) {
      JsonNode node = mapper.readTree(line);
      switch (node.get("type").asText()) {
        case "report" -> job.happenings.add(report(node));
        case "attempt" -> job.attempt(node);
        default -> {
          // decisions are made anew
        }
      }
    }
    job.happenings.removeIf(h -> !job.ends.containsKey(h.attempt()));
    job.happenings.sort(Comparator.comparingLong(Happening::time));
    return job;
  }

  private static TaskAttemptId attemptId(JsonNode node) {
    return TypeConverter.toYarn(
        org.apache.hadoop.mapreduce.TaskAttemptID.forName(node.get("attempt").asText()));
  }

  private static Report report(JsonNode node) {
    return new Report(
        node.get("time").asLong(),
        attemptId(node),
        SubPhase.valueOf(node.get("subPhase").asText()),
        (float) node.get("progress").asDouble(),
        node.get("fraction").asDouble(),
        node.get("bytesRead").asLong(),
        node.get("inputBytes").asLong(),
        node.get("bytesShuffled").asLong(),
        node.get("mapFinished").asLong(),
        node.get("shuffleFinished").asLong(),
        node.get("sortFinished").asLong());
  }

  private void attempt(JsonNode node) {
    TaskAttemptId id = attemptId(node);
    String machine = node.path("node").asText("unknown");
    long launched = node.get("launched").asLong();
    happenings.add(new Launch(launched, id, machine, node.get("requested").asLong()));
    boolean succeeded = node.get("state").asText().equals("SUCCEEDED");
    End end = new End(node.get("time").asLong(), id, succeeded);
    happenings.add(end);
    ends.put(id, end);
  }

  /** Returns all events in order of time. */
  List<Happening> happenings() {
    return happenings;
  }

  /** Returns how each attempt ended. */
  Map<TaskAttemptId, End> ends() {
    return ends;
  }
}
