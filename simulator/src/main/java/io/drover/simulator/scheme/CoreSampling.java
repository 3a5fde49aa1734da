// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.sampling.ExtraTasks;
import io.drover.core.sampling.FinishForecast;
import io.drover.core.sampling.FinishForecast.Finish;
import io.drover.core.sampling.LogNormalDurations;
import io.drover.core.sampling.OutputChoice;
import io.drover.core.sampling.OutputProblem;
import io.drover.core.sampling.SamplingSettings;
import io.drover.core.sampling.WaitRule;
import io.drover.core.sampling.WaitRule.WaitDecision;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme.SampleChoice;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.scheme.Kmn.Patience;
import io.drover.simulator.scheme.SampledStage.Output;
import io.drover.simulator.workload.PhaseSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Lets core decide about a stage that needs any K of its blocks: how many tasks run, for how many
 * outputs the next stage waits, and which K it reads (KMN sections 4.2 and 4.3).
 *
 * <p>Forecasts of when running tasks finish use the task's own progress, if the engine keeps core's
 * models, and otherwise a distribution fitted to the finished tasks, because these jobs have no
 * history. Of several attempts of a task, the one that should end first counts. Departure: the
 * paper does not say when to evaluate the trade-off again. Here this happens when the expected
 * outputs have come or are late.
 */
final class CoreSampling {
  /** The least running time of a task for the fit, seconds: an attempt may have just started. */
  private static final double SHORTEST = 1e-3;

  /** The progress of a stage. */
  private static final class Stage {
    private final List<AttemptRun> outputs = new ArrayList<>();
    private int expected;
    private double expectedAt;
  }

  private final SamplingSettings settings;
  private final ExtraTasks extraTasks;
  private final WaitRule waitRule;
  private final Patience patience;
  private final Consumer<SampledStage> whenChosen;
  private final RemainingTimeEstimator remaining = new RemainingTimeEstimator();
  private final Map<PhaseRun, Stage> stages = new HashMap<>();

  /** Waits as long as core's rule says that it pays. */
  CoreSampling(SamplingSettings settings) {
    this(settings, Patience.RULE, stage -> {});
  }

  /**
   * Waits with another patience, for comparison.
   *
   * @param whenChosen receives each stage whose outputs another stage reads
   */
  CoreSampling(SamplingSettings settings, Patience patience, Consumer<SampledStage> whenChosen) {
    this.settings = settings;
    this.extraTasks = new ExtraTasks(settings);
    this.waitRule = new WaitRule(settings);
    this.patience = patience;
    this.whenChosen = whenChosen;
  }

  OptionalInt upstreamTasks(PhaseSpec phase) {
    return OptionalInt.of(extraTasks.of(phase.tasks(), phase.blocks(), true).tasks());
  }

  void ended(AttemptRun attempt) {
    PhaseSpec phase = attempt.phase().spec();
    if (attempt.hasSucceeded() && phase.blocks() > phase.tasks()) {
      stages.computeIfAbsent(attempt.phase(), unused -> new Stage()).outputs.add(attempt);
    }
  }

  void ended(JobRun job) {
    job.ended().forEach(stages::remove);
  }

  SampleChoice choose(PhaseRun phase, NetworkEstimate network, double now) {
    Stage stage = stages.get(phase);
    boolean isRead = phase.index() + 1 < phase.job().spec().phases().size();
    if (!isRead) {
      return SampleChoice.of(tasks(stage).subList(0, phase.spec().tasks()));
    }
    Transfers transfers = Transfers.of(phase, network);
    Optional<SampleChoice> wait =
        switch (patience) {
          case FIRST -> Optional.empty();
          case RULE -> waitThatPays(phase, stage, transfers, now);
          case ALL -> waitForAll(phase);
        };
    return wait.orElseGet(() -> chosen(phase, stage, transfers, now));
  }

  private static Optional<SampleChoice> waitForAll(PhaseRun phase) {
    return phase.running().isEmpty()
        ? Optional.empty()
        : Optional.of(SampleChoice.waitUntil(Double.POSITIVE_INFINITY));
  }

  private Optional<SampleChoice> waitThatPays(
      PhaseRun phase, Stage stage, Transfers transfers, double now) {
    int there = stage.outputs.size();
    if (there < stage.expected && now < stage.expectedAt) {
      return Optional.of(SampleChoice.waitUntil(stage.expectedAt));
    }
    List<Finish> coming = forecast(phase, stage, now);
    OutputProblem problem = transfers.problem(racks(phase, stage, coming, now));
    WaitDecision decision =
        waitRule.decide(
            phase.begunAt(),
            now,
            phase.spec().tasks(),
            there,
            coming.stream().mapToDouble(Finish::at).toArray(),
            first -> OutputChoice.leastLoaded(problem.ofFirst(first)).seconds());
    if (decision.startsNow()) {
      return Optional.empty();
    }
    stage.expected = decision.outputs();
    stage.expectedAt = Math.max(decision.startAt(), now + phase.period());
    return Optional.of(SampleChoice.waitUntil(stage.expectedAt));
  }

  private List<Finish> forecast(PhaseRun phase, Stage stage, double now) {
    double[] finished = stage.outputs.stream().mapToDouble(AttemptRun::slotSeconds).toArray();
    List<FinishForecast.Running> running =
        phase.running().stream().map(task -> running(task, now)).toList();
    double[] elapsed =
        running.stream().mapToDouble(task -> Math.max(SHORTEST, now - task.startedAt())).toArray();
    return LogNormalDurations.fit(finished, elapsed, settings.leastFinished())
        .map(durations -> FinishForecast.of(running, durations, now))
        .orElse(List.of());
  }

  private FinishForecast.Running running(TaskRun task, double now) {
    AttemptRun first = first(task, now);
    double at = endsAt(first, now);
    return new FinishForecast.Running(
        task.index(),
        first.launchedAt(),
        at < Double.POSITIVE_INFINITY ? OptionalDouble.of(at) : OptionalDouble.empty());
  }

  /** Returns the attempt of a running task that should end first. */
  private AttemptRun first(TaskRun task, double now) {
    return task.live().stream()
        .filter(AttemptRun::isRunning)
        .min(
            Comparator.comparingDouble((AttemptRun attempt) -> endsAt(attempt, now))
                .thenComparingDouble(AttemptRun::launchedAt))
        .orElseThrow();
  }

  /** Returns when an attempt ends by its own progress, seconds; infinite if that is not known. */
  private double endsAt(AttemptRun attempt, double now) {
    double seconds = attempt.model() == null ? Double.NaN : remaining.seconds(attempt.model(), now);
    return Double.isNaN(seconds) ? Double.POSITIVE_INFINITY : now + seconds;
  }

  private static List<Integer> tasks(Stage stage) {
    return stage.outputs.stream().map(output -> output.task().index()).toList();
  }

  /** Returns the racks of the finished outputs, followed by those of the expected ones. */
  private List<Integer> racks(PhaseRun phase, Stage stage, List<Finish> coming, double now) {
    Stream<AttemptRun> to =
        coming.stream().map(finish -> first(phase.tasks().get(finish.task()), now));
    return Stream.concat(stage.outputs.stream(), to).map(AttemptRun::rack).toList();
  }

  private SampleChoice chosen(PhaseRun phase, Stage stage, Transfers transfers, double now) {
    List<Integer> tasks = tasks(stage);
    List<Output> outputs =
        stage.outputs.stream()
            .map(attempt -> new Output(attempt.task().index(), attempt.rack(), attempt.endedAt()))
            .toList();
    int needed = phase.spec().tasks();
    int most = extraTasks.of(needed, phase.spec().blocks(), true).tasks();
    whenChosen.accept(new SampledStage(needed, most, phase.begunAt(), outputs, now, transfers));
    List<Integer> best = transfers.best(racks(phase, stage, List.of(), now)).outputs();
    return SampleChoice.of(best.stream().map(tasks::get).toList());
  }
}
