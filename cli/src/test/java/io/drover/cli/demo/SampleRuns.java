// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.core.model.TaskKind;
import io.drover.testbed.history.AttemptFigures;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunListener.RunEvent;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.RunResult.AttemptTally;
import io.drover.testbed.job.RunResult.MapLocality;
import io.drover.testbed.job.RunResult.OutputDigest;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Makes up runs that look like real ones: twelve maps and four reduces on six nodes, a fault, and
 * speculation that comes late (stock), early (Drover) or never. The same seed gives the same runs.
 */
final class SampleRuns implements RunSource {
  private static final Instant BEGAN = Instant.parse("2026-01-02T03:04:05Z");
  private static final String SLOW = "n5";
  private static final String SHA = "5e".repeat(32);
  private static final double SLOWDOWN = 8;

  private final SplittableRandom random;
  private int jobs;

  SampleRuns(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  public List<Host> hosts() {
    List<Host> hosts = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      hosts.add(new Host("n" + i, "127.0.0." + (10 + i), "/rack" + (i + 1) / 2));
    }
    return hosts;
  }

  @Override
  public void close() {}

  @Override
  public RunResult run(PlannedRun planned, RunListener listener)
      throws IOException, InterruptedException {
    Job job = new Job(planned, ++jobs);
    job.maps();
    job.reduces();
    RunResult result = job.result();
    listener.progress(new JobProgress(Duration.ofSeconds(5), "RUNNING", 0.5, 0));
    result.events().forEach(listener::event);
    return result;
  }

  /** A made-up job. */
  private final class Job {
    private final PlannedRun planned;
    private final RunMode mode;
    private final Scenario scenario;
    private final String id;
    private final Instant submitted;
    private final List<AttemptRecord> attempts = new ArrayList<>();
    private final List<String> decisions = new ArrayList<>();
    private final List<RunEvent> events = new ArrayList<>();
    private int containers = 1;
    private double mapsDone;
    private double end;

    Job(PlannedRun planned, int number) {
      this.planned = planned;
      this.mode = planned.mode();
      this.scenario = mode == RunMode.CLEAN ? Scenario.NONE : planned.scenario();
      this.id = String.format(Locale.ROOT, "1767323045000_%04d", number);
      this.submitted = BEGAN.plusSeconds(200L * number);
    }

    void maps() {
      if (scenario == Scenario.NODE_DEATH) {
        events.add(new RunEvent(at(10), SLOW + " died"));
      }
      int maps = planned.spec().sample().map(SampleSpec::needed).orElse(planned.spec().maps());
      for (int task = 0; task < maps; task++) {
        String node = "n" + (task % 6 + 1);
        double start = 4.2 + task * 0.11 + random.nextDouble() * 0.2;
        double healthy = 11.4 + random.nextDouble();
        boolean faulty =
            switch (scenario) {
              case SLOW_NODE, NODE_DEATH -> node.equals(SLOW);
              case SLOW_ATTEMPT, SILENT_ATTEMPT, STALL_90 -> task == 5;
              case SKEW -> task == 0;
              case LONG_TASK, SMALL_JOBS -> planned.spec().faultTaskName().equals("m" + task);
              case NONE, PLACEMENT, CEILING, SAMPLING, FAILING_JOBS -> false;
              default -> node.equals(SLOW); // a fault of its host, or of its rack
            };
        if ((scenario == Scenario.SKEW || scenario == Scenario.LONG_TASK) && faulty) {
          add(TaskKind.MAP, task, 0, node, start, start + healthy * 5.6, Outcome.WON, Role.FIRST);
        } else if (faulty) {
          straggler(TaskKind.MAP, task, node, start, healthy);
        } else {
          add(TaskKind.MAP, task, 0, node, start, start + healthy, Outcome.WON, Role.FIRST);
        }
        leave(TaskKind.MAP, task, node, start + 2 + random.nextDouble());
      }
      mapsDone = attempts.stream().mapToDouble(this::finish).max().orElse(0);
    }

    void reduces() {
      for (int task = 0; task < Math.min(4, planned.spec().reduces()); task++) {
        String node = "n" + (task + 2);
        double start = Math.max(mapsDone * 0.4, 12) + task * 0.2;
        double healthy = mapsDone - start + 6 + random.nextDouble();
        boolean slow =
            switch (scenario) {
              case SLOW_NODE -> node.equals(SLOW);
              case SMALL_JOBS -> planned.spec().faultTaskName().equals("r" + task);
              default -> false;
            };
        if (slow) {
          straggler(TaskKind.REDUCE, task, node, start, healthy);
        } else {
          add(TaskKind.REDUCE, task, 0, node, start, start + healthy, Outcome.WON, Role.FIRST);
        }
      }
      end = attempts.stream().mapToDouble(this::finish).max().orElse(0) + 0.8;
    }

    private void straggler(TaskKind kind, int task, String node, double start, double healthy) {
      double slow =
          switch (scenario) {
            case SILENT_ATTEMPT, STALL_90, NODE_DEATH -> 124;
            default -> kind == TaskKind.MAP ? healthy * SLOWDOWN : healthy + 5.5 * (SLOWDOWN - 1);
          };
      double noticed = start + (mode == RunMode.STOCK ? 46 + random.nextDouble() * 8 : 7.5);
      boolean helped =
          mode == RunMode.DROVER || (mode == RunMode.STOCK && scenario != Scenario.SILENT_ATTEMPT);
      boolean given = scenario != Scenario.SLOW_NODE && scenario != Scenario.SLOW_ATTEMPT;
      String other = "n" + (node.equals("n2") ? 3 : 2);
      if (!helped) {
        add(
            kind,
            task,
            0,
            node,
            start,
            start + slow,
            given ? Outcome.FAILED : Outcome.WON,
            Role.FIRST);
        if (given) {
          add(
              kind,
              task,
              1,
              other,
              start + slow + 1,
              start + slow + 1 + healthy,
              Outcome.WON,
              Role.RETRY);
        }
        return;
      }
      boolean restart = mode == RunMode.DROVER && scenario == Scenario.SLOW_NODE && task == 10;
      double copyStart = noticed + 1.6;
      double copyEnd = copyStart + healthy;
      double firstEnd = restart ? noticed + 0.4 : Math.min(copyEnd + 0.3, start + slow);
      add(kind, task, 0, node, start, firstEnd, Outcome.KILLED, Role.FIRST);
      add(kind, task, 1, other, copyStart, copyEnd, Outcome.WON, restart ? Role.RETRY : Role.COPY);
      if (mode == RunMode.DROVER) {
        boolean stopped = scenario == Scenario.SILENT_ATTEMPT || scenario == Scenario.STALL_90;
        decide(kind, task, node, noticed, restart, stopped, slow - (noticed - start), healthy + 2);
        settle(kind, task, copyEnd, firstEnd - start);
      }
    }

    private void decide(
        TaskKind kind,
        int task,
        String node,
        double time,
        boolean restart,
        boolean stopped,
        double remaining,
        double fresh) {
      String remains =
          stopped ? "\"stopped\":true" : String.format(Locale.ROOT, "\"tRem\":%.3f", remaining);
      String said =
          stopped ? "infinite (stopped)" : String.format(Locale.ROOT, "%.1f s", remaining);
      String rule =
          restart
              ? "tasks wait for slots, and a new attempt would finish sooner:"
                  + " t_rem > E[t_new] + Delta"
              : "all tasks have begun, and a copy is expected to end sooner:"
                  + " E[t_rem - t_new] > rho Delta";
      String action = restart ? "KILL_AND_RESTART" : "DUPLICATE";
      decisions.add(
          String.format(
              Locale.ROOT,
              "{\"type\":\"decision\",\"time\":%d,\"mode\":\"on\",\"task\":\"%s\",\"kind\":\"%s\","
                  + "\"attempt\":\"attempt_%s_0\",\"node\":\"%s\",\"action\":\"%s\",\"rule\":\"%s\","
                  + "\"reason\":\"%s: %s; t_rem %s by BYTES, E[t_new] %.1f s, P 0.97,"
                  + " threshold 3.00, copies 1\",\"copies\":1,\"kills\":0,\"tasksWait\":%b,"
                  + "\"work\":0.081,%s,\"basis\":\"BYTES\",\"tNew\":%.3f,\"probability\":0.97,"
                  + "\"threshold\":3.0,\"observations\":11}",
              at(time).toEpochMilli(),
              taskId(kind, task),
              kind,
              taskId(kind, task).substring("task_".length()),
              node,
              action,
              restart ? "RESTART_PAYS" : "COPY_SAVES_TIME",
              action,
              rule,
              said,
              fresh,
              restart,
              remains,
              fresh));
    }

    private void settle(TaskKind kind, int task, double time, double wasted) {
      decisions.add(
          String.format(
              Locale.ROOT,
              "{\"type\":\"settled\",\"time\":%d,\"mode\":\"on\",\"task\":\"%s\","
                  + "\"winner\":\"attempt_%s_1\",\"copyWon\":true,\"wastedMillis\":%d}",
              at(time).toEpochMilli(),
              taskId(kind, task),
              taskId(kind, task).substring("task_".length()),
              Math.round(wasted * 1000)));
    }

    private void leave(TaskKind kind, int task, String node, double time) {
      if (mode != RunMode.DROVER) {
        return;
      }
      decisions.add(
          String.format(
              Locale.ROOT,
              "{\"type\":\"decision\",\"time\":%d,\"mode\":\"on\",\"task\":\"%s\",\"kind\":\"%s\","
                  + "\"attempt\":\"attempt_%s_0\",\"node\":\"%s\",\"action\":\"LEAVE\","
                  + "\"rule\":\"TOO_FEW_OBSERVATIONS\",\"reason\":\"LEAVE: too few attempts of the"
                  + " phase have been observed, copies 1\",\"copies\":1,\"kills\":0,"
                  + "\"tasksWait\":false,\"work\":0.02,\"observations\":0,\"yetToCome\":{}}",
              at(time).toEpochMilli(),
              taskId(kind, task),
              kind,
              taskId(kind, task).substring("task_".length()),
              node));
    }

    private void add(
        TaskKind kind,
        int task,
        int number,
        String node,
        double start,
        double finish,
        Outcome outcome,
        Role role) {
      boolean reduced = kind == TaskKind.REDUCE && outcome == Outcome.WON;
      double work = node.equals(SLOW) && scenario == Scenario.SLOW_NODE ? 44 : 5.5;
      containers++;
      attempts.add(
          new AttemptRecord(
              taskId(kind, task).replace("task_", "attempt_") + "_" + number,
              kind,
              task,
              number,
              node,
              "/rack" + (Integer.parseInt(node.substring(1)) + 1) / 2,
              String.format(Locale.ROOT, "container_%s_01_%06d", id, containers),
              at(start),
              at(finish),
              reduced ? Optional.of(at(finish - work)) : Optional.empty(),
              reduced ? Optional.of(at(finish - work + 0.7)) : Optional.empty(),
              outcome,
              role,
              outcome == Outcome.FAILED
                  ? "AttemptID:" + taskId(kind, task) + " Timed out after 120 secs"
                  : "",
              AttemptFigures.NONE));
    }

    RunResult result() {
      attempts.sort(Comparator.comparing(AttemptRecord::start));
      DemoJobSpec spec = planned.spec();
      OutputDigest output =
          new OutputDigest(scenario == Scenario.SKEW ? "aa".repeat(32) : SHA, 12_345, 234_567);
      return new RunResult(
          "job_" + id,
          spec,
          mode,
          scenario == Scenario.SLOW_NODE || scenario == Scenario.NODE_DEATH
              ? Optional.of(SLOW)
              : Optional.empty(),
          switch (scenario) {
            case SLOW_ATTEMPT, SILENT_ATTEMPT, STALL_90, LONG_TASK, SMALL_JOBS ->
                Optional.of(spec.faultTaskName());
            case SKEW -> Optional.of("m0");
            default -> Optional.empty();
          },
          "n1",
          true,
          "SUCCEEDED",
          "",
          submitted,
          Duration.ofMillis(Math.round(end * 1000) + 90),
          Duration.ofMillis(Math.round(end * 1000)),
          attempts,
          tally(),
          new MapLocality(9, 2, 1),
          counters(),
          output,
          decisions,
          Optional.empty(),
          Optional.empty(),
          List.of(),
          events,
          spec.sample().map(sample -> SampleBlocks.shuffled(mode == RunMode.DROVER)),
          scenario == Scenario.CEILING
              ? Optional.of(SampleOccupancy.of(mode == RunMode.DROVER, end))
              : Optional.empty(),
          spec.sample().map(sample -> SampleBlocks.of(spec, mode == RunMode.DROVER)),
          scenario == Scenario.FAILING_JOBS
              ? Optional.of(SampleStream.of(mode == RunMode.DROVER, output))
              : Optional.empty());
    }

    /** Of a flaky host, whose outputs Drover replicates. */
    private Map<String, Long> counters() {
      String drover = "io.drover.speculator.DroverCounter/";
      return mode == RunMode.DROVER && scenario.isOfFlakyHost()
          ? Map.of(
              drover + "REPLICATED_BYTES",
              400_000L,
              drover + "REPLICAS_USED",
              2L,
              drover + "RECOMPUTATIONS_AVOIDED",
              2L,
              "org.apache.hadoop.mapreduce.FileSystemCounter/FILE_BYTES_WRITTEN",
              6_000_000L,
              "org.apache.hadoop.mapreduce.FileSystemCounter/HDFS_BYTES_READ",
              4_000_000L)
          : Map.of();
    }

    private AttemptTally tally() {
      Duration all = Duration.ZERO;
      Duration wasted = Duration.ZERO;
      for (AttemptRecord attempt : attempts) {
        all = all.plus(attempt.duration());
        wasted = attempt.won() ? wasted : wasted.plus(attempt.duration());
      }
      List<AttemptRecord> copies = attempts.stream().filter(a -> a.role() == Role.COPY).toList();
      int won = (int) copies.stream().filter(AttemptRecord::won).count();
      int restarts = (int) attempts.stream().filter(a -> a.role() == Role.RETRY).count();
      return new AttemptTally(all, wasted, copies.size(), won, copies.size() - won, restarts, 0);
    }

    private String taskId(TaskKind kind, int task) {
      return String.format(
          Locale.ROOT, "task_%s_%s_%06d", id, kind == TaskKind.MAP ? "m" : "r", task);
    }

    private double finish(AttemptRecord attempt) {
      return Duration.between(submitted, attempt.finish()).toMillis() / 1000.0;
    }

    private Instant at(double seconds) {
      return submitted.plusMillis(Math.round(seconds * 1000));
    }
  }
}
