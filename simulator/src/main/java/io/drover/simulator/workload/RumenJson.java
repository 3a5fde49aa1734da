// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the JSON of Rumen: one job object after another, or an array of them, with times in
 * milliseconds since the epoch, and -1 for values that were not recorded. Comments are skipped. It
 * reads only the fields that the replay needs, and holds the JSON of only one job in memory at a
 * time.
 *
 * <p>The versions of Rumen differ in fields that the replay does not need. What differs in the
 * others: attempts that never ended have no result (null) and no {@code finishTime} (-1), lists may
 * be null, and a job's id is a name, or a number or an object in files that other tools have
 * written or anonymised. Of an attempt that did not succeed only the result is read.
 */
final class RumenJson {
  /** A petabyte in one task. A larger value means that the counter is damaged. */
  static final long MOST_BYTES = 1_000_000_000_000_000L;

  /** The year 2286. */
  private static final long MOST_MILLIS = 10_000_000_000_000L;

  /** What Jackson says of the end of a file, and then of what it was reading. */
  private static final String TOO_EARLY = "Unexpected end-of-input";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_YAML_COMMENTS)
          .build();

  private final Path file;
  private final HistoryJobs jobs;
  private int line;

  private RumenJson(Path file, HistoryJobs jobs) {
    this.file = file;
    this.jobs = jobs;
  }

  /**
   * Reads a file into a history.
   *
   * @throws TraceException if the file cannot be read, or if the history skips nothing and a job is
   *     malformed
   */
  static void read(Path file, HistoryJobs into) throws TraceException {
    TraceFiles.read(file, new RumenJson(file, into)::readAll);
  }

  // The Jackson of Hadoop 3.4 does not have the method that replaces this one.
  @SuppressWarnings("deprecation")
  private HistoryJobs readAll(BufferedReader text) throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      boolean inArray = false;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        line = parser.getTokenLocation().getLineNr();
        if (token == JsonToken.END_ARRAY || (token == JsonToken.START_ARRAY && !inArray)) {
          inArray = !inArray;
        } else {
          takeJob(parser, token);
        }
      }
    } catch (JsonProcessingException e) {
      jobs.bad().part(notJson(e), "with the jobs before it");
    }
    return jobs;
  }

  private void takeJob(JsonParser parser, JsonToken token) throws IOException {
    try {
      if (token != JsonToken.START_OBJECT) {
        throw wrong("", parser.getText(), "the object of a job");
      }
      addJob(parser.readValueAsTree());
    } catch (TraceException e) {
      jobs.bad().job(e);
      parser.skipChildren();
    }
  }

  private TraceException notJson(JsonProcessingException e) {
    int at = e.getLocation() == null ? line : e.getLocation().getLineNr();
    String problem = e.getOriginalMessage();
    String why = problem.startsWith(TOO_EARLY) ? "the file ends too early" : problem;
    return new TraceException(
        file
            + ", line "
            + at
            + ": not JSON ("
            + why
            + "), expected job objects in Rumen's format (the file may be cut off)",
        e);
  }

  private void addJob(JsonNode job) throws TraceException {
    String id = id(job.path("jobID"));
    Optional<String> outcome = outcome(job, "outcome", "");
    if (HistoryJobs.isUnsuccessful(outcome)) {
      int tasks = job.path("mapTasks").size() + job.path("reduceTasks").size();
      jobs.leaveOut(outcome.orElseThrow(), tasks);
      return;
    }
    double submit = seconds(job, "submitTime", "");
    JsonNode maps = array(job, "mapTasks", "");
    List<HistoryJob.Task> mapsDone = succeeded(maps, "mapTasks", true);
    JsonNode reduces = array(job, "reduceTasks", "");
    List<HistoryJob.Task> reducesDone = succeeded(reduces, "reduceTasks", false);
    int tasks = maps.size() + reduces.size();
    HistoryJob read = new HistoryJob(id, submit, mapsDone, reducesDone, tasks);
    jobs.add(read, outcome, announced(job, "totalMaps") + announced(job, "totalReduces"));
  }

  /**
   * Returns the name of a job. An object is either what Jackson makes of Hadoop's JobID if it is
   * not told to write its name, or one of Rumen's data types, which have a value.
   */
  private String id(JsonNode id) throws TraceException {
    JsonNode name = id.isObject() && id.has("value") ? id.path("value") : id;
    if (name.isIntegralNumber() || (name.isTextual() && !name.textValue().isBlank())) {
      return name.asText();
    }
    if (id.path("jtIdentifier").isTextual() && id.path("id").canConvertToInt()) {
      String started = id.path("jtIdentifier").textValue();
      return String.format(Locale.ROOT, "job_%s_%04d", started, id.path("id").intValue());
    }
    throw wrong("jobID", id.toString(), "a name such as \"job_200910281128_0001\"");
  }

  /** Returns the number of tasks that a job says it has, or 0 if it does not say. */
  private static long announced(JsonNode job, String name) {
    return Math.max(0, job.path(name).asLong(0));
  }

  private List<HistoryJob.Task> succeeded(JsonNode tasks, String name, boolean map)
      throws TraceException {
    List<HistoryJob.Task> succeeded = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      String path = name + "[" + i + "].";
      task(array(tasks.get(i), "attempts", path), path, map).ifPresent(succeeded::add);
    }
    return succeeded;
  }

  private Optional<HistoryJob.Task> task(JsonNode attempts, String path, boolean map)
      throws TraceException {
    for (int i = 0; i < attempts.size(); i++) {
      JsonNode attempt = attempts.get(i);
      String here = path + "attempts[" + i + "]";
      if (!attempt.isObject()) {
        throw wrong(here, attempt.toString(), "the object of an attempt");
      }
      if (HistoryJobs.isSuccess(outcome(attempt, "result", here + "."))) {
        return Optional.of(successful(attempt, here + ".", map));
      }
    }
    return Optional.empty();
  }

  private Optional<String> outcome(JsonNode from, String name, String path) throws TraceException {
    JsonNode word = from.path(name);
    if (!word.isTextual() && !word.isNull() && !word.isMissingNode()) {
      throw wrong(path + name, word.toString(), "a word such as \"SUCCESS\", or null");
    }
    return HistoryJobs.outcome(word.asText(""));
  }

  private HistoryJob.Task successful(JsonNode attempt, String path, boolean map)
      throws TraceException {
    double start = seconds(attempt, "startTime", path);
    double end = seconds(attempt, "finishTime", path);
    if (end < start) {
      String there = attempt.path("finishTime").toString();
      String right = "a time not before startTime (" + attempt.path("startTime") + ")";
      throw wrong(path + "finishTime", there, right);
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

  /** Returns a whole number, which some tools write as 1.0 or 1e12. */
  private long whole(JsonNode from, String name, String path, long least, long most)
      throws TraceException {
    JsonNode value = from.path(name);
    boolean whole = value.canConvertToExactIntegral() && value.canConvertToLong();
    if (!whole || value.longValue() < least || value.longValue() > most) {
      String right = "a whole number from " + least + " to " + most;
      throw wrong(path + name, value.toString(), right);
    }
    return value.longValue();
  }

  /** Returns an array, which Rumen may write as null if it is empty. */
  private JsonNode array(JsonNode from, String name, String path) throws TraceException {
    JsonNode value = from.path(name);
    if (!value.isArray() && !value.isNull()) {
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
