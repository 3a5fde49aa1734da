// SPDX-License-Identifier: Apache-2.0
package io.drover.core.recorded;

import io.drover.core.estimate.LocationFactors;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.ProgressReport;
import io.drover.core.model.SchedulingLag;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import io.drover.core.restart.RestartPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * What an AppMaster heard of a real job that was left alone ({@code bin/drover demo --record}), and
 * what a policy would have done at each moment of it.
 */
final class RecordedRun {
  private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":(?:\"([^\"]*)\"|([^,}\"]+))");
  private static final Pattern ATTEMPT = Pattern.compile("attempt_\\d+_\\d+_([mr])_(\\d+)_(\\d+)");

  /** As the demo's jobs report. */
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** If a container requested this many periods ago has not come, no slot is free. */
  private static final double PATIENCE = 3;

  /** What a policy would have done about an attempt, and when the attempt ended by itself. */
  record Act(Decision decision, double ended) {
    double at() {
      return decision.at();
    }

    AttemptModel attempt() {
      return decision.attempt().orElseThrow();
    }

    /** Returns whether the attempt ended before a copy could have. */
    boolean isFalseAlarm() {
      return ended < at() + decision.evidence().fresh().orElseThrow();
    }
  }

  private record Event(double at, int order, Runnable happens) {}

  private final List<Event> events = new ArrayList<>();
  private final PhaseModel maps;
  private final PhaseModel reduces;
  private final Map<String, AttemptModel> attempts = new HashMap<>();
  private final Map<AttemptModel, Double> ends = new HashMap<>();
  private final Set<String> known = new HashSet<>();
  private final long origin;

  private RecordedRun(List<Map<String, String>> lines) {
    EstimatorSettings settings = EstimatorSettings.withPeriod(PERIOD);
    SchedulingLag lag = new SchedulingLag();
    maps = new PhaseModel(TaskKind.MAP, settings, lag, machine -> PhaseModel.OUTLIERS);
    reduces = new PhaseModel(TaskKind.REDUCE, settings, lag, machine -> PhaseModel.OUTLIERS);
    origin =
        lines.stream()
            .filter(line -> line.containsKey("requested"))
            .mapToLong(line -> Long.parseLong(line.get("requested")))
            .min()
            .orElseThrow();
    addTasks(lines);
    for (Map<String, String> line : lines) {
      if (line.get("type").equals("attempt")) {
        if (known.add(line.get("attempt"))) { // a log may have it twice
          addAttempt(line);
        }
      } else {
        addReport(line);
      }
    }
    events.sort(Comparator.comparingDouble(Event::at).thenComparingInt(Event::order));
  }

  /** Reads one of the recordings beside this class. */
  static RecordedRun read(String name) throws IOException {
    List<Map<String, String>> lines = new ArrayList<>();
    try (InputStream in = RecordedRun.class.getResourceAsStream(name + ".jsonl.gz")) {
      BufferedReader text =
          new BufferedReader(
              new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8));
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher field = FIELD.matcher(line);
        while (field.find()) {
          fields.put(field.group(1), field.group(2) == null ? field.group(3) : field.group(2));
        }
        lines.add(fields);
      }
    }
    return new RecordedRun(lines);
  }

  private void addTasks(List<Map<String, String>> lines) {
    Map<TaskKind, TreeMap<Integer, Long>> bytes = new HashMap<>();
    for (Map<String, String> line : lines) {
      Matcher id = id(line);
      bytes
          .computeIfAbsent(kind(id), kind -> new TreeMap<>())
          .merge(
              Integer.parseInt(id.group(2)),
              Long.parseLong(line.getOrDefault("inputBytes", "0")),
              Math::max);
    }
    bytes.forEach(
        (kind, sizes) -> {
          for (int i = 0; i <= sizes.lastKey(); i++) {
            phase(kind).addTask(kind == TaskKind.MAP ? sizes.getOrDefault(i, 0L) : 0);
          }
        });
  }

  private void addAttempt(Map<String, String> line) {
    Matcher id = id(line);
    TaskModel task = phase(kind(id)).tasks().get(Integer.parseInt(id.group(2)));
    String name = line.get("attempt");
    double requested = seconds(line.get("requested"));
    double ended = seconds(line.get("time"));
    boolean succeeded = line.get("state").equals("SUCCEEDED");
    at(
        requested,
        0,
        () -> {
          AttemptModel attempt = task.addAttempt(Integer.parseInt(id.group(3)), requested);
          attempts.put(name, attempt);
          ends.put(attempt, succeeded ? ended : Double.POSITIVE_INFINITY);
        });
    double launched = seconds(line.get("launched"));
    at(launched, 1, () -> attempts.get(name).launched(launched, line.get("node")));
    at(
        ended,
        3,
        () -> {
          attempts.get(name).ended(succeeded ? AttemptState.SUCCEEDED : AttemptState.KILLED, ended);
          if (maps.done() == maps.tasks().size()) {
            reduces.inputsReady(ended);
          }
        });
  }

  private void addReport(Map<String, String> line) {
    ProgressReport report =
        new ProgressReport(
            seconds(line.get("time")),
            SubPhase.valueOf(line.get("subPhase")),
            Double.parseDouble(line.get("fraction")),
            Long.parseLong(line.get("bytesRead")),
            Long.parseLong(line.get("bytesShuffled")),
            secondsOrNaN(line.get("mapFinished")),
            secondsOrNaN(line.get("shuffleFinished")),
            secondsOrNaN(line.get("sortFinished")));
    at(report.at(), 2, () -> report.tell(attempts.get(line.get("attempt"))));
  }

  private void at(double when, int order, Runnable happens) {
    events.add(new Event(when, order, happens));
  }

  private static Matcher id(Map<String, String> line) {
    Matcher id = ATTEMPT.matcher(line.get("attempt"));
    if (!id.matches()) {
      throw new IllegalArgumentException("no attempt: " + line);
    }
    return id;
  }

  private static TaskKind kind(Matcher id) {
    return id.group(1).equals("m") ? TaskKind.MAP : TaskKind.REDUCE;
  }

  private PhaseModel phase(TaskKind kind) {
    return kind == TaskKind.MAP ? maps : reduces;
  }

  private double seconds(String millis) {
    return (Long.parseLong(millis) - origin) / 1e3;
  }

  private double secondsOrNaN(String millis) {
    return millis.equals("0") ? Double.NaN : seconds(millis);
  }

  /**
   * Replays the run once, and asks a policy every period what it would do. Nothing is done, so only
   * the first act about each task counts.
   */
  List<Act> acts(RestartPolicy policy) {
    Map<TaskModel, Act> first = new LinkedHashMap<>();
    replay(now -> List.of(maps, reduces).forEach(phase -> decide(policy, phase, now, first)));
    return List.copyOf(first.values());
  }

  /** Replays the run once, and returns which machines are found to be bad, and when. */
  Map<String, Double> badMachines() {
    LocationFactors factors = new LocationFactors(2);
    Map<String, Double> found = new LinkedHashMap<>();
    replay(
        now ->
            factors
                .observe(List.of(maps, reduces), now)
                .keySet()
                .forEach(machine -> found.put(machine, now)));
    return found;
  }

  private void replay(DoubleConsumer pass) {
    double next = PERIOD.toMillis() / 1e3;
    for (Event event : events) {
      for (; next <= event.at(); next += PERIOD.toMillis() / 1e3) {
        pass.accept(next);
      }
      event.happens().run();
    }
  }

  private void decide(
      RestartPolicy policy, PhaseModel phase, double now, Map<TaskModel, Act> first) {
    boolean tasksWait = Demand.doTasksWait(phase, now, PATIENCE * PERIOD.toMillis() / 1e3);
    Demand demand = new Demand(tasksWait, OptionalInt.empty());
    for (Decision decision : policy.decide(phase, demand, now)) {
      if (decision.action() != Action.LEAVE) {
        double ended = ends.get(decision.attempt().orElseThrow());
        first.putIfAbsent(decision.task(), new Act(decision, ended));
      }
    }
  }

  /** Returns when the first map was launched, in seconds of the recording. */
  double firstLaunch() {
    return maps.tasks().stream()
        .flatMap(task -> task.attempts().stream())
        .mapToDouble(AttemptModel::launchedAt)
        .min()
        .orElseThrow();
  }
}
