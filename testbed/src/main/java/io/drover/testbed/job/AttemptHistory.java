// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.core.model.TaskKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.MapAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.ReduceAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptStartedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptUnsuccessfulCompletionEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskFinishedEvent;

/**
 * Makes attempt records from a job's history events. Hadoop's own parser keeps only the last event
 * of an attempt. All events are needed to know whether a killed attempt had won before.
 */
final class AttemptHistory {
  private final Map<TaskAttemptID, Life> lives = new LinkedHashMap<>();
  private final Map<TaskID, TaskAttemptID> winners = new HashMap<>();
  private final Set<TaskAttemptID> everWon = new HashSet<>();

  /** What is known about an attempt so far. */
  private static final class Life {
    String node = "";
    String rack = "";
    String container = "";
    long start;
    long finish = -1;
    long shuffle = -1;
    long sort = -1;
    String ending = "";
    String diagnostics = "";
  }

  /** Takes in one event. Events that are not about attempts are ignored. */
  void add(HistoryEvent event) {
    if (event instanceof TaskAttemptStartedEvent started) {
      Life life = new Life();
      life.start = started.getStartTime();
      life.node = started.getTrackerName();
      life.container = started.getContainerId().toString();
      lives.put(started.getTaskAttemptId(), life);
    } else if (event instanceof MapAttemptFinishedEvent finished) {
      Life life = life(finished.getAttemptId());
      life.finish = finished.getFinishTime();
      place(life, finished.getHostname(), finished.getRackName());
    } else if (event instanceof ReduceAttemptFinishedEvent finished) {
      Life life = life(finished.getAttemptId());
      life.finish = finished.getFinishTime();
      life.shuffle = finished.getShuffleFinishTime();
      life.sort = finished.getSortFinishTime();
      place(life, finished.getHostname(), finished.getRackName());
    } else if (event instanceof TaskAttemptUnsuccessfulCompletionEvent ended) {
      Life life = life(ended.getTaskAttemptId());
      if (life.finish < 0) { // otherwise it had finished, and was discarded later
        life.finish = ended.getFinishTime();
      }
      if (life.start == 0) {
        life.start = ended.getStartTime();
      }
      life.ending = ended.getTaskStatus();
      life.diagnostics = ended.getError();
      place(life, ended.getHostname(), ended.getRackName());
    } else if (event instanceof TaskFinishedEvent finished
        && finished.getSuccessfulTaskAttemptId() != null) {
      winners.put(finished.getTaskId(), finished.getSuccessfulTaskAttemptId());
      everWon.add(finished.getSuccessfulTaskAttemptId());
    }
  }

  /**
   * Returns the records, by start.
   *
   * @param jobFinish the end of attempts for which the history has no end
   */
  List<AttemptRecord> records(Instant jobFinish) {
    List<AttemptRecord> records = new ArrayList<>();
    lives.forEach((id, life) -> record(id, life, jobFinish).ifPresent(records::add));
    records.sort(Comparator.comparing(AttemptRecord::start).thenComparing(AttemptRecord::attempt));
    List<AttemptRecord> withRoles = new ArrayList<>();
    for (AttemptRecord record : records) {
      withRoles.add(withRole(record, records));
    }
    return withRoles;
  }

  private Optional<AttemptRecord> record(TaskAttemptID id, Life life, Instant jobFinish) {
    if (life.start <= 0) {
      return Optional.empty(); // given up before it had a process
    }
    Instant start = Instant.ofEpochMilli(life.start);
    Instant finish = life.finish > 0 ? Instant.ofEpochMilli(life.finish) : jobFinish;
    return Optional.of(
        new AttemptRecord(
            id.toString(),
            id.getTaskType() == TaskType.REDUCE ? TaskKind.REDUCE : TaskKind.MAP,
            id.getTaskID().getId(),
            id.getId(),
            life.node,
            life.rack,
            life.container,
            start,
            finish.isBefore(start) ? start : finish,
            instant(life.shuffle),
            instant(life.sort),
            outcome(id, life),
            AttemptRecord.Role.FIRST,
            life.diagnostics == null ? "" : life.diagnostics));
  }

  private AttemptRecord.Outcome outcome(TaskAttemptID id, Life life) {
    if (id.equals(winners.get(id.getTaskID())) && life.ending.isEmpty()) {
      return AttemptRecord.Outcome.WON;
    }
    if (everWon.contains(id)) {
      return AttemptRecord.Outcome.OUTPUT_LOST;
    }
    return switch (life.ending) {
      case "FAILED" -> AttemptRecord.Outcome.FAILED;
      case "KILLED" -> AttemptRecord.Outcome.KILLED;
      // It finished after another had won, or its end was never recorded.
      default -> life.finish > 0 ? AttemptRecord.Outcome.KILLED : AttemptRecord.Outcome.UNKNOWN;
    };
  }

  private static AttemptRecord withRole(AttemptRecord record, List<AttemptRecord> all) {
    List<AttemptRecord> earlier =
        all.stream()
            .filter(a -> a.kind() == record.kind() && a.task() == record.task())
            .filter(a -> a.attempt() < record.attempt())
            .toList();
    AttemptRecord.Role role;
    if (earlier.isEmpty()) {
      role = AttemptRecord.Role.FIRST;
    } else if (earlier.stream().allMatch(a -> isOver(a, record.start()))) {
      role = AttemptRecord.Role.RETRY;
    } else {
      role = AttemptRecord.Role.COPY;
    }
    return record.withRole(role);
  }

  /** Returns whether an attempt had ended without lasting success when another began. */
  private static boolean isOver(AttemptRecord attempt, Instant begin) {
    return !attempt.won() && !attempt.finish().isAfter(begin);
  }

  private Life life(TaskAttemptID id) {
    return lives.computeIfAbsent(id, missing -> new Life());
  }

  private static void place(Life life, String host, String rack) {
    if (host != null && !host.isEmpty()) {
      life.node = host;
    }
    if (rack != null && !rack.isEmpty()) {
      life.rack = rack;
    }
  }

  private static Optional<Instant> instant(long millis) {
    return millis > 0 ? Optional.of(Instant.ofEpochMilli(millis)) : Optional.empty();
  }
}
