// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.ClusterSettings;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.Scheme.SampleChoice;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.scheme.Kmn.Patience;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.workload.SampledWorkload;
import io.drover.simulator.workload.SampledWorkload.Sampling;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Inputs;
import io.drover.simulator.world.Overheads;
import io.drover.simulator.world.PublishedSlowness;
import io.drover.simulator.world.Slowness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests jobs that need any K of N blocks, and the scheme that chooses them late. A byte takes a
 * second.
 */
class KmnTest {
  private static final Offset<Double> EXACTLY = within(1e-5);
  private static final int K = 20;

  /** One slot for each of M = 21 tasks. A card and a link carry a thousand bytes a second. */
  private static final ClusterShape OF_21 = new ClusterShape(21, 1, 3, 1000, 1);

  /** One machine is ten times as slow as any other. */
  private static final Slowness SLOW_MACHINE =
      SampleWorkloads.slowness((phase, task, attempt, machine) -> machine == 7 ? 10 : 1);

  private static SimulationSettings settings(double ratio) throws BadSettingException {
    String text = Double.toString(ratio);
    return SimulationSettings.read(1, Map.of(ClusterSettings.UPSTREAM_RATIO.key(), text))
        .with(Overheads.NONE);
  }

  private static Kmn kmn(Patience patience, List<SampledStage> seen) throws BadSettingException {
    SimulationSettings settings = settings(1.05);
    return new Kmn(settings.sampling(), settings.job().placement(), patience, seen::add);
  }

  private static Scheme scheme(String name, SimulationSettings settings) {
    return Schemes.create(name, settings).orElseThrow();
  }

  private static long[] tens(int count) {
    long[] bytes = new long[count];
    Arrays.fill(bytes, 10);
    return bytes;
  }

  private static Workload sampled(double ratio, JobSpec... jobs) {
    return new SampledWorkload(SampleWorkloads.workload(List.of(jobs)), new Sampling(ratio, 1), 1);
  }

  private static double seconds(SchemeOutcome outcome, int job) {
    return outcome.jobs().get(job).seconds();
  }

  @Test
  void ofMTasksTheFirstKGoOnAndTheOthersAreKilled() throws BadSettingException {
    SchemeOutcome outcome =
        SampleWorkloads.run(
            sampled(0.5, SampleWorkloads.maps("job", 0, tens(K))),
            OF_21,
            SLOW_MACHINE,
            scheme("kmn", settings(1.05)),
            settings(1.05));
    assertThat(seconds(outcome, 0)).isEqualTo(10, EXACTLY);
    assertThat(outcome.slotSeconds()).as("21 slots for 10 s").isEqualTo(210, EXACTLY);
    assertThat(outcome.phases().get(0).tasks()).as("K").isEqualTo(K);
  }

  @Test
  void withoutExtraTasksThereIsNobodyToBeLeftOut() throws BadSettingException {
    ClusterShape twenty = new ClusterShape(20, 1, 2, 1000, 1);
    SchemeOutcome outcome =
        SampleWorkloads.run(
            sampled(0.5, SampleWorkloads.maps("job", 0, tens(K))),
            twenty,
            SLOW_MACHINE,
            scheme("kmn", settings(1)),
            settings(1));
    assertThat(seconds(outcome, 0)).isEqualTo(100, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(19 * 10 + 100, EXACTLY);
  }

  @ParameterizedTest
  @EnumSource(Patience.class)
  void whoWaitsForAllWaitsForTheSlowOne(Patience patience) throws BadSettingException {
    List<SampledStage> seen = new ArrayList<>();
    SchemeOutcome outcome =
        SampleWorkloads.run(
            sampled(0.5, SampleWorkloads.mapReduce("job", 0, tens(K), new long[] {20})),
            OF_21,
            SLOW_MACHINE,
            kmn(patience, seen),
            settings(1.05));
    boolean all = patience == Patience.ALL;
    PhaseOutcome maps = outcome.phases().get(0);
    assertThat(maps.seconds())
        .as("a transfer of 20 bytes saves nothing that is worth 90 s")
        .isEqualTo(all ? 100 : 10, EXACTLY);
    SampledStage stage = seen.get(0);
    assertThat(seen).hasSize(1);
    assertThat(stage.needed()).isEqualTo(K);
    assertThat(stage.most()).isEqualTo(K + 1);
    assertThat(stage.outputs()).hasSize(all ? K + 1 : K);
    assertThat(stage.outputs()).extracting(SampledStage.Output::task).doesNotHaveDuplicates();
    assertThat(stage.secondsUntil(K)).isEqualTo(10, EXACTLY);
    assertThat(stage.chosenAt()).isEqualTo(maps.ended(), EXACTLY);
  }

  @Test
  void onlyTheFirstStageHasExtraTasks() throws BadSettingException {
    // 40 slots, so the 20 reduces could have a 21st.
    SchemeOutcome outcome =
        SampleWorkloads.run(
            sampled(0.5, SampleWorkloads.mapReduce("job", 0, tens(K), tens(K))),
            new ClusterShape(40, 1, 1, 1e9, 1),
            SampleWorkloads.EVEN,
            scheme("kmn", settings(1.05)),
            settings(1.05));
    assertThat(outcome.phases().get(0).slotSeconds()).isEqualTo(21 * 10, EXACTLY);
    assertThat(outcome.phases().get(1).slotSeconds()).isCloseTo(20 * 10, within(1e-3));
  }

  @Test
  void itReadsWhatFreeSlotsHaveWhereSelectedBlocksMakeAJobWait() throws BadSettingException {
    // 30 of 40 machines are busy for long. Then come jobs that each read one block of forty.
    ClusterShape forty = new ClusterShape(40, 1, 1, 1000, 1);
    List<JobSpec> jobs = new ArrayList<>();
    long[] busy = new long[30];
    Arrays.fill(busy, 100_000);
    jobs.add(SampleWorkloads.maps("busy", 0, busy));
    for (int i = 1; i <= 20; i++) {
      jobs.add(ofForty(SampleWorkloads.maps("job" + i, i * 100, 10)));
    }
    SimulationSettings settings = settings(1.05).with(new Inputs(1, 3, 1));
    Workload workload = SampleWorkloads.workload(jobs);
    SchemeOutcome kmn =
        SampleWorkloads.run(
            workload, forty, SampleWorkloads.EVEN, scheme("kmn", settings), settings);
    SchemeOutcome none =
        SampleWorkloads.run(
            workload, forty, SampleWorkloads.EVEN, scheme("none", settings), settings);
    assertThat(kmn.jobs().stream().skip(1).map(job -> Math.round(job.seconds() * 1e3)).distinct())
        .as("a free machine has one of forty blocks")
        .containsExactly(10_000L);
    double waited =
        none.jobs().stream().skip(1).filter(job -> job.seconds() > 12.99).count() / 20.0;
    assertThat(waited).as("three quarters of the machines are busy").isBetween(0.5, 1.0);
  }

  private static JobSpec ofForty(JobSpec job) {
    PhaseSpec first = job.phases().get(0).ofAny(40);
    return new JobSpec(job.id(), job.submitSeconds(), List.of(first));
  }

  static List<String> all() {
    return Schemes.names();
  }

  /** The engine checks that slots are used only once, and that each job has its K outputs. */
  @ParameterizedTest
  @MethodSource("all")
  void allWorkIsDoneOnceWhereverBlocksLie(String name) throws BadSettingException {
    ClusterShape shape = ClusterShape.of(40, 4, 4);
    for (Inputs inputs : List.of(Inputs.DISK, Inputs.MEMORY)) {
      String slowStart = inputs == Inputs.DISK ? "0.05" : "1";
      SimulationSettings settings =
          SimulationSettings.read(1, Map.of(SimulationSettings.SLOW_START, slowStart)).with(inputs);
      SyntheticSettings jobs =
          SyntheticSettings.of(40, 4).withJobs(120).withUtilization(0.9).withSeed(3);
      Workload workload =
          new SampledWorkload(new SyntheticWorkload(jobs), new Sampling(0.1, 0.5), 3);
      Slowness slowness = new PublishedSlowness(3);
      SchemeOutcome once =
          SampleWorkloads.run(workload, shape, slowness, scheme(name, settings), settings);
      SchemeOutcome again =
          SampleWorkloads.run(workload, shape, slowness, scheme(name, settings), settings);
      assertThat(once.jobs()).hasSize(120);
      assertThat(again).as("the same seed gives the same run").isEqualTo(once);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void blocksThatNobodyChoosesChangeNothing(String name) {
    if (name.equals("kmn") || name.equals("drover")) {
      return;
    }
    ClusterShape shape = ClusterShape.of(40, 4, 4);
    SimulationSettings settings = SimulationSettings.defaults(1);
    Workload workload = new SyntheticWorkload(SyntheticSettings.of(40, 4).withJobs(60));
    Workload sampled = new SampledWorkload(workload, new Sampling(0.1, 1), 1);
    Slowness slowness = new PublishedSlowness(1);
    assertThat(SampleWorkloads.run(sampled, shape, slowness, scheme(name, settings), settings))
        .isEqualTo(
            SampleWorkloads.run(workload, shape, slowness, scheme(name, settings), settings));
  }

  @Test
  void jobsThatDoNotSampleAreLeftAlone() {
    ClusterShape shape = ClusterShape.of(40, 4, 1);
    SimulationSettings settings = SimulationSettings.defaults(1);
    Workload workload = new SyntheticWorkload(SyntheticSettings.of(40, 4).withJobs(60));
    Slowness slowness = new PublishedSlowness(1);
    SchemeOutcome none =
        SampleWorkloads.run(workload, shape, slowness, scheme("none", settings), settings);
    SchemeOutcome kmn =
        SampleWorkloads.run(workload, shape, slowness, scheme("kmn", settings), settings);
    assertThat(kmn.jobs()).isEqualTo(none.jobs());
  }

  /** Chooses the given outputs. */
  private record Chooses(List<Integer> outputs) implements Scheme {
    @Override
    public String name() {
      return "chooses";
    }

    @Override
    public OptionalInt upstreamTasks(PhaseSpec phase) {
      return OptionalInt.of(phase.tasks());
    }

    @Override
    public SampleChoice choose(PhaseRun phase, NetworkEstimate network, double now) {
      return SampleChoice.of(outputs);
    }
  }

  @Test
  void aResultOfOtherThanKBlocksIsRefused() {
    // K = 2 of N = 4 and two slots: chance decides which two run, and a third one never does.
    Workload workload = sampled(0.5, SampleWorkloads.maps("job", 0, 10, 10));
    ClusterShape two = ClusterShape.of(2, 1, 1);
    for (List<Integer> wrong : List.of(List.of(0), List.of(0, 1, 0), List.of(0, 0))) {
      assertThat(
              catchThrowable(
                  () ->
                      SampleWorkloads.run(
                          workload,
                          two,
                          SampleWorkloads.EVEN,
                          new Chooses(wrong),
                          SampleWorkloads.settings())))
          .as(wrong.toString())
          .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class);
    }
  }

  @Test
  void theRatioIsTheAdministrators() throws BadSettingException {
    assertThat(settings(1.5).sampling().extraRatio()).isEqualTo(1.5);
    assertThat(SimulationSettings.defaults(1).sampling().extraRatio()).isEqualTo(1.05);
    PhaseSpec maps = SampleWorkloads.maps("job", 0, tens(K)).phases().get(0);
    assertThatIllegalArgumentException().isThrownBy(() -> maps.ofAny(K - 1));
    assertThat(scheme("kmn", settings(1.5)).upstreamTasks(maps.ofAny(200))).hasValue(30);
    assertThat(scheme("kmn", settings(1.5)).upstreamTasks(maps.ofAny(25))).hasValue(25);
  }
}
