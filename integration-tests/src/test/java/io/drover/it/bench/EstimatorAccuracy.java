// SPDX-License-Identifier: Apache-2.0
package io.drover.it.bench;

import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.ProgressReport;
import io.drover.core.model.SchedulingLag;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/**
 * Measures how well t_rem is predicted on recorded reports of real jobs. Compares Drover's
 * estimator with Hadoop's three, each asked right after the same report.
 *
 * <p>The error of a prediction is |predicted - actual| / actual, where actual is the number of
 * seconds from the report to the moment when the AppMaster took the attempt as finished. Only
 * reports of successful attempts count, from 30 % progress on. Mantri's figure is 2.9 % (section
 * 6.2), "of the actual completion time", so the error relative to the attempt's whole time is
 * printed as well.
 *
 * <p>Arguments: decision logs that contain reports, recordings of {@code bin/drover demo --record},
 * or directories of them. Without arguments, jobs are run and recorded on a cluster on this
 * machine: see {@link Recording}.
 */
public final class EstimatorAccuracy {
  private static final String DROVER = "Drover";
  private static final double FROM_PROGRESS = 0.3;

  /** The directory of the recordings, which can be replayed with other estimators. */
  private static final Path KEPT =
      Path.of(System.getProperty("drover.home", "."), "integration-tests/target/recordings");

  private final Map<String, List<double[]>> errors = new LinkedHashMap<>();
  private int reports;

  private EstimatorAccuracy() {}

  /** Prints the tables. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<Path> places = Stream.of(args).map(Path::of).toList();
    if (places.isEmpty()) {
      Recording.ofRealJobs(Integer.getInteger("drover.rounds", 1), KEPT);
      places = List.of(KEPT);
    }
    Map<String, List<RecordedJob>> kinds = read(places);
    if (kinds.isEmpty()) {
      System.err.println("EstimatorAccuracy: no decision logs (*.jsonl) in " + places);
      System.exit(2);
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (TaskType type : List.of(TaskType.MAP, TaskType.REDUCE)) {
      String what = type == TaskType.MAP ? "maps" : "reduces";
      kinds.forEach((kind, jobs) -> print(out, what + " of " + kind + " jobs", type, jobs));
    }
    List<RecordedJob> all = kinds.values().stream().flatMap(List::stream).toList();
    print(out, "all maps", TaskType.MAP, all);
    print(out, "all reduces", TaskType.REDUCE, all);
    EstimatorAccuracy together = new EstimatorAccuracy();
    all.forEach(job -> together.replay(job, TaskType.MAP));
    all.forEach(job -> together.replay(job, TaskType.REDUCE));
    together.print(out, "all tasks of " + all.size() + " jobs");
    System.exit(0); // Hadoop's clients leave threads
  }

  private static void print(PrintStream out, String what, TaskType type, List<RecordedJob> jobs) {
    EstimatorAccuracy accuracy = new EstimatorAccuracy();
    jobs.forEach(job -> accuracy.replay(job, type));
    accuracy.print(out, what);
  }

  /** Reads the jobs recorded in files and directories, by the name of the log's directory. */
  private static Map<String, List<RecordedJob>> read(List<Path> places) throws IOException {
    Map<String, List<RecordedJob>> kinds = new TreeMap<>();
    for (Path place : places) {
      try (Stream<Path> files = Files.walk(place)) {
        for (Path log : files.filter(EstimatorAccuracy::isLog).sorted().toList()) {
          String kind = String.valueOf(log.toAbsolutePath().getParent().getFileName());
          kinds.computeIfAbsent(kind, k -> new ArrayList<>()).add(RecordedJob.read(lines(log)));
        }
      }
    }
    return kinds;
  }

  private static boolean isLog(Path file) {
    return file.toString().endsWith(".jsonl") || file.toString().endsWith(".jsonl.gz");
  }

  /** Reads a log, or a recording of the demo, which is compressed. */
  private static List<String> lines(Path log) throws IOException {
    if (!log.toString().endsWith(".gz")) {
      return Files.readAllLines(log);
    }
    try (InputStream in = new GZIPInputStream(Files.newInputStream(log))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private void replay(RecordedJob job, TaskType type) {
    Replay replay = new Replay(job);
    StockEstimators stock = new StockEstimators();
    RemainingTimeEstimator drover = new RemainingTimeEstimator();
    for (RecordedJob.Happening happening : job.happenings()) {
      replay.apply(happening);
      if (happening instanceof RecordedJob.Launch launch) {
        stock.launched(launch);
      } else if (happening instanceof RecordedJob.Report report) {
        stock.reported(report);
        RecordedJob.End end = job.ends().get(report.attempt());
        boolean counts =
            report.attempt().getTaskId().getTaskType() == type
                && end.succeeded()
                && report.progress() >= FROM_PROGRESS
                && end.time() > report.time();
        if (counts) {
          double actual = (end.time() - report.time()) / 1e3;
          AttemptModel attempt = replay.attempt(report.attempt());
          double whole = replay.seconds(end.time()) - attempt.launchedAt();
          double ours = drover.seconds(attempt, replay.seconds(report.time()));
          reports++;
          note(DROVER, OptionalDouble.of(ours), actual, whole);
          stock
              .remaining(report.attempt(), report.time())
              .forEach((name, answer) -> note(name, answer, actual, whole));
        }
      }
    }
  }

  private void note(String name, OptionalDouble foretold, double actual, double whole) {
    List<double[]> list = errors.computeIfAbsent(name, n -> new ArrayList<>());
    if (foretold.isPresent() && Double.isFinite(foretold.getAsDouble())) {
      double off = Math.abs(foretold.getAsDouble() - actual);
      list.add(new double[] {off / actual, off / whole});
    }
  }

  private void print(PrintStream out, String what) {
    out.printf("%n%s: %d reports from %.0f %% on%n", what, reports, 100 * FROM_PROGRESS);
    out.printf(
        "%-28s %9s %10s %10s %10s %14s%n",
        "estimator", "answered", "median", "p25", "p75", "median/whole");
    errors.forEach(
        (name, list) -> {
          double[] relative = list.stream().mapToDouble(e -> e[0]).toArray();
          double[] overWhole = list.stream().mapToDouble(e -> e[1]).toArray();
          out.printf(
              "%-28s %8.1f%% %9.1f%% %9.1f%% %9.1f%% %13.1f%%%n",
              name,
              100.0 * list.size() / Math.max(1, reports),
              100 * percentile(relative, 50),
              100 * percentile(relative, 25),
              100 * percentile(relative, 75),
              100 * percentile(overWhole, 50));
        });
  }

  private static double percentile(double[] values, double p) {
    return values.length == 0 ? Double.NaN : new Percentile(p).evaluate(values);
  }

  /** Replays a recorded job into core's model, as the speculator does it. */
  private static final class Replay {
    private final long origin;
    private final PhaseModel maps;
    private final PhaseModel reduces;
    private final Map<TaskId, TaskModel> tasks = new HashMap<>();
    private final Map<TaskAttemptId, AttemptModel> attempts = new HashMap<>();
    private long unfinishedMaps;

    Replay(RecordedJob job) {
      origin = job.happenings().get(0).time();
      EstimatorSettings settings = EstimatorSettings.withPeriod(period(job));
      SchedulingLag lag = new SchedulingLag();
      maps = new PhaseModel(TaskKind.MAP, settings, lag, machine -> PhaseModel.OUTLIERS);
      reduces = new PhaseModel(TaskKind.REDUCE, settings, lag, machine -> PhaseModel.OUTLIERS);
      job.ends().keySet().stream()
          .map(TaskAttemptId::getTaskId)
          .distinct()
          .sorted()
          .forEach(
              id ->
                  tasks.put(
                      id, id.getTaskType() == TaskType.MAP ? map(job, id) : reduces.addTask()));
      unfinishedMaps = maps.tasks().size();
    }

    private TaskModel map(RecordedJob job, TaskId id) {
      long bytes =
          job.happenings().stream()
              .filter(h -> h instanceof RecordedJob.Report && h.attempt().getTaskId().equals(id))
              .mapToLong(h -> ((RecordedJob.Report) h).inputBytes())
              .max()
              .orElse(0);
      return maps.addTask(bytes);
    }

    /** Returns the median time between two reports of an attempt. */
    private static Duration period(RecordedJob job) {
      Map<TaskAttemptId, Long> last = new HashMap<>();
      List<Double> gaps = new ArrayList<>();
      for (RecordedJob.Happening h : job.happenings()) {
        if (h instanceof RecordedJob.Report) {
          Long before = last.put(h.attempt(), h.time());
          if (before != null) {
            gaps.add((double) (h.time() - before));
          }
        }
      }
      double median = percentile(gaps.stream().mapToDouble(Double::doubleValue).toArray(), 50);
      return Duration.ofMillis(Math.max(1, Math.round(median)));
    }

    double seconds(long millis) {
      return (millis - origin) / 1e3;
    }

    AttemptModel attempt(TaskAttemptId id) {
      return attempts.get(id);
    }

    void apply(RecordedJob.Happening happening) {
      TaskModel task = tasks.get(happening.attempt().getTaskId());
      double now = seconds(happening.time());
      if (happening instanceof RecordedJob.Launch launch) {
        AttemptModel attempt =
            task.addAttempt(launch.attempt().getId(), seconds(launch.requested()));
        attempt.launched(now, launch.node());
        attempts.put(launch.attempt(), attempt);
      } else if (happening instanceof RecordedJob.Report report) {
        progress(report).tell(attempts.get(report.attempt()));
      } else if (happening instanceof RecordedJob.End end) {
        boolean wasDone = task.isDone();
        attempts
            .get(end.attempt())
            .ended(end.succeeded() ? AttemptState.SUCCEEDED : AttemptState.KILLED, now);
        if (!wasDone && task.isDone() && task.phase() == maps && --unfinishedMaps == 0) {
          reduces.inputsReady(now);
        }
      }
    }

    private ProgressReport progress(RecordedJob.Report report) {
      return new ProgressReport(
          seconds(report.time()),
          report.subPhase(),
          report.fraction(),
          report.bytesRead(),
          report.bytesShuffled(),
          secondsOrNaN(report.mapFinished()),
          secondsOrNaN(report.shuffleFinished()),
          secondsOrNaN(report.sortFinished()));
    }

    private double secondsOrNaN(long millis) {
      return millis > 0 ? seconds(millis) : Double.NaN;
    }
  }
}
