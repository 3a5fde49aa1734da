// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the JSON of Rumen: one job object after another, with times in milliseconds since the
 * epoch, and -1 for values that were not recorded. It reads only the fields that the replay needs,
 * and holds the JSON of only one job in memory at a time.
 */
final class RumenJson {
  /** A petabyte in one task. A larger value means that the counter is damaged. */
  static final long MOST_BYTES = 1_000_000_000_000_000L;

  /** The year 2286. */
  private static final long MOST_MILLIS = 10_000_000_000_000L;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final List<HistoryJob> jobs = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private int unfinished;
  private int line;

  private RumenJson(Path file) {
    this.file = file;
  }

  static HistoryWorkload.History read(Path file) throws TraceException {
    RumenJson reader = new RumenJson(file);
    return TraceFiles.read(file, reader::readAll);
  }

  private HistoryWorkload.History readAll(BufferedReader text) throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        line = parser.currentTokenLocation().getLineNr();
        if (token != JsonToken.START_OBJECT) {
          throw wrong("", token.toString(), "the object of a job");
        }
        addJob(parser.readValueAsTree());
      }
    } catch (JsonProcessingException e) {
      int at = e.getLocation() == null ? line : e.getLocation().getLineNr();
      throw new TraceException(
          file
              + ", line "
              + at
              + ": not JSON ("
              + e.getOriginalMessage()
              + "), expected job objects in Rumen's format (the file may be cut off)",
          e);
    }
    return new HistoryWorkload.History(jobs, unfinished);
  }

  private void addJob(JsonNode job) throws TraceException {
    JsonNode id = job.path("jobID");
    if (!id.isTextual() || id.textValue().isBlank() || !ids.add(id.textValue())) {
      throw wrong("jobID", id.toString(), "a name that no earlier job has");
    }
    double submit = seconds(job, "submitTime", "");
    List<HistoryJob.Task> maps = tasks(job, "mapTasks", true);
    jobs.add(new HistoryJob(id.textValue(), submit, maps, tasks(job, "reduceTasks", false)));
  }

  private List<HistoryJob.Task> tasks(JsonNode job, String name, boolean map)
      throws TraceException {
    List<HistoryJob.Task> succeeded = new ArrayList<>();
    JsonNode tasks = array(job, name, "");
    for (int i = 0; i < tasks.size(); i++) {
      String path = name + "[" + i + "].";
      Optional<HistoryJob.Task> task = task(array(tasks.get(i), "attempts", path), path, map);
      unfinished += task.isPresent() ? 0 : 1;
      task.ifPresent(succeeded::add);
    }
    return succeeded;
  }

  private Optional<HistoryJob.Task> task(JsonNode attempts, String path, boolean map)
      throws TraceException {
    for (int i = 0; i < attempts.size(); i++) {
      JsonNode attempt = attempts.get(i);
      String here = path + "attempts[" + i + "].";
      JsonNode result = attempt.path("result");
      if (!result.isTextual() && !result.isNull()) {
        throw wrong(here + "result", result.toString(), "a word such as \"SUCCESS\"");
      }
      if (result.asText().equals("SUCCESS")) {
        return Optional.of(successful(attempt, here, map));
      }
    }
    return Optional.empty();
  }

  private HistoryJob.Task successful(JsonNode attempt, String path, boolean map)
      throws TraceException {
    double start = seconds(attempt, "startTime", path);
    double end = seconds(attempt, "finishTime", path);
    if (end < start) {
      String there = attempt.path("finishTime").toString();
      throw wrong(path + "finishTime", there, "a time not before startTime");
    }
    long bytes = bytes(attempt, map ? "hdfsBytesRead" : "reduceShuffleBytes", path);
    return new HistoryJob.Task(HistoryJob.bytes(bytes), start, end);
  }

  private double seconds(JsonNode from, String name, String path) throws TraceException {
    return whole(from, name, path, 0, MOST_MILLIS) / 1000.0;
  }

  /** Returns the recorded bytes, or -1 if there are none: older histories lack some counters. */
  private long bytes(JsonNode attempt, String name, String path) throws TraceException {
    return attempt.path(name).isNull() || attempt.path(name).isMissingNode()
        ? -1
        : whole(attempt, name, path, -1, MOST_BYTES);
  }

  private long whole(JsonNode from, String name, String path, long least, long most)
      throws TraceException {
    JsonNode value = from.path(name);
    boolean whole = value.isIntegralNumber() && value.canConvertToLong();
    if (!whole || value.longValue() < least || value.longValue() > most) {
      String right = "a whole number from " + least + " to " + most;
      throw wrong(path + name, value.toString(), right);
    }
    return value.longValue();
  }

  private JsonNode array(JsonNode from, String name, String path) throws TraceException {
    JsonNode value = from.path(name);
    if (!value.isArray()) {
      throw wrong(path + name, value.toString(), "an array");
    }
    return value;
  }

  /** Names the line of the job's first brace because Jackson's trees keep no line numbers. */
  private TraceException wrong(String field, String there, String right) {
    String stands = there.isEmpty() ? "nothing" : "'" + TraceRow.shown(there) + "'";
    return new TraceException(
        file
            + ", in the job that begins at line "
            + line
            + (field.isEmpty() ? "" : ", field " + field)
            + ": found "
            + stands
            + ", expected "
            + right);
  }
}
