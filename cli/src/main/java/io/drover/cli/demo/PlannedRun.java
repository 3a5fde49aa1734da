// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.fault.FaultKind;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A run in the plan of a demo.
 *
 * @param repeat number of the repetition, from 1; in a series, number of the job in all the series
 * @param scenario its fault; {@link Scenario#NONE} for clean runs that serve several faults
 * @param mode how the job runs
 * @param spec the specification of the job
 * @param beside whether it runs beside the run before it in the plan, once that is in its tail
 */
public record PlannedRun(
    int repeat, Scenario scenario, RunMode mode, DemoJobSpec spec, boolean beside) {

  /**
   * The shares of the slots that another application holds in {@link Scenario#SAMPLING}, in turn.
   */
  private static final List<Double> LOADS = List.of(0.5, 0.8);

  /** How many times the work of others the long map has in {@link Scenario#LONG_TASK}, in turn. */
  private static final List<Integer> LONGER = List.of(12, 4, 30, 8, 20);

  /**
   * Returns all runs of a demo. Repetitions are the outermost loop, so that slow changes of the
   * machine affect all runs. One clean run in each repetition serves every fault with the same
   * input.
   *
   * <p>Each run is alone, with one exception. If a single fault is shown once, the clean run starts
   * during the tail of the run without speculation. That run has few tasks left by then, at an
   * eighth of their rate or less: they take little from the clean run, and the user waits less.
   */
  static List<PlannedRun> of(DemoOptions options) {
    List<PlannedRun> plan = new ArrayList<>();
    for (int repeat = 1; repeat <= options.runs(); repeat++) {
      if (options.scenarios().stream().anyMatch(PlannedRun::sharesClean)) {
        plan.add(clean(options, repeat, false));
      }
      for (Scenario scenario : options.scenarios()) {
        int series = options.series(scenario);
        for (int job = (repeat - 1) * series + 1; job <= repeat * series; job++) {
          for (DemoJobSpec spec : specs(options, scenario, job)) {
            for (RunMode mode : modes(options, scenario, job)) {
              plan.add(new PlannedRun(job, scenario, mode, spec, false));
            }
          }
        }
      }
    }
    plan.removeIf(run -> !options.wants(run.mode()) && run.mode() != RunMode.RECORD);
    return besideItsTail(options, plan);
  }

  /** Lets the clean run begin in the tail of the one without speculation, where that may be. */
  private static List<PlannedRun> besideItsTail(DemoOptions options, List<PlannedRun> plan) {
    boolean single = options.runs() == 1 && options.scenarios().size() == 1;
    boolean both =
        plan.stream()
            .map(PlannedRun::mode)
            .toList()
            .containsAll(List.of(RunMode.CLEAN, RunMode.OFF));
    if (!single || !both || !leavesNodesIdle(options.scenarios().get(0))) {
      return plan;
    }
    List<PlannedRun> moved = new ArrayList<>();
    for (PlannedRun run : plan) {
      if (run.mode() != RunMode.CLEAN) {
        moved.add(run);
      }
      if (run.mode() == RunMode.OFF) {
        moved.add(clean(options, 1, true));
      }
    }
    return moved;
  }

  /** Returns a clean run of the default job. */
  private static PlannedRun clean(DemoOptions options, int repeat, boolean beside) {
    return new PlannedRun(
        repeat, Scenario.NONE, RunMode.CLEAN, options.spec(Scenario.NONE), beside);
  }

  /** Returns whether a job is alone, needs all of its input, and can be left alone to its end. */
  static boolean isRecordable(Scenario scenario) {
    return switch (scenario) {
      case SMALL_JOBS, CEILING, SAMPLING, FAILING_JOBS -> false;
      default -> true;
    };
  }

  /** Returns whether the job, without help, ends with few tasks that do little on live nodes. */
  private static boolean leavesNodesIdle(Scenario scenario) {
    return switch (scenario) {
      case SLOW_NODE, SLOW_ATTEMPT, SILENT_ATTEMPT, STALL_90 -> true;
      default -> false;
    };
  }

  /**
   * Returns the jobs that are run in each mode; the modes have them in common. Each job of a series
   * has its fault in a task of its own. Over as many jobs as a job has tasks, each task is faulty
   * once, in random order. A job that needs a sample is run at each load.
   */
  private static List<DemoJobSpec> specs(DemoOptions options, Scenario scenario, int job) {
    DemoJobSpec spec = options.spec(scenario);
    return switch (scenario) {
      case SMALL_JOBS -> {
        int task = faultTask(job, spec.maps() + spec.reduces());
        yield List.of(spec.with().faultTask(task).build());
      }
      case SAMPLING -> LOADS.stream().map(load -> spec.with().load(load, job).build()).toList();
      case LONG_TASK -> {
        int factor = LONGER.get((job - 1) % LONGER.size());
        int task = faultTask(job, spec.maps());
        yield List.of(spec.with().slowdown(factor).faultTask(task).build());
      }
      default -> List.of(spec);
    };
  }

  private static int faultTask(int job, int tasks) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, tasks).boxed().toList());
    int round = (job - 1) / tasks;
    Collections.shuffle(order, new Random(round));
    return order.get((job - 1) % tasks);
  }

  /** Returns whether a clean run is needed as a yardstick. If nothing fails, it is not. */
  static boolean needsClean(Scenario scenario) {
    return switch (scenario) {
      case NONE, SKEW, LONG_TASK, PLACEMENT, CEILING, SAMPLING, FAILING_JOBS -> false;
      default -> true;
    };
  }

  /** Returns whether the scenario can use the shared clean run of the default job. */
  private static boolean sharesClean(Scenario scenario) {
    return needsClean(scenario) && scenario != Scenario.SMALL_JOBS && !scenario.isOfFlakyHost();
  }

  private static List<RunMode> modes(DemoOptions options, Scenario scenario, int job) {
    List<RunMode> modes = new ArrayList<>(modes(scenario, job));
    if (options.record().isPresent() && isRecordable(scenario)) {
      modes.add(RunMode.RECORD);
    }
    return modes;
  }

  /** Returns the modes in their order. Of jobs on one sample, each mode is the first by turns. */
  private static List<RunMode> modes(Scenario scenario, int job) {
    return switch (scenario) {
      case SAMPLING ->
          job % 2 == 1
              ? List.of(RunMode.STOCK, RunMode.DROVER)
              : List.of(RunMode.DROVER, RunMode.STOCK);
      case NONE, LONG_TASK, PLACEMENT, CEILING, FAILING_JOBS ->
          List.of(RunMode.STOCK, RunMode.DROVER);
      case SMALL_JOBS ->
          List.of(RunMode.CLEAN, RunMode.OFF, RunMode.STOCK, RunMode.RESTART, RunMode.DROVER);
      case FLAKY_NM_DEATH, FLAKY_OUTPUTS ->
          List.of(RunMode.CLEAN, RunMode.STOCK, RunMode.REMAKE, RunMode.DROVER);
      default -> List.of(RunMode.OFF, RunMode.STOCK, RunMode.DROVER);
    };
  }

  /** Returns whether the run's result counts for a scenario. */
  boolean countsFor(Scenario other) {
    boolean shared = mode == RunMode.CLEAN && scenario == Scenario.NONE;
    return shared ? sharesClean(other) : scenario == other;
  }

  /**
   * What a run needs of its cluster.
   *
   * @param scheduler whether Drover's scheduler. In {@link Scenario#FAILING_JOBS} both modes do: it
   *     learns from the jobs in Hadoop's AppMaster, and ends only those in Drover's
   * @param predicts whether that scheduler is to end jobs that it expects to fail
   * @param isFlaky whether the scheduler is to know that one host loses outputs
   * @param isWide whether more hosts than others, and racks whose uplinks can be slow
   * @param smallDisks whether hosts with small disks of their own
   * @param movableClocks whether hosts whose clocks can be moved
   */
  record Needs(
      boolean scheduler,
      boolean predicts,
      boolean isFlaky,
      boolean isWide,
      boolean smallDisks,
      boolean movableClocks) {}

  /** Returns what the run needs of its cluster. */
  Needs needs() {
    boolean predicts = scenario == Scenario.FAILING_JOBS;
    return new Needs(
        predicts
            || scenario.isOfFlakyHost()
            || (scenario == Scenario.CEILING && mode == RunMode.DROVER),
        predicts,
        scenario.isOfFlakyHost(),
        spec.sample().filter(sample -> sample.uplink().isPresent()).isPresent(),
        hasFault(FaultKind.FULL_DISK),
        hasFault(FaultKind.WRONG_CLOCK));
  }

  private boolean hasFault(FaultKind kind) {
    return spec.faults().stream().anyMatch(plan -> plan.kind() == kind);
  }

  /** Returns whether the run is compared with one on another cluster, so that both must be new. */
  boolean needsNewCluster() {
    return scenario == Scenario.CEILING;
  }

  /** Returns a short title for a line of progress. */
  String title() {
    boolean shared = mode == RunMode.CLEAN && scenario == Scenario.NONE;
    String which = scenario == Scenario.SMALL_JOBS ? " " + repeat : atLoad();
    return shared ? "clean" : scenario.key() + which + ", " + mode.key();
  }

  /** Returns the load beside the job, as the end of a title; empty if there is none. */
  private String atLoad() {
    return spec.sample().map(sample -> " at " + DemoSummary.percent(sample.load())).orElse("");
  }

  /** Names what runs have in common that take about as long as each other. */
  String kind() {
    return scenario.key() + atLoad() + " " + mode.key();
  }
}
