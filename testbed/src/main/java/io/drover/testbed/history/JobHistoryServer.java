// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads jobs from the REST interface of a JobHistoryServer, for those who may not read its files.
 * It takes one request for each task, and one for the counters of each attempt. The interface tells
 * neither how attempts progressed nor how near they were to their input.
 */
public final class JobHistoryServer {
  private static final Set<String> ENDED_WELL = Set.of("SUCCEEDED");

  private final URI jobs;
  private final Client client;

  /** Asks for JSON by HTTP. */
  @FunctionalInterface
  public interface Client {
    /**
     * Returns what a page answers.
     *
     * @throws IOException if it gives no answer or none with JSON; names the page
     */
    JsonNode get(URI page) throws IOException;
  }

  /**
   * Creates a reader.
   *
   * @param server the server's web address, such as {@code http://history:19888}; with a path if it
   *     is behind a gateway
   */
  public JobHistoryServer(URI server, Client client) {
    String path = server.getPath() == null ? "" : server.getPath().replaceAll("/+$", "");
    this.jobs = server.resolve(path + "/ws/v1/history/mapreduce/jobs/");
    this.client = client;
  }

  /**
   * Reads a job.
   *
   * @param id its id
   * @throws HistoryFormatException if the answers are not what such a server gives
   * @throws IOException if the server does not answer, or does not know the job
   */
  public JobRecord read(String id) throws IOException {
    JobAssembler job = new JobAssembler();
    JsonNode told = get(id).path("job");
    job.add(
        event("JOB_SUBMITTED", told)
            .with("jobid", "id")
            .with("jobName", "name")
            .with("userName", "user")
            .with("jobQueueName", "queue")
            .with("submitTime", "submitTime")
            .made());
    job.add(
        event("JOB_INITED", told)
            .with("launchTime", "startTime")
            .with("totalMaps", "mapsTotal")
            .with("totalReduces", "reducesTotal")
            .with("uberized", "uberized")
            .made());
    for (JsonNode master :
        elements(get(id + "/jobattempts").path("jobAttempts").path("jobAttempt"))) {
      job.add(
          event("AM_STARTED", master)
              .with("startTime", "startTime")
              .put("nodeManagerHost", host(master.path("nodeHttpAddress").asText()))
              .made());
    }
    for (JsonNode task : elements(get(id + "/tasks").path("tasks").path("task"))) {
      addTask(job, id, task);
    }
    String state = told.path("state").asText();
    String end = ENDED_WELL.contains(state) ? "JOB_FINISHED" : "JOB_FAILED";
    if (told.path("finishTime").asLong() > 0) {
      JsonNode counters = get(id + "/counters").path("jobCounters").path("counterGroup");
      job.add(
          event(end, told)
              .put("totalCounters", counters(counters, "totalCounters", "totalCounterValue"))
              .with("finishTime", "finishTime")
              .with("jobStatus", "state")
              .with("diagnostics", "diagnostics")
              .made());
    }
    return job.job(id);
  }

  private void addTask(JobAssembler job, String id, JsonNode task) throws IOException {
    String name = task.path("id").asText();
    job.add(event("TASK_STARTED", task).with("taskid", "id").with("startTime", "startTime").made());
    String kind = task.path("type").asText();
    String path = id + "/tasks/" + name + "/attempts";
    for (JsonNode attempt : elements(get(path).path("taskAttempts").path("taskAttempt"))) {
      String state = attempt.path("state").asText();
      job.add(
          event(kind + "_ATTEMPT_STARTED", attempt)
              .with("attemptId", "id")
              .with("startTime", "startTime")
              .with("containerId", "assignedContainerId")
              .put("trackerName", host(attempt.path("nodeHttpAddress").asText()))
              .made());
      if (attempt.path("finishTime").asLong() > 0) {
        JsonNode groups =
            get(path + "/" + attempt.path("id").asText() + "/counters")
                .path("jobTaskAttemptCounters")
                .path("taskAttemptCounterGroup");
        String how = ENDED_WELL.contains(state) ? "FINISHED" : state;
        job.add(
            event(kind + "_ATTEMPT_" + how, attempt)
                .with("attemptId", "id")
                .with("finishTime", "finishTime")
                .with("rackname", "rack")
                .with("error", "diagnostics")
                .with("shuffleFinishTime", "shuffleFinishTime")
                .with("sortFinishTime", "mergeFinishTime")
                .put("counters", counters(groups, "counters", "value"))
                .made());
      }
    }
    if (ENDED_WELL.contains(task.path("state").asText())) {
      job.add(
          event("TASK_FINISHED", task)
              .with("taskid", "id")
              .with("successfulAttemptId", "successfulAttempt")
              .made());
    } else {
      job.add(event("TASK_FAILED", task).with("taskid", "id").with("status", "state").made());
    }
  }

  /** Returns the counters of some groups that are kept in a field of an event. */
  private static Map<String, Long> counters(JsonNode groups, String field, String value) {
    Map<String, Long> kept = new HashMap<>();
    for (JsonNode group : elements(groups)) {
      for (JsonNode counter : elements(group.path("counter"))) {
        String name = group.path("counterGroupName").asText() + "/" + counter.path("name").asText();
        EventFields.keep(field, name, counter.path(value).asLong(), kept);
      }
    }
    return kept;
  }

  /** Returns the elements of a list, which the server writes without brackets if it has one. */
  private static Iterable<JsonNode> elements(JsonNode list) {
    return list.isObject() ? List.of(list) : list;
  }

  private static String host(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? address : address.substring(0, colon);
  }

  private JsonNode get(String path) throws IOException {
    return client.get(jobs.resolve(path));
  }

  private static EventMaker event(String type, JsonNode from) {
    return new EventMaker(type, from);
  }

  /** Makes an event of an answer, whose fields have other names. */
  private static final class EventMaker {
    private final String type;
    private final JsonNode from;
    private final Map<String, Object> fields = new HashMap<>();

    EventMaker(String type, JsonNode from) {
      this.type = type;
      this.from = from;
    }

    EventMaker with(String field, String answered) {
      JsonNode value = from.path(answered);
      if (value.isIntegralNumber()) {
        fields.put(field, value.asLong());
      } else if (value.isBoolean()) {
        fields.put(field, value.asBoolean());
      } else if (value.isTextual()) {
        fields.put(field, value.asText());
      }
      return this;
    }

    EventMaker put(String field, Object value) {
      fields.put(field, value);
      return this;
    }

    RecordedEvent made() {
      return new RecordedEvent(type, from.path("id").asText("the answer"), fields);
    }
  }
}
