// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.BadSettingException;
import io.drover.core.model.TaskKind;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.Rework;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.Inputs;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.PublishedSlowness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Simulates a cluster in which most of what can go wrong does. In each run, the engine checks that
 * all work is done, no slot is used twice, slots are held as long as attempts run, links carry no
 * more than they can, and no reduce starts its work without all of its input.
 */
class HeavyLossesTest {
  private static final ClusterShape SHAPE = ClusterShape.of(8, 2, 2);

  static List<String> schemes() {
    return Schemes.names();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void allWorkIsDoneHoweverMuchIsLost(String scheme) throws BadSettingException {
    Rework all = Rework.NONE;
    for (int seed = 1; seed <= 6; seed++) {
      String slowStart = seed % 2 == 0 ? "1" : "0.05";
      SimulationSettings settings =
          SimulationSettings.read(seed, Map.of(SimulationSettings.SLOW_START, slowStart));
      settings = seed > 4 ? settings.with(Inputs.DISK) : settings;
      SchemeOutcome once = run(scheme, seed, settings);
      assertThat(once.jobs()).hasSize(30);
      assertThat(run(scheme, seed, settings)).as("the same seed").isEqualTo(once);
      all = plus(all, once.rework());
    }
    assertThat(all.evicted()).isPositive();
    assertThat(all.died()).isPositive();
    boolean ideal = scheme.equals("ideal-recompute");
    assertThat(all.recomputations() > 0).isNotEqualTo(ideal);
    boolean protects = List.of("mantri", "drover", "protect-only").contains(scheme);
    assertThat(all.replicas() > 0).isEqualTo(protects);
    assertThat(all.precomputations() > 0).isEqualTo(protects);
    assertThat(all.replicasUsed()).isLessThanOrEqualTo(all.replicas());
    assertThat(all.precomputationsNeeded()).isLessThanOrEqualTo(all.precomputations());
  }

  private static SchemeOutcome run(String scheme, int seed, SimulationSettings settings) {
    return new Simulation(
            SampleWorkloads.workload(jobs(seed)),
            SHAPE,
            new PublishedSlowness(seed, phase -> false, 20, 0.09),
            new Heavy(seed),
            Schemes.create(scheme, settings).orElseThrow(),
            settings,
            ended -> {})
        .run();
  }

  private static Rework plus(Rework a, Rework b) {
    return new Rework(
        a.recomputations() + b.recomputations(),
        a.precomputations() + b.precomputations(),
        a.precomputationsNeeded() + b.precomputationsNeeded(),
        a.precomputeSlotSeconds() + b.precomputeSlotSeconds(),
        a.replicas() + b.replicas(),
        a.replicasUsed() + b.replicasUsed(),
        a.replicatedBytes() + b.replicatedBytes(),
        a.evicted() + b.evicted(),
        a.died() + b.died());
  }

  /** Creates jobs of one to four phases, some of them wider than the cluster. */
  private static List<JobSpec> jobs(int seed) {
    List<JobSpec> jobs = new ArrayList<>();
    for (int job = 0; job < 30; job++) {
      List<PhaseSpec> phases = new ArrayList<>();
      for (int phase = 0; phase <= job % 4; phase++) {
        int tasks = 1 + Draws.index(Draws.key(seed, job, phase), 20);
        int of = phase;
        int by = job;
        long[] bytes =
            LongStream.range(0, tasks)
                .map(task -> 1 + Draws.index(Draws.key(seed, by, of, task), 10_000_000))
                .toArray();
        phases.add(new PhaseSpec(phase == 0 ? TaskKind.MAP : TaskKind.REDUCE, bytes, 1e-6));
      }
      jobs.add(new JobSpec("job-" + job, 20.0 * job, phases));
    }
    return jobs;
  }

  /**
   * Every sixth attempt is evicted. On average, an output lasts 20 minutes, a machine 30, and it
   * takes half a minute to come back. Attempts take 5 s on average, and at most 200 s.
   */
  private record Heavy(long seed) implements Losses {
    private static final double OUTPUT_SECONDS = 1200;
    private static final double UP_SECONDS = 1800;
    private static final double DOWN_SECONDS = 30;

    @Override
    public boolean concernOutputs() {
      return true;
    }

    @Override
    public double lostAt(long phase, int task, int attempt, int machine, double keptSince) {
      long key = Draws.key(seed, 1, phase, task, attempt, machine);
      double alone = keptSince + Draws.exponential(key, OUTPUT_SECONDS);
      return Math.min(alone, failsAfter(machine, keptSince));
    }

    @Override
    public double failsAfter(int machine, double after) {
      double at = 0;
      for (int i = 0; at <= after; i++) {
        at += DOWN_SECONDS + Draws.exponential(Draws.key(seed, 2, machine, i), UP_SECONDS);
      }
      return at;
    }

    @Override
    public double isBackAt(int machine, double failedAt) {
      return failedAt + DOWN_SECONDS;
    }

    @Override
    public double evictedAfter(long phase, int task, int attempt) {
      long key = Draws.key(seed, 3, phase, task, attempt);
      return Draws.index(key, 6) == 0 ? Draws.uniform(key, 0, 1) : Double.POSITIVE_INFINITY;
    }

    @Override
    public double lossesPerSecond(int machine) {
      return 1 / OUTPUT_SECONDS + 1 / UP_SECONDS;
    }

    @Override
    public List<String> provenance() {
      return List.of("made up");
    }
  }
}
