// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.config.BadSettingException;
import io.drover.core.model.TaskKind;
import io.drover.core.protect.ProtectSettings;
import io.drover.simulator.GivenLosses;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.scheme.ProtectOnly;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.scheme.Schemes.IdealRecompute;
import io.drover.simulator.scheme.Schemes.NoSpeculation;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.workload.SampledWorkload;
import io.drover.simulator.workload.SampledWorkload.Sampling;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests losses with results worked out by hand. A byte takes a second, on a card a tenth of it. */
class LossesTest {
  private static final Offset<Double> EXACTLY = within(1e-6);
  private static final ClusterShape ROOMY = shape(4, 1);

  /** Maps end at 10 and 20. The reduce fetches 10 and 20 bytes in 3 s and works for 30 s. */
  private static final JobSpec JOB =
      SampleWorkloads.mapReduce("a", 0, new long[] {10, 20}, new long[] {30});

  private static ClusterShape shape(int machines, int slots) {
    return new ClusterShape(machines, slots, 1, 10, 1);
  }

  private static SchemeOutcome run(
      ClusterShape shape, Losses losses, Scheme scheme, JobSpec... jobs) {
    return SampleWorkloads.run(List.of(jobs), shape, SampleWorkloads.EVEN, losses, scheme);
  }

  private static SchemeOutcome run(ClusterShape shape, Losses losses, JobSpec... jobs) {
    return run(shape, losses, new NoSpeculation(), jobs);
  }

  private static double seconds(SchemeOutcome outcome, int job) {
    return outcome.jobs().get(job).seconds();
  }

  @Test
  void aReaderWaitsUntilALostOutputIsMadeAgain() {
    SchemeOutcome outcome = run(ROOMY, new GivenLosses().output(0, 0, 0, 0, 15), JOB);
    // The reduce starts at 20 and has the other output at 22. The map reruns from 20 to 30.
    assertThat(seconds(outcome, 0)).isEqualTo(30 + 1 + 30, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(10 + 20 + 10 + (61 - 20), EXACTLY);
    assertThat(outcome.rework().recomputations()).isEqualTo(1);
    assertThat(outcome.jobs().get(0).recomputations()).isEqualTo(1);
    assertThat(outcome.phases().get(0).seconds()).as("it had ended").isEqualTo(20, EXACTLY);
    assertThat(outcome.phases().get(0).slotSeconds()).isEqualTo(40, EXACTLY);
  }

  @Test
  void jobsThatSampleAreRefusedSinceWhatTheyLoseIsNotModelled() {
    SimulationSettings settings = SampleWorkloads.settings();
    Scheme kmn = Schemes.create("kmn", settings).orElseThrow();
    Workload sampled =
        new SampledWorkload(SampleWorkloads.workload(List.of(JOB)), new Sampling(0.5, 1), 1);
    Simulation simulation =
        new Simulation(
            sampled, ROOMY, SampleWorkloads.EVEN, new GivenLosses(), kmn, settings, ended -> {});
    assertThatThrownBy(simulation::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("job a samples");
  }

  @Test
  void anOutputThatIsLostAfterAllHaveReadItIsNotMadeAgain() {
    SchemeOutcome outcome = run(ROOMY, new GivenLosses().output(0, 0, 0, 0, 21), JOB);
    assertThat(seconds(outcome, 0)).isEqualTo(20 + 3 + 30, EXACTLY);
    assertThat(outcome.rework().recomputations()).isZero();
  }

  @Test
  void lostOutputsAreMadeAgainAtTheSameTime() {
    GivenLosses losses = new GivenLosses().output(0, 0, 0, 0, 15).output(0, 0, 1, 0, 20);
    SchemeOutcome outcome = run(ROOMY, losses, JOB);
    // The maps rerun from 20 to 30 and to 40. The first output is fetched while the second reruns.
    assertThat(seconds(outcome, 0)).isEqualTo(40 + 2 + 30, EXACTLY);
    assertThat(outcome.rework().recomputations()).isEqualTo(2);
  }

  @Test
  void whatIsMadeAgainMayBeLostAgain() {
    GivenLosses losses = new GivenLosses().output(0, 0, 0, 0, 15).output(0, 0, 0, 1, 30);
    SchemeOutcome outcome = run(ROOMY, losses, JOB);
    // The map reruns from 20 to 30, when it is lost again, and from 30 to 40.
    assertThat(seconds(outcome, 0)).isEqualTo(40 + 1 + 30, EXACTLY);
    assertThat(outcome.rework().recomputations()).isEqualTo(2);
  }

  @Test
  void aChainOfLostOutputsIsMadeAgainFromItsBeginning() {
    JobSpec job =
        new JobSpec(
            "chain",
            0,
            List.of(
                new PhaseSpec(TaskKind.MAP, new long[] {10}, 1),
                new PhaseSpec(TaskKind.REDUCE, new long[] {10, 20}, 1),
                new PhaseSpec(TaskKind.REDUCE, new long[] {10}, 1)));
    GivenLosses losses = new GivenLosses().output(0, 0, 0, 0, 12).output(0, 1, 0, 0, 25);
    SchemeOutcome outcome = run(ROOMY, losses, job);
    // The reduces end at 10 + 1 + 10 and 10 + 2 + 20 = 32. Then the last one misses the first one's
    // output, which needs the lost map: 32 + 10, then 1 + 10, then a third of a second and 10.
    assertThat(seconds(outcome, 0)).isEqualTo(32 + 10 + 11 + 10 / 30.0 + 10, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(10 + 11 + 22 + 31 + 1 / 3.0 + 21 + 10, EXACTLY);
    assertThat(outcome.rework().recomputations()).isEqualTo(2);
  }

  @Test
  void aReduceGivesItsSlotToTheMapThatItWaitsFor() {
    SchemeOutcome outcome = run(shape(1, 1), new GivenLosses().output(0, 0, 0, 0, 15), JOB);
    // Maps until 10 and 30. The second output is there at 32, the first again at 42.
    assertThat(seconds(outcome, 0)).isEqualTo(42 + 3 + 30, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(75, EXACTLY);
  }

  @Test
  void aReplicaSavesTheRecomputation() {
    JobSpec job = SampleWorkloads.mapReduce("a", 0, new long[] {10, 20}, new long[] {3});
    GivenLosses losses = new GivenLosses().output(0, 0, 0, 0, 15).known(1);
    SchemeOutcome outcome = run(ROOMY, losses, new ProtectOnly(ProtectSettings.DEFAULT), job);
    // Outputs of 1 and 2 bytes are 10 % of the input, and are copied quickly.
    assertThat(seconds(outcome, 0)).isEqualTo(20 + 0.3 + 3, EXACTLY);
    assertThat(outcome.rework().recomputations()).isZero();
    assertThat(outcome.rework().replicas()).isEqualTo(2);
    assertThat(outcome.rework().replicatedBytes()).isEqualTo(3, EXACTLY);
    assertThat(outcome.rework().replicasUsed()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "mantri,,2",
    "mantri,mapreduce.drover.protect.replicated-share=0,0",
    "drover,,2",
    "drover,mapreduce.drover.protect.replicated-share=0,0",
    "drover,mapreduce.drover.protect.mode=observe,0",
    "drover,mapreduce.drover.protect.mode=off,0",
    "protect-only,mapreduce.drover.protect.replicated-share=0,0",
  })
  void anOperatorsSettingsSayWhetherOutputsAreReplicated(
      String scheme, String setting, long replicas) throws BadSettingException {
    Map<String, String> settings = new HashMap<>();
    if (setting != null) {
      String[] keyAndValue = setting.split("=");
      settings.put(keyAndValue[0], keyAndValue[1]);
    }
    // Without a clone, the output of which might be the one that is kept.
    settings.put("mapreduce.drover.clone.mode", "off");
    JobSpec job = SampleWorkloads.mapReduce("a", 0, new long[] {10, 20}, new long[] {3});
    GivenLosses losses = new GivenLosses().output(0, 0, 0, 0, 15).known(1);
    Scheme made = Schemes.create(scheme, SimulationSettings.read(1, settings)).orElseThrow();
    assertThat(run(ROOMY, losses, made, job).rework().replicas()).isEqualTo(replicas);
  }

  @Test
  void outputsOnASuspectMachineAreMadeAgainBeforeAnybodyMissesThem() {
    // One machine. At 20, the first job misses two outputs. The second job's output, made at 10, is
    // lost at 30 and needed at 60.
    JobSpec first = SampleWorkloads.mapReduce("a", 0, new long[] {10, 10, 20}, new long[] {40});
    JobSpec second = SampleWorkloads.mapReduce("b", 0, new long[] {10, 60}, new long[] {70});
    GivenLosses losses = new GivenLosses().output(0, 0, 0, 0, 15).output(0, 0, 1, 0, 15);
    losses.output(1, 0, 0, 0, 30);
    ProtectSettings settings = ProtectSettings.DEFAULT.shares(0, 1);
    SchemeOutcome outcome = run(shape(1, 10), losses, new ProtectOnly(settings), first, second);
    assertThat(seconds(outcome, 1)).isEqualTo(60 + 7 + 70, EXACTLY);
    assertThat(outcome.rework().recomputations()).isEqualTo(2);
    assertThat(outcome.rework().precomputations()).isEqualTo(1);
    assertThat(outcome.rework().precomputationsNeeded()).isEqualTo(1);
    assertThat(outcome.rework().precomputeSlotSeconds()).isEqualTo(10, EXACTLY);
  }

  @Test
  void theIdealMissesNothing() {
    SchemeOutcome outcome =
        run(ROOMY, new GivenLosses().output(0, 0, 0, 0, 15), new IdealRecompute(), JOB);
    assertThat(seconds(outcome, 0)).isEqualTo(20 + 3 + 30, EXACTLY);
    assertThat(outcome.rework().recomputations()).isZero();
  }

  @Test
  void attemptsDieWithTheirMachineAndAreAskedForAgain() {
    JobSpec job = SampleWorkloads.maps("a", 0, 10, 10);
    SchemeOutcome away = run(shape(2, 1), new GivenLosses().failure(0, 5, 100), job);
    assertThat(seconds(away, 0)).as("in the other's slot").isEqualTo(10 + 10, EXACTLY);
    assertThat(away.slotSeconds()).isEqualTo(5 + 10 + 10, EXACTLY);
    SchemeOutcome back = run(shape(2, 1), new GivenLosses().failure(0, 5, 7), job);
    assertThat(seconds(back, 0)).as("in its own").isEqualTo(7 + 10, EXACTLY);
    assertThat(back.rework().died()).isEqualTo(1);
    assertThat(back.phases().get(0).restarts() + back.phases().get(0).won()).isZero();
  }

  @Test
  void whatAFailedMachineKeptIsLost() {
    SchemeOutcome outcome = run(shape(1, 2), new GivenLosses().failure(0, 15, 16), JOB);
    // The second map runs from 16 to 36, the first one again from 36 to 46.
    assertThat(seconds(outcome, 0)).isEqualTo(46 + 1 + 30, EXACTLY);
    assertThat(outcome.rework().died()).isEqualTo(1);
    assertThat(outcome.rework().recomputations()).isEqualTo(1);
  }

  @Test
  void anEvictedAttemptIsRunAgain() {
    SchemeOutcome outcome =
        run(ROOMY, new GivenLosses().eviction(0, 0, 0, 0.5), SampleWorkloads.maps("a", 0, 10));
    assertThat(seconds(outcome, 0)).isEqualTo(5 + 10, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(15, EXACTLY);
    assertThat(outcome.rework().evicted()).isEqualTo(1);
    assertThat(outcome.phases().get(0).won()).isZero();
  }

  @Test
  void aJobThatLosesMoreThanItGetsDoneEndsTheRunWithOneError() {
    GivenLosses evictions =
        new GivenLosses() {
          @Override
          public double evictedAfter(long phase, int task, int attempt) {
            return 0.5;
          }
        };
    assertThatThrownBy(() -> run(ROOMY, evictions, SampleWorkloads.maps("a", 0, 10)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "task 0 of phase 0 of job a is to run again. This is re-run number 1101 of this job")
        .hasMessageContaining("needs lower losses");
  }

  @Test
  void outputsThatAreAlwaysLostBeforeAllAreReadEndTheRunToo() {
    GivenLosses atOnce =
        new GivenLosses() {
          @Override
          public double lostAt(long phase, int task, int attempt, int machine, double keptSince) {
            return keptSince;
          }
        };
    assertThatThrownBy(() -> run(ROOMY, atOnce, JOB))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("job a is to run again. This is re-run number 1301 of this job");
  }

  @Test
  void whereNothingIsLostNothingChanges() {
    SchemeOutcome watched = run(ROOMY, new GivenLosses(), JOB);
    SchemeOutcome unwatched = run(ROOMY, Losses.NONE, JOB);
    assertThat(watched.phases()).isEqualTo(unwatched.phases());
  }
}
