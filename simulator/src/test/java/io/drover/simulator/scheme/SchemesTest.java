// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.config.BadSettingException;
import io.drover.core.model.TaskKind;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.PublishedSlowness;
import io.drover.simulator.world.Slowness;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what each scheme does about outliers, and that no scheme loses or repeats work. */
class SchemesTest {
  private static final SimulationSettings SETTINGS = SimulationSettings.defaults(1);
  private static final ClusterShape ROOMY = ClusterShape.of(40, 1, 4);

  static List<String> all() {
    return Schemes.names();
  }

  private static Scheme scheme(String name) {
    return Schemes.create(name, SETTINGS).orElseThrow();
  }

  /** Runs a phase of equal tasks in which the first attempt of the first task is slow. */
  private static SchemeOutcome oneSlow(String scheme, int tasks, double factor) {
    long[] bytes = new long[tasks];
    Arrays.fill(bytes, 100);
    Slowness slowness =
        SampleWorkloads.slowness(
            (phase, task, attempt, m) -> task == 0 && attempt == 0 ? factor : 1);
    List<JobSpec> jobs = List.of(SampleWorkloads.maps("job", 0, bytes));
    return SampleWorkloads.run(
        SampleWorkloads.workload(jobs), ROOMY, slowness, scheme(scheme), SETTINGS);
  }

  private static double seconds(SchemeOutcome outcome) {
    return outcome.jobs().get(0).seconds();
  }

  /** The engine checks that all work is done once, within the limits of slots and links. */
  @ParameterizedTest
  @MethodSource("all")
  void allWorkIsDoneOnceWhateverTheSchemeDoes(String name) {
    for (int seed = 1; seed <= 3; seed++) {
      ClusterShape shape = ClusterShape.of(40, 4, 4);
      Workload workload =
          new SyntheticWorkload(
              SyntheticSettings.of(40, 4).withJobs(120).withUtilization(0.8).withSeed(seed));
      Slowness slowness = new PublishedSlowness(seed);
      SchemeOutcome once = SampleWorkloads.run(workload, shape, slowness, scheme(name), SETTINGS);
      SchemeOutcome again = SampleWorkloads.run(workload, shape, slowness, scheme(name), SETTINGS);
      assertThat(once.jobs()).hasSize(120);
      assertThat(again).as("the same seed gives the same run").isEqualTo(once);
    }
  }

  @Test
  void withoutSpeculationTheSlowAttemptHoldsTheJobBack() {
    assertThat(seconds(oneSlow("none", 20, 10))).isCloseTo(1002, within(1e-6));
  }

  @ParameterizedTest
  @MethodSource("reactive")
  void anAttemptTenTimesAsSlowAsTheOthersIsOvertaken(String name) {
    SchemeOutcome outcome = oneSlow(name, 20, 10);
    assertThat(seconds(outcome)).isLessThan(350);
    PhaseOutcome phase = outcome.phases().get(0);
    assertThat(phase.copies() + phase.restarts()).isPositive();
    assertThat(phase.won()).isEqualTo(1);
  }

  static List<String> reactive() {
    return List.of(
        "hadoop", "hadoop-2010", "late", "late-early", "dryad", "mapreduce", "mantri", "drover");
  }

  @ParameterizedTest
  @MethodSource("resourceAware")
  void aPhaseWithoutOutliersIsLeftAlone(String name) {
    PhaseOutcome phase = oneSlow(name, 20, 1).phases().get(0);
    assertThat(phase.copies() + phase.restarts() + phase.clones()).isZero();
  }

  static List<String> resourceAware() {
    return List.of("none", "hadoop", "late", "late-early", "mantri", "drover");
  }

  @Test
  void mantriLeavesATaskWithMoreDataAlone() {
    long[] bytes = new long[20];
    Arrays.fill(bytes, 100);
    bytes[0] = 1000;
    List<JobSpec> jobs = List.of(SampleWorkloads.maps("job", 0, bytes));
    SchemeOutcome outcome =
        SampleWorkloads.run(
            SampleWorkloads.workload(jobs),
            ROOMY,
            SampleWorkloads.EVEN,
            scheme("mantri"),
            SETTINGS);
    assertThat(outcome.phases().get(0).copies() + outcome.phases().get(0).restarts()).isZero();
  }

  @Test
  void mantriStartsTheLargestFirst() {
    List<JobSpec> jobs = List.of(SampleWorkloads.maps("job", 0, 10, 10, 10, 10, 40));
    ClusterShape two = ClusterShape.of(2, 1, 1);
    SchemeOutcome none = SampleWorkloads.run(jobs, two, SampleWorkloads.EVEN, scheme("none"));
    SchemeOutcome mantri = SampleWorkloads.run(jobs, two, SampleWorkloads.EVEN, scheme("mantri"));
    assertThat(seconds(none)).isCloseTo(60, within(1e-6));
    assertThat(seconds(mantri)).isCloseTo(40, within(1e-6));
  }

  @ParameterizedTest
  @MethodSource("cloning")
  void aSmallJobIsNotHeldBackByOneSlowAttempt(String name) {
    SchemeOutcome outcome = oneSlow(name, 3, 10);
    assertThat(seconds(outcome)).isCloseTo(102, within(1e-6));
    assertThat(outcome.phases().get(0).clones()).isPositive();
  }

  @ParameterizedTest
  @MethodSource("cloning")
  void aLargeJobIsNotCloned(String name) {
    assertThat(oneSlow(name, 20, 10).phases().get(0).clones()).isZero();
  }

  static List<String> cloning() {
    return List.of("dolly", "dolly-job", "drover");
  }

  /** Three tasks with p = 0.1: log 0.05 / log(1 - 0.9^3) = 2.3, so two copies beside the job. */
  @Test
  void aWholeSmallJobRunsInAsManyCopiesAsCoreAsksFor() {
    PhaseOutcome phase = oneSlow("dolly-job", 3, 10).phases().get(0);
    assertThat(phase.clones()).isEqualTo(2 * 3);
    assertThat(phase.won()).as("the tasks of the copy that ended first").isEqualTo(3);
  }

  /** Each copy of the job has one slow task: task 0, 1 or 2. */
  @Test
  void clonesOfTasksHelpWhereNoCopyOfTheJobIsSpared() {
    Slowness slowness =
        SampleWorkloads.slowness((phase, task, attempt, machine) -> task == attempt % 3 ? 10 : 1);
    List<JobSpec> jobs = List.of(SampleWorkloads.maps("job", 0, 100, 100, 100));
    SchemeOutcome ofTasks =
        SampleWorkloads.run(
            SampleWorkloads.workload(jobs), ROOMY, slowness, scheme("dolly"), SETTINGS);
    SchemeOutcome ofJobs =
        SampleWorkloads.run(
            SampleWorkloads.workload(jobs), ROOMY, slowness, scheme("dolly-job"), SETTINGS);
    assertThat(seconds(ofTasks)).isCloseTo(102, within(1e-6));
    assertThat(seconds(ofJobs)).isCloseTo(1002, within(1e-6));
  }

  @Test
  void droverDoesNothingWhereEverythingIsOff() throws BadSettingException {
    Map<String, String> off =
        Map.of(
            "mapreduce.drover.restart.mode", "off",
            "mapreduce.drover.clone.mode", "observe",
            "mapreduce.drover.order.mode", "off",
            "mapreduce.drover.placement.mode", "off",
            "mapreduce.drover.anti-affinity.mode", "off");
    SimulationSettings settings = SimulationSettings.read(1, off);
    Workload workload = new SyntheticWorkload(SyntheticSettings.of(40, 4).withJobs(200));
    ClusterShape shape = ClusterShape.of(40, 4, 4);
    Slowness slowness = new PublishedSlowness(1);
    SchemeOutcome none = SampleWorkloads.run(workload, shape, slowness, scheme("none"), settings);
    Scheme drover = Schemes.create("drover", settings).orElseThrow();
    SchemeOutcome idle = SampleWorkloads.run(workload, shape, slowness, drover, settings);
    assertThat(idle.phases()).isEqualTo(none.phases());
  }

  @Test
  void aSettingWithoutEffectIsRefused() {
    Map<String, String> patience = Map.of("mapreduce.drover.placement.patience", "1s");
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> SimulationSettings.read(1, patience))
        .withMessageContaining("mapreduce.drover.placement.patience has no effect on a simulation");
  }

  @Test
  void tasksRunInTheRacksOfTheTrace() {
    // Two racks of two slots. The trace has both maps in the second rack, a reduce in each rack.
    PhaseSpec maps = new PhaseSpec(TaskKind.MAP, new long[] {10, 10}, 1, new int[] {1, 1});
    JobSpec reads = new JobSpec("job", 0, List.of(maps, reduces(20, 0), reduces(20, 1)));
    ClusterShape two = new ClusterShape(2, 2, 2, 10, 1);
    SchemeOutcome outcome =
        SampleWorkloads.run(List.of(reads), two, SampleWorkloads.EVEN, scheme("none"));
    double through = 20 / 10.0;
    assertThat(seconds(outcome)).as("racks").isCloseTo(10 + 2 * (through + 20), within(1e-6));
  }

  private static PhaseSpec reduces(long bytes, int rack) {
    return new PhaseSpec(TaskKind.REDUCE, new long[] {bytes}, 1, new int[] {rack});
  }

  @Test
  void clonesGiveWayToWhatJobsAskFor() {
    // Six slots: a small job with clones, and then one that needs all slots that it can get.
    ClusterShape six = ClusterShape.of(6, 1, 1);
    long[] many = new long[12];
    Arrays.fill(many, 100);
    List<JobSpec> jobs =
        List.of(
            SampleWorkloads.maps("small", 0, 100, 100), SampleWorkloads.maps("large", 10, many));
    SchemeOutcome cloned = SampleWorkloads.run(jobs, six, SampleWorkloads.EVEN, scheme("dolly"));
    SchemeOutcome none = SampleWorkloads.run(jobs, six, SampleWorkloads.EVEN, scheme("none"));
    assertThat(cloned.phases().get(0).clones()).isPositive();
    assertThat(cloned.jobs().get(1).ended()).isCloseTo(none.jobs().get(1).ended(), within(1e-6));
  }

  @Test
  void withoutSkewAllTasksTakeTheMean() {
    long[] bytes = {100, 100, 100, 100};
    Slowness slowness =
        SampleWorkloads.slowness(
            (phase, task, attempt, machine) -> task == 0 ? 5 : 1); // 500, 100, 100, 100
    List<JobSpec> jobs = List.of(SampleWorkloads.maps("job", 0, bytes));
    assertThat(seconds(SampleWorkloads.run(jobs, ROOMY, slowness, scheme("no-skew"))))
        .isCloseTo(200, within(1e-6));
    assertThat(seconds(SampleWorkloads.run(jobs, ROOMY, slowness, scheme("no-skew-chop-tail"))))
        .as("without the worst quarter")
        .isCloseTo(100, within(1e-6));
  }

  /** The scan at 20 s is the first after ten seconds of work. The restart works from 22 s on. */
  @Test
  void theInformedRestartsAtTheFirstReportWhatWouldEndLaterThanANewAttempt() {
    SchemeOutcome outcome = oneSlow("informed", 20, 10);
    assertThat(seconds(outcome)).isCloseTo(122, within(1e-6));
    assertThat(outcome.phases().get(0).restarts()).isEqualTo(1);
    assertThat(outcome.phases().get(0).won()).isEqualTo(1);
    assertThat(seconds(oneSlow("informed", 20, 1.21))).isCloseTo(122, within(1e-6));
    assertThat(seconds(oneSlow("informed", 20, 1.19))).isCloseTo(121, within(1e-6));
    assertThat(oneSlow("informed", 20, 1.19).phases().get(0).restarts()).isZero();
  }

  @Test
  void theClairvoyantNeverSpendsMoreThanNoSpeculation() {
    Workload workload = new SyntheticWorkload(SyntheticSettings.of(40, 4).withJobs(300));
    ClusterShape shape = ClusterShape.of(40, 4, 4);
    Slowness slowness = new PublishedSlowness(1);
    SchemeOutcome none = SampleWorkloads.run(workload, shape, slowness, scheme("none"), SETTINGS);
    SchemeOutcome oracle =
        SampleWorkloads.run(workload, shape, slowness, scheme("clairvoyant"), SETTINGS);
    assertThat(oracle.slotSeconds()).isLessThan(none.slotSeconds());
  }

  @Test
  void anUnknownSchemeIsNone() {
    assertThat(Schemes.create("nobody", SETTINGS)).isEmpty();
  }
}
