// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.host.Host;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.Occupancy;
import io.drover.testbed.job.Occupancy.Sample;
import io.drover.testbed.job.Occupancy.SmallJob;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.RunResult.OutputDigest;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Creates sources of made-up runs, with and without failures, and their results. */
public final class SampleSources {
  private static final long SEED = 42;

  private SampleSources() {}

  /** Returns a source whose runs all succeed. */
  public static RunSource source(
      Optional<HostKind> hosts, StartListener starting, Optional<Path> keptLogs) {
    return new SampleRuns(SEED);
  }

  /** Returns a source whose stock run fails. */
  public static RunSource failing(
      Optional<HostKind> hosts, StartListener starting, Optional<Path> keptLogs) {
    return changing(RunMode.STOCK, run -> outcome(run, false, "split 5 is cursed\nand more", "00"));
  }

  /** Returns a source whose Drover run writes a different output. */
  public static RunSource differing(
      Optional<HostKind> hosts, StartListener starting, Optional<Path> keptLogs) {
    return changing(RunMode.DROVER, run -> outcome(run, true, "", "ff"));
  }

  /** Returns a source whose samples of Drover's run end before the big job comes. */
  static RunSource withoutCrowd() {
    return changing(
        RunMode.DROVER,
        run -> {
          Occupancy seen = run.occupancy().orElseThrow();
          var before = seen.samples().stream().filter(s -> s.at().isNegative()).toList();
          return with(
              run,
              new Occupancy(
                  seen.tau(), before, List.of(), seen.smallJobs(), 2, "java.io.IOException: 500"));
        });
  }

  /** Returns a source in whose runs clones are gone before utilisation rises. */
  static RunSource reclaimingAtOnce() {
    return changing(
        RunMode.DROVER,
        run -> {
          Occupancy seen = run.occupancy().orElseThrow();
          Predicate<Sample> kept = s -> s.clones() == 0 || s.utilisation() <= seen.tau();
          return with(
              run,
              new Occupancy(
                  seen.tau(),
                  seen.samples().stream().filter(kept).toList(),
                  seen.kills(),
                  seen.smallJobs(),
                  seen.missed(),
                  seen.why()));
        });
  }

  /** Returns a source in which a small job beside the big one writes a different output. */
  static RunSource withSmallOutput(RunMode mode, String sha) {
    return changing(mode, run -> withSmall(run, new OutputDigest(sha.repeat(32), 1, 2)));
  }

  private static RunResult withSmall(RunResult run, OutputDigest output) {
    Occupancy seen = run.occupancy().orElseThrow();
    List<SmallJob> jobs =
        seen.smallJobs().stream()
            .map(j -> new SmallJob(j.jobId(), j.state(), j.succeeded(), j.time(), output))
            .toList();
    return with(
        run,
        new Occupancy(seen.tau(), seen.samples(), seen.kills(), jobs, seen.missed(), seen.why()));
  }

  private static RunResult with(RunResult run, Occupancy occupancy) {
    return copy(
        run,
        run.succeeded(),
        run.diagnostics(),
        run.historyTime(),
        run.output(),
        run.decisions(),
        Optional.of(occupancy));
  }

  /** Returns a source whose Drover run does not write what its blocks give. */
  static RunSource withWrongSample() {
    return changing(
        RunMode.DROVER,
        run -> outcome(run, false, "the output is not that of the 20 blocks read", "ff"));
  }

  /** Returns a source that records the titles of its runs. */
  public static RunSource recording(List<String> titles) {
    return new Delegating() {
      @Override
      public RunResult run(PlannedRun planned, RunListener listener)
          throws IOException, InterruptedException {
        titles.add(planned.title());
        return super.run(planned, listener);
      }
    };
  }

  /** Returns a source whose runs throw. */
  public static RunSource throwing(IOException failure) {
    return new Delegating() {
      @Override
      public RunResult run(PlannedRun planned, RunListener listener)
          throws IOException, InterruptedException {
        throw failure;
      }
    };
  }

  /** Returns the result of made-up runs. */
  static DemoResult result(int runs, Scenario... scenarios) {
    return result(new SampleRuns(SEED), runs, scenarios);
  }

  /** Sorts runs as results are: a run that ran beside another one comes before it. */
  private static List<PlannedRun> asReported(List<PlannedRun> plan) {
    List<PlannedRun> order = new ArrayList<>(plan);
    for (int i = 1; i < order.size(); i++) {
      if (order.get(i).beside()) {
        Collections.swap(order, i - 1, i);
      }
    }
    return order;
  }

  static DemoResult result(RunSource source, int runs, Scenario... scenarios) {
    DemoOptions options = options(runs, scenarios);
    Map<PlannedRun, RunResult> done = new LinkedHashMap<>();
    for (PlannedRun planned : asReported(PlannedRun.of(options))) {
      try {
        done.put(planned, source.run(planned, RunListener.NONE));
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return DemoResult.of(options, Instant.parse("2026-01-02T03:04:05Z"), source.hosts(), done);
  }

  static DemoOptions options(int runs, Scenario... scenarios) {
    return new DemoOptions(
        List.of(scenarios),
        Set.of(),
        DemoWorkload.WORD_COUNT,
        List.of(),
        runs,
        5,
        Optional.empty(),
        Optional.of(HostKind.LOOPBACK),
        Path.of("page.html"),
        Optional.empty(),
        false,
        false,
        false);
  }

  /** Returns a source whose jobs take the given seconds in turn, in the order of the results. */
  static RunSource lasting(double... seconds) {
    return new Delegating() {
      private int next;

      @Override
      public RunResult run(PlannedRun planned, RunListener listener)
          throws IOException, InterruptedException {
        long millis = Math.round(seconds[next++ % seconds.length] * 1000);
        return with(super.run(planned, listener), Duration.ofMillis(millis), List.of());
      }
    };
  }

  static RunResult with(RunResult run, Duration time, List<String> decisions) {
    return copy(
        run, run.succeeded(), run.diagnostics(), time, run.output(), decisions, run.occupancy());
  }

  private static RunResult outcome(RunResult run, boolean good, String why, String sha) {
    return copy(
        run,
        good,
        why,
        run.historyTime(),
        new OutputDigest(sha.repeat(32), 1, 2),
        run.decisions(),
        run.occupancy());
  }

  private static RunResult copy(
      RunResult run,
      boolean good,
      String why,
      Duration time,
      OutputDigest output,
      List<String> decisions,
      Optional<Occupancy> occupancy) {
    return new RunResult(
        run.jobId(),
        run.spec(),
        run.mode(),
        run.faultNode(),
        run.faultTask(),
        run.amNode(),
        good,
        good ? "SUCCEEDED" : "FAILED",
        why,
        run.submitted(),
        run.wall(),
        time,
        run.attempts(),
        run.tally(),
        run.locality(),
        run.counters(),
        output,
        decisions,
        run.decisionLog(),
        run.historyFile(),
        run.progress(),
        run.events(),
        run.shuffled(),
        occupancy,
        run.sample(),
        run.stream());
  }

  private static RunSource changing(
      RunMode mode, java.util.function.UnaryOperator<RunResult> change) {
    return new Delegating() {
      @Override
      public RunResult run(PlannedRun planned, RunListener listener)
          throws IOException, InterruptedException {
        RunResult result = super.run(planned, listener);
        return planned.mode() == mode ? change.apply(result) : result;
      }
    };
  }

  private static class Delegating implements RunSource {
    private final SampleRuns runs = new SampleRuns(SEED);

    @Override
    public RunResult run(PlannedRun planned, RunListener listener)
        throws IOException, InterruptedException {
      return runs.run(planned, listener);
    }

    @Override
    public List<Host> hosts() {
      return runs.hosts();
    }

    @Override
    public void close() {}
  }
}
