// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.PlacementSettings;
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
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.Scheme.SampleChoice;
import io.drover.simulator.scheme.SampledStage.Output;
import io.drover.simulator.workload.PhaseSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * KMN, implemented by core. A job that needs any K of N blocks reads blocks that are local to free
 * slots (section 5.2), runs M tasks for K outputs (section 4), waits for more outputs if that pays
 * and passes on the best K (sections 4.2 and 4.3), and places its reduces (section 5.2.2). It does
 * not wait for outliers, and does nothing else about them. For jobs that do not sample, it only
 * places the reduces.
 *
 * <p>Forecasts of when running tasks finish use a distribution fitted to the finished tasks,
 * because these jobs have no history. Departures: the paper does not say when to evaluate the
 * trade-off again. Here this happens when the expected outputs have come or are late. Core's solver
 * places reduces, not round-robin.
 */
public final class Kmn implements Scheme {
  /** Selects the outputs that the next stage waits for. */
  public enum Patience {
    /** Waits for the first K: the paper's first baseline (section 6, figure 21). */
    FIRST,
    /** Waits as long as core's rule says that it pays. */
    RULE,
    /** Waits for all M: the paper's second baseline. */
    ALL
  }

  /** The progress of a stage. */
  private static final class Stage {
    private final List<AttemptRun> outputs = new ArrayList<>();
    private int expected;
    private double expectedAt;
  }

  private final SamplingSettings settings;
  private final ExtraTasks extraTasks;
  private final WaitRule waitRule;
  private final CorePlacement placement;
  private final Patience patience;
  private final Consumer<SampledStage> whenChosen;
  private final Map<PhaseRun, Stage> stages = new HashMap<>();

  /** Creates KMN as published. */
  public Kmn(SamplingSettings sampling, PlacementSettings placement) {
    this(sampling, placement, Patience.RULE, stage -> {});
  }

  /**
   * Creates a variant with another patience, for comparison.
   *
   * @param whenChosen receives each stage whose outputs another stage reads
   */
  public Kmn(
      SamplingSettings sampling,
      PlacementSettings placement,
      Patience patience,
      Consumer<SampledStage> whenChosen) {
    this.settings = sampling;
    this.extraTasks = new ExtraTasks(sampling);
    this.waitRule = new WaitRule(sampling);
    this.placement = new CorePlacement(placement);
    this.patience = patience;
    this.whenChosen = whenChosen;
  }

  @Override
  public String name() {
    return "kmn";
  }

  @Override
  public Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    return Optional.of(placement.racks(phase, network));
  }

  @Override
  public OptionalInt upstreamTasks(PhaseSpec phase) {
    return OptionalInt.of(extraTasks.of(phase.tasks(), phase.blocks(), true).tasks());
  }

  @Override
  public void ended(AttemptRun attempt) {
    PhaseSpec phase = attempt.phase().spec();
    if (attempt.hasSucceeded() && phase.blocks() > phase.tasks()) {
      stages.computeIfAbsent(attempt.phase(), unused -> new Stage()).outputs.add(attempt);
    }
  }

  @Override
  public void ended(JobRun job) {
    job.ended().forEach(stages::remove);
  }

  @Override
  public SampleChoice choose(PhaseRun phase, NetworkEstimate network, double now) {
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
    OutputProblem problem = transfers.problem(racks(phase, stage, coming));
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
        phase.running().stream()
            .map(task -> running(task.index(), task.live().get(0).launchedAt()))
            .toList();
    double[] elapsed = running.stream().mapToDouble(task -> now - task.startedAt()).toArray();
    return LogNormalDurations.fit(finished, elapsed, settings.leastFinished())
        .map(durations -> FinishForecast.of(running, durations, now))
        .orElse(List.of());
  }

  private static FinishForecast.Running running(int task, double startedAt) {
    return new FinishForecast.Running(task, startedAt, OptionalDouble.empty());
  }

  private static List<Integer> tasks(Stage stage) {
    return stage.outputs.stream().map(output -> output.task().index()).toList();
  }

  /** Returns the racks of the finished outputs, followed by those of the expected ones. */
  private static List<Integer> racks(PhaseRun phase, Stage stage, List<Finish> coming) {
    Stream<AttemptRun> to =
        coming.stream().map(finish -> phase.tasks().get(finish.task()).live().get(0));
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
    List<Integer> best = transfers.best(racks(phase, stage, List.of())).outputs();
    return SampleChoice.of(best.stream().map(tasks::get).toList());
  }
}
