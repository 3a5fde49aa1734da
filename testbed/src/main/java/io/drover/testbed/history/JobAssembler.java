// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import io.drover.core.model.TaskKind;
import io.drover.testbed.history.JobRecord.Master;
import io.drover.testbed.history.JobRecord.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes the record of one job from its events, in the order of the history. */
final class JobAssembler {
  /**
   * The time of a job's failure is its end, and Hadoop then kills the other attempts, for which it
   * waits so long (the default of {@code yarn.app.mapreduce.am.job.committer.cancel-timeout}). A
   * job that is killed meanwhile keeps that time.
   */
  private static final Duration FAIL_WAIT = Duration.ofMinutes(1);

  private final Map<TaskKind, TreeMap<Integer, Task>> tasks = new EnumMap<>(TaskKind.class);
  private final List<Master> masters = new ArrayList<>();
  private String id = "";
  private String name = "";
  private String user = "";
  private String queue = "";
  private String priority = "";
  private State state = State.UNFINISHED;
  private OptionalLong submitted = OptionalLong.empty();
  private OptionalLong launched = OptionalLong.empty();
  private OptionalLong finished = OptionalLong.empty();
  private int maps;
  private int reduces;
  private boolean uber;
  private Map<String, Long> counters = Map.of();
  private String diagnostics = "";

  /** What is known about a task so far. */
  private static final class Task {
    final AttemptHistory attempts = new AttemptHistory();
    OptionalLong scheduled = OptionalLong.empty();
    String state = "";
    List<String> hosts = List.of();
  }

  JobAssembler() {
    for (TaskKind kind : TaskKind.values()) {
      tasks.put(kind, new TreeMap<>());
    }
  }

  /**
   * Takes in the next event. Types that tell nothing of use, and types that are not known, are
   * passed over.
   *
   * @throws HistoryFormatException if a field of it holds what it cannot
   */
  void add(RecordedEvent event) throws HistoryFormatException {
    switch (event.type()) {
      case "JOB_SUBMITTED" -> {
        id = event.needed("jobid");
        name = event.text("jobName").orElse("");
        user = event.text("userName").orElse("");
        queue = event.text("jobQueueName").orElse("");
        submitted = event.time("submitTime");
      }
      case "JOB_QUEUE_CHANGED" -> queue = event.text("jobQueueName").orElse(queue);
      case "JOB_PRIORITY_CHANGED" -> priority = event.text("priority").orElse(priority);
      case "JOB_INITED" -> {
        launched = event.time("launchTime");
        maps = event.count("totalMaps");
        reduces = event.count("totalReduces");
        uber = event.flag("uberized");
      }
      case "JOB_FINISHED" -> end(State.SUCCEEDED, event);
      case "JOB_FAILED", "JOB_KILLED", "JOB_ERROR" -> end(unsuccessful(event), event);
      case "AM_STARTED" ->
          masters.add(
              new Master(
                  event.text("nodeManagerHost").orElse(""),
                  Instant.ofEpochMilli(event.time("startTime").orElse(0))));
      default -> addToTask(event);
    }
  }

  private void addToTask(RecordedEvent event) throws HistoryFormatException {
    boolean ofAttempt = event.type().contains("_ATTEMPT_");
    if (!ofAttempt && !event.type().startsWith("TASK_")) {
      return;
    }
    Optional<AttemptName> named = AttemptName.of(event, ofAttempt ? "attemptId" : "taskid");
    if (named.isEmpty()) {
      return;
    }
    Task task =
        tasks.get(named.get().kind()).computeIfAbsent(named.get().task(), number -> new Task());
    switch (event.type()) {
      case "TASK_STARTED" -> {
        task.scheduled = event.time("startTime");
        task.hosts =
            Stream.of(event.text("splitLocations").orElse("").split(",", -1))
                .filter(host -> !host.isBlank())
                .distinct()
                .toList();
      }
      case "TASK_FINISHED" -> {
        task.state = "SUCCEEDED";
        event
            .text("successfulAttemptId")
            .ifPresentOrElse(task.attempts::won, () -> task.attempts.won());
      }
      case "TASK_FAILED" -> task.state = event.text("status").orElse("FAILED");
      default -> {
        if (ofAttempt) {
          task.attempts.add(event, named.get());
        }
      }
    }
  }

  private void end(State how, RecordedEvent event) throws HistoryFormatException {
    state = how;
    finished = event.time("finishTime");
    diagnostics = event.text("diagnostics").orElse("");
    counters = event.counters("totalCounters");
  }

  private static State unsuccessful(RecordedEvent event) {
    String status = event.text("jobStatus").orElse("").toUpperCase(Locale.ROOT);
    return status.equals("KILLED") || (status.isEmpty() && event.type().equals("JOB_KILLED"))
        ? State.KILLED
        : State.FAILED;
  }

  /**
   * Returns the record of the job.
   *
   * @param file the name of the file, for messages
   * @throws HistoryFormatException if the events do not tell which job it is
   */
  JobRecord job(String file) throws HistoryFormatException {
    if (id.isEmpty()) {
      throw new HistoryFormatException(
          file + ": it has no event JOB_SUBMITTED, so it does not tell which job it is of");
    }
    Instant begin = Instant.ofEpochMilli(firstKnown(submitted, launched));
    Instant last = Instant.ofEpochMilli(finished.orElse(latest(begin.toEpochMilli())));
    int mended = last.isBefore(begin) ? 1 : 0;
    Instant end = last.isBefore(begin) ? Instant.ofEpochMilli(latest(begin.toEpochMilli())) : last;
    boolean mayHaveFailed = state == State.FAILED || state == State.KILLED;
    Instant latest = mayHaveFailed ? end.plus(FAIL_WAIT) : end;
    List<TaskRecord> records = new ArrayList<>();
    for (Map.Entry<TaskKind, TreeMap<Integer, Task>> kind : tasks.entrySet()) {
      for (Map.Entry<Integer, Task> numbered : kind.getValue().entrySet()) {
        Task task = numbered.getValue();
        records.add(
            new TaskRecord(
                kind.getKey(),
                numbered.getKey(),
                task.scheduled.stream().mapToObj(Instant::ofEpochMilli).findFirst(),
                task.state,
                task.hosts,
                task.attempts.records(begin, end, latest)));
        mended += task.attempts.timesMended();
      }
    }
    return new JobRecord(
        id,
        name,
        user,
        queue,
        priority,
        state,
        begin,
        launched.stream().mapToObj(Instant::ofEpochMilli).findFirst(),
        end,
        Math.max(maps, tasks.get(TaskKind.MAP).size()),
        Math.max(reduces, tasks.get(TaskKind.REDUCE).size()),
        uber,
        List.copyOf(masters),
        List.copyOf(records),
        counters,
        diagnostics,
        mended);
  }

  private long firstKnown(OptionalLong... times) {
    return Stream.of(times)
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .findFirst()
        .orElseGet(
            () ->
                masters.stream().mapToLong(m -> m.started().toEpochMilli()).findFirst().orElse(0));
  }

  private long latest(long atLeast) {
    return tasks.values().stream()
        .flatMap(kind -> kind.values().stream())
        .mapToLong(task -> task.attempts.latest())
        .reduce(atLeast, Math::max);
  }
}
