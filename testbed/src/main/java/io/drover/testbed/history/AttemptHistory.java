// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import io.drover.testbed.history.EventFields.Counter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Makes attempt records from the events of one task. Hadoop's own parser keeps only the last event
 * of an attempt. All events are needed to know whether a killed attempt had won before.
 */
final class AttemptHistory {
  private final Map<String, Life> lives = new LinkedHashMap<>();
  private final Set<String> everWon = new HashSet<>();
  private String winner = "";
  private int timesMended;

  /** What is known about an attempt so far. */
  private static final class Life {
    final AttemptName name;
    String node = "";
    String rack = "";
    String container = "";
    String locality = "";
    long start;
    long finish;
    OptionalLong shuffle = OptionalLong.empty();
    OptionalLong sort = OptionalLong.empty();
    String ending = "";
    String diagnostics = "";
    AttemptFigures figures = AttemptFigures.NONE;

    Life(AttemptName name) {
      this.name = name;
    }

    void place(RecordedEvent event) {
      event.text("hostname").filter(host -> !host.isEmpty()).ifPresent(host -> node = host);
      event.text("rackname").filter(r -> !r.isEmpty()).ifPresent(r -> rack = r);
    }
  }

  /** Takes in an event about an attempt. */
  void add(RecordedEvent event, AttemptName name) throws HistoryFormatException {
    String id = event.needed("attemptId");
    if (event.type().endsWith("_STARTED")) {
      Life life = new Life(name);
      life.start = event.time("startTime").orElse(0);
      life.node = event.text("trackerName").orElse("");
      life.container = event.text("containerId").orElse("");
      life.locality = event.text("locality").orElse("");
      lives.put(id, life);
      return;
    }
    Life life = lives.computeIfAbsent(id, missing -> new Life(name));
    life.place(event);
    life.figures = figures(event, life);
    if (event.type().endsWith("_FINISHED")) {
      life.finish = event.time("finishTime").orElse(0);
      life.shuffle = event.time("shuffleFinishTime");
      life.sort = event.time("sortFinishTime");
    } else {
      if (life.finish == 0) { // otherwise it had finished, and was discarded later
        life.finish = event.time("finishTime").orElse(0);
      }
      if (life.start == 0) {
        life.start = event.time("startTime").orElse(0);
      }
      life.ending = event.type().endsWith("_KILLED") ? "KILLED" : "FAILED";
      life.diagnostics = event.text("error").orElse("");
    }
  }

  /** Notes that an attempt's output has become that of the task. */
  void won(String attempt) {
    winner = attempt;
    everWon.add(attempt);
  }

  /**
   * Notes that the task has an output, but the history does not say of which attempt, as in Hadoop
   * 0.23.1: of the first that finished, and neither was discarded nor had won before.
   */
  void won() {
    lives.entrySet().stream()
        .filter(life -> life.getValue().finish > 0 && life.getValue().ending.isEmpty())
        .filter(life -> !everWon.contains(life.getKey()))
        .min(Comparator.comparingLong(life -> life.getValue().finish))
        .ifPresent(life -> won(life.getKey()));
  }

  /** An event without measurements, as of one that is discarded later, leaves the former ones. */
  private static AttemptFigures figures(RecordedEvent event, Life life) {
    Map<String, Long> counters = event.counters("counters");
    List<Integer> clock = measured(event.numbers("clockSplits"));
    if (counters.isEmpty() && clock.isEmpty()) {
      return life.figures;
    }
    boolean fetches = counters.containsKey(Counter.REDUCE_SHUFFLE_BYTES);
    return new AttemptFigures(
        fetches
            ? known(counters, Counter.REDUCE_SHUFFLE_BYTES)
            : known(
                counters,
                Counter.INPUT_BYTES_READ,
                Counter.HDFS_BYTES_READ,
                Counter.FILE_BYTES_READ),
        known(counters, fetches ? Counter.REDUCE_INPUT_RECORDS : Counter.MAP_INPUT_RECORDS),
        known(counters, Counter.CPU_MILLISECONDS),
        known(counters, Counter.GC_TIME_MILLIS),
        clock,
        measured(event.numbers("cpuUsages")),
        life.locality);
  }

  /** The parts of an attempt that a later AppMaster has recovered are -1: they were not kept. */
  private static List<Integer> measured(List<Integer> parts) {
    return parts.stream().anyMatch(part -> part < 0) ? List.of() : parts;
  }

  /** Returns the first counter that is above 0. */
  private static OptionalLong known(Map<String, Long> counters, String... names) {
    for (String name : names) {
      long count = counters.getOrDefault(name, 0L);
      if (count > 0) {
        return OptionalLong.of(count);
      }
    }
    return OptionalLong.empty();
  }

  /** Returns the latest time of any attempt, in milliseconds; 0 if there is none. */
  long latest() {
    return lives.values().stream()
        .mapToLong(life -> Math.max(life.start, life.finish))
        .max()
        .orElse(0);
  }

  /** Returns how many times of {@link #records} were replaced, because they contradicted others. */
  int timesMended() {
    return timesMended;
  }

  /**
   * Returns the records, by start. Their times are those of the history if these lie within the
   * job, and else the nearest that do.
   *
   * @param jobStart when the job was submitted
   * @param jobFinish when it ended, not before that; attempts without an end last until then
   * @param latest the latest end of an attempt that contradicts nothing, not before {@code
   *     jobFinish}
   */
  List<AttemptRecord> records(Instant jobStart, Instant jobFinish, Instant latest) {
    timesMended = 0;
    List<AttemptRecord> records = new ArrayList<>();
    lives.forEach(
        (id, life) -> record(id, life, jobStart, jobFinish, latest).ifPresent(records::add));
    records.sort(Comparator.comparing(AttemptRecord::start).thenComparing(AttemptRecord::attempt));
    List<AttemptRecord> withRoles = new ArrayList<>();
    for (AttemptRecord record : records) {
      withRoles.add(record.withRole(role(record, records)));
    }
    return withRoles;
  }

  private Optional<AttemptRecord> record(
      String id, Life life, Instant jobStart, Instant jobFinish, Instant latest) {
    if (life.start <= 0) {
      return Optional.empty(); // given up before it had a process
    }
    Instant start = within(jobStart, life.start, jobFinish);
    Instant end = life.finish > 0 ? within(start, life.finish, latest) : jobFinish;
    Instant finish = end.isAfter(jobFinish) ? jobFinish : end;
    Optional<Instant> shuffle = within(start, life.shuffle, finish);
    Optional<Instant> sort = within(shuffle.orElse(start), life.sort, finish);
    return Optional.of(
        new AttemptRecord(
            id,
            life.name.kind(),
            life.name.task(),
            life.name.attempt(),
            life.node,
            life.rack,
            life.container,
            start,
            finish,
            shuffle,
            sort,
            outcome(id, life),
            Role.FIRST,
            life.diagnostics,
            life.figures));
  }

  private Optional<Instant> within(Instant earliest, OptionalLong time, Instant latest) {
    return time.isEmpty()
        ? Optional.empty()
        : Optional.of(within(earliest, time.getAsLong(), latest));
  }

  /** Returns a time, or the nearest one that contradicts nothing, and counts that. */
  private Instant within(Instant earliest, long millis, Instant latest) {
    Instant time = Instant.ofEpochMilli(millis);
    if (!time.isBefore(earliest) && !time.isAfter(latest)) {
      return time;
    }
    timesMended++;
    return time.isBefore(earliest) ? earliest : latest;
  }

  private Outcome outcome(String id, Life life) {
    if (id.equals(winner) && life.ending.isEmpty()) {
      return Outcome.WON;
    }
    if (everWon.contains(id)) {
      return Outcome.OUTPUT_LOST;
    }
    return switch (life.ending) {
      case "FAILED" -> Outcome.FAILED;
      case "KILLED" -> Outcome.KILLED;
      // It finished after another had won, or its end was never recorded.
      default -> life.finish > 0 ? Outcome.KILLED : Outcome.UNKNOWN;
    };
  }

  private static Role role(AttemptRecord record, List<AttemptRecord> ofTask) {
    List<AttemptRecord> earlier =
        ofTask.stream().filter(other -> other.attempt() < record.attempt()).toList();
    if (earlier.isEmpty()) {
      return Role.FIRST;
    }
    boolean isAlone = earlier.stream().allMatch(other -> isOver(other, record.start()));
    return isAlone ? Role.RETRY : Role.COPY;
  }

  /** Returns whether an attempt had ended without lasting success when another began. */
  private static boolean isOver(AttemptRecord attempt, Instant begin) {
    return !attempt.won() && !attempt.finish().isAfter(begin);
  }
}
