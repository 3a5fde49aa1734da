// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.ClusterTable;
import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.machine.MachineStatistics.WindowEvidence;
import io.drover.core.machine.SlowMachineRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MachineViewTest {
  private static MachineFigures losing(String name, double share) {
    return new MachineFigures(
        name, 0, 0, OptionalDouble.empty(), OptionalDouble.of(share), WindowEvidence.NONE);
  }

  private static MachineFigures learnt(String name, double probability) {
    return new MachineFigures(
        name, 9, 0, OptionalDouble.of(probability), OptionalDouble.empty(), WindowEvidence.NONE);
  }

  private static MachineView view(List<MachineFigures> machines) {
    return MachineView.of(
        OptionalDouble.empty(), machines, List.of(), Map.of(), Map.of(), Map.of(), Map.of());
  }

  @Test
  void machinesThatLoseManyOutputsAreToldToAll() {
    MachineView view =
        view(
            List.of(losing("a", 0.0234), losing("b", 0.00099), losing("c", 0.951), losing("d", 0)));
    Map<String, Double> told = Map.of("a", 0.02, "c", 1.0);
    assertThat(view.table("u", List.of()).lossProbabilities()).isEqualTo(told);
    assertThat(view.table("u", List.of("d")).lossProbabilities()).isEqualTo(told);
  }

  @Test
  void whatAUsersJobsLostThemselvesOnlyTheseAreTold() {
    MachineView view =
        MachineView.of(
            OptionalDouble.empty(),
            List.of(losing("a", 0.0234), losing("b", 0)),
            List.of(),
            Map.of(),
            Map.of("u", Map.of("a", 0.001, "b", 0.31)),
            Map.of(),
            Map.of());
    for (List<String> asked : List.of(List.<String>of(), List.of("a"))) {
      assertThat(view.table("u", asked).lossProbabilities()).isEqualTo(Map.of("a", 0.02, "b", 0.3));
      assertThat(view.table("v", asked).lossProbabilities()).isEqualTo(Map.of("a", 0.02));
    }
  }

  /** Else each output that is kept would have the table sent to all again. */
  @Test
  void smallChangesAreNotTold() {
    long tag = view(List.of(losing("a", 0.0234))).table("u", List.of()).tag();
    assertThat(view(List.of(losing("a", 0.0211))).table("u", List.of()).tag()).isEqualTo(tag);
    assertThat(view(List.of(losing("a", 0.04))).table("u", List.of()).tag()).isNotEqualTo(tag);
  }

  @Test
  void ofMoreThanFitTheWorstAreTold() {
    List<MachineFigures> many = new ArrayList<>();
    for (int i = 0; i <= ClusterTable.MAX_MACHINES; i++) {
      many.add(losing("m" + i, i == 7 ? 0.002 : 0.5));
    }
    assertThat(view(many).table("u", List.of()).lossProbabilities())
        .hasSize(ClusterTable.MAX_MACHINES)
        .doesNotContainKey("m7");
  }

  @Test
  void copiesAvoidAMachineThatOthersCallSlowHoweverCommonOutliersAre() {
    for (double p : new double[] {0.01, 0.25, 0.3, 0.5}) {
      MachineView view =
          MachineView.of(
              OptionalDouble.of(p),
              List.of(learnt("m1", p)),
              List.of(),
              Map.of(),
              Map.of(),
              Map.of(),
              Map.of("m1", "by an operator"));
      double told = view.table("u", List.of("m1")).outlierProbabilities().get("m1");
      assertThat(SlowMachineRule.DEFAULT.isSlow(told, p)).as("p = %s", p).isTrue();
      assertThat(told).isEqualTo(Math.max(0.5, 2 * p));
    }
  }

  @Test
  void slowMachinesAreCountedByTheirStatisticsAlone() {
    MachineView view =
        MachineView.of(
            OptionalDouble.of(0.05),
            List.of(learnt("m1", 0.5), learnt("m2", 0.04), losing("m3", 0.9)),
            List.of(),
            Map.of("u", Map.of("m2", 0.5)),
            Map.of(),
            Map.of(),
            Map.of("m2", "by an operator"));
    assertThat(view.machines().stream().filter(view::isSlow)).hasSize(1);
    assertThat(view.slowMachines()).isEqualTo(1);
  }

  @Test
  void machineThatOthersCallSlowIsSlowForEverybody() {
    List<MachineFigures> known = List.of(learnt("m1", 0.04), learnt("m2", 0.04));
    MachineView view =
        MachineView.of(
            OptionalDouble.of(0.05),
            known,
            List.of(),
            Map.of("u", Map.of("m1", 0.2)),
            Map.of(),
            Map.of(),
            Map.of("m1", "by an operator", "m3", "by HDFS"));
    assertThat(view.isSlow(known.get(0))).as("not by its statistics").isFalse();
    assertThat(view.isSlow(known.get(1))).isFalse();
    assertThat(view.machines().get(0).probability()).as("as learnt").hasValue(0.04);
    assertThat(view.table("v", List.of("m1", "m2", "m3")).outlierProbabilities())
        .isEqualTo(Map.of("m1", 0.5, "m2", 0.04, "m3", 0.5));
    assertThat(view.table("u", List.of()).outlierProbabilities())
        .isEqualTo(Map.of("m1", 0.5, "m2", 0.04, "m3", 0.5));
    assertThat(view.slowForOnly(known.get(0))).isEmpty();
  }

  @Test
  void machineThatOthersCallSlowIsToldBeforeAnythingIsLearnt() {
    MachineView view =
        MachineView.of(
            OptionalDouble.empty(),
            List.of(),
            List.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("m1", "x"));
    assertThat(view.outlierProbability()).isEmpty();
    assertThat(view.table("u", List.of()).outlierProbabilities()).isEqualTo(Map.of("m1", 0.5));
  }
}
