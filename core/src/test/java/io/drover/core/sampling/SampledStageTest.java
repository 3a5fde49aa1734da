// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OutputChoice.ChosenOutputs;
import io.drover.core.sampling.WaitRule.WaitDecision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the rules together: from N blocks to the K outputs that the next stage reads. */
class SampledStageTest {
  private static final SamplingSettings SETTINGS = new SamplingSettings(1.1, 3, 1, 0.01, 5, false);
  private static final int MACHINES = 100;
  private static final int RACKS = 10;
  private static final int K = 200;

  private record Task(int block, int rack, double end) {}

  @Test
  void kOfNBlocksAreReadAndTheResultIsOfExactlyThese() {
    SplittableRandom random = new SplittableRandom(9);
    List<InputBlock> blocks = BlockChoices.anywhere(2000, MACHINES, 1, random);
    int most = new ExtraTasks(SETTINGS).of(K, blocks.size(), true).tasks();
    assertThat(most).isEqualTo(220);
    BlockChoice choice = BlockChoice.anyOf(blocks, K, most, SETTINGS, random);
    List<Task> tasks = run(choice, random);
    assertThat(tasks).hasSize(most);

    double now = tasks.get(K - 1).end();
    tasks.subList(0, K).forEach(task -> choice.done(task.block()));
    List<FinishForecast.Finish> coming = forecast(tasks, now);
    OutputProblem problem = problem(tasks);
    WaitDecision wait =
        new WaitRule(SETTINGS)
            .decide(
                0,
                now,
                K,
                K,
                coming.stream().mapToDouble(FinishForecast.Finish::at).toArray(),
                first -> OutputChoice.leastLoaded(problem.ofFirst(first)).seconds());
    assertThat(wait.savedSeconds()).isGreaterThanOrEqualTo(0);

    List<Task> there = tasks.subList(0, wait.outputs());
    there.stream().skip(K).forEach(task -> choice.done(task.block()));
    ChosenOutputs chosen = OutputChoice.leastLoaded(problem.ofFirst(wait.outputs()));
    assertThat(chosen.seconds()).isCloseTo(wait.transferSeconds(), within(chosen));
    List<Integer> used = chosen.outputs().stream().map(i -> tasks.get(i).block()).toList();
    SampleRecord record = choice.fix(used);
    tasks.stream()
        .skip(wait.outputs())
        .forEach(task -> choice.released(task.block(), BlockChoice.Ending.KILLED));
    assertThat(choice.running()).isZero();
    assertThat(record.used()).containsExactlyInAnyOrderElementsOf(used);
  }

  private static org.assertj.core.data.Offset<Double> within(ChosenOutputs chosen) {
    return org.assertj.core.api.Assertions.within(1e-8 * chosen.seconds());
  }

  /** Offers free slots on random machines, and returns the tasks by their ends. */
  private static List<Task> run(BlockChoice choice, SplittableRandom random) {
    List<Task> tasks = new ArrayList<>();
    double now = 0;
    while (choice.wanted() > 0) {
      int machine = random.nextInt(MACHINES);
      double start = now;
      choice
          .offer("m" + machine, BlockChoices.rackOf(machine), now)
          .binding()
          .ifPresent(
              b -> {
                assertThat(b.nearness()).isEqualTo(BlockLocality.MACHINE);
                double takes = 20 + 30 * Math.pow(random.nextDouble(), 4);
                tasks.add(new Task(b.block(), machine / RACKS, start + takes));
              });
      now += 0.001;
    }
    tasks.sort(Comparator.comparingDouble(Task::end));
    return tasks;
  }

  private static List<FinishForecast.Finish> forecast(List<Task> tasks, double now) {
    double[] finished = tasks.subList(0, K).stream().mapToDouble(Task::end).toArray();
    double[] elapsed = new double[tasks.size() - K];
    Arrays.fill(elapsed, now);
    List<FinishForecast.Running> running =
        IntStream.range(K, tasks.size())
            .mapToObj(i -> new FinishForecast.Running(i, 0, OptionalDouble.empty()))
            .toList();
    LogNormalDurations durations =
        LogNormalDurations.fit(finished, elapsed, SETTINGS.leastFinished()).orElseThrow();
    List<FinishForecast.Finish> coming = FinishForecast.of(running, durations, now);
    assertThat(coming).hasSize(elapsed.length);
    return coming;
  }

  private static OutputProblem problem(List<Task> tasks) {
    Map<Integer, Integer> perRack = new HashMap<>();
    tasks.forEach(task -> perRack.merge(task.rack(), 1, Integer::sum));
    double[] bandwidth = new double[RACKS];
    Arrays.fill(bandwidth, 1e7);
    double[] share = new double[RACKS];
    Arrays.fill(share, 1.0 / RACKS);
    return new OutputProblem(
        K,
        tasks.stream().mapToInt(Task::rack).toArray(),
        tasks.stream().mapToDouble(task -> 1e7).toArray(),
        share,
        bandwidth,
        bandwidth);
  }

  @Test
  void twoThousandOutputsInAHundredRacksAreChosenAsWellAsTheBound() {
    SplittableRandom random = new SplittableRandom(10);
    double[] share = new double[100];
    Arrays.fill(share, 0.01);
    OutputProblem problem =
        new OutputProblem(
            1900,
            random.ints(2000, 0, 100).toArray(),
            random.doubles(2000, 1, 100).toArray(),
            share,
            random.doubles(100, 1, 2).toArray(),
            random.doubles(100, 0.5, 1).toArray());
    ChosenOutputs chosen = OutputChoice.leastLoaded(problem);
    assertThat(chosen.lowerBound()).isGreaterThan(chosen.seconds() * (1 - 1e-8));
  }
}
