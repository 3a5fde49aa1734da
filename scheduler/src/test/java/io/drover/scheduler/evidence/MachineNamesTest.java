// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineNamesTest {
  private static final MachineNames CLUSTER =
      new MachineNames(
          List.of(
              "node1.a.example",
              "Node2.A.Example",
              "node3",
              "node4.a.example",
              "node4.b.example",
              "node5",
              "node5.a.example",
              "10.0.0.6",
              "10.0.0.7",
              "fe80:0:0:0:0:0:0:8"));

  @Test
  void caseAndALastDotMakeNoDifference() {
    assertThat(CLUSTER.find("NODE1.a.example")).hasValue("node1.a.example");
    assertThat(CLUSTER.find("node2.a.example")).hasValue("Node2.A.Example");
    assertThat(CLUSTER.find(" node1.a.example. ")).hasValue("node1.a.example");
  }

  @Test
  void eitherNameMayBeShort() {
    assertThat(CLUSTER.find("Node1")).hasValue("node1.a.example");
    assertThat(CLUSTER.find("node2")).hasValue("Node2.A.Example");
    assertThat(CLUSTER.find("node3.a.example")).hasValue("node3");
  }

  @Test
  void anotherDomainIsAnotherMachine() {
    assertThat(CLUSTER.find("node1.b.example")).isEmpty();
    assertThat(CLUSTER.find("node4.c.example")).isEmpty();
  }

  @Test
  void shortNameOfTwoMachinesNamesNeither() {
    assertThat(CLUSTER.find("node4")).isEmpty();
    assertThat(CLUSTER.find("node4.b.example")).hasValue("node4.b.example");
  }

  @Test
  void equalNamesComeFirst() {
    assertThat(CLUSTER.find("node5")).hasValue("node5");
    assertThat(CLUSTER.find("node5.a.example")).hasValue("node5.a.example");
    assertThat(CLUSTER.find("node5.b.example")).as("may be either").isEmpty();
  }

  @Test
  void addressesHaveNoShortForm() {
    assertThat(CLUSTER.find("10.0.0.7")).hasValue("10.0.0.7");
    assertThat(CLUSTER.find("10")).isEmpty();
    assertThat(CLUSTER.find("10.0.0.8")).isEmpty();
    assertThat(CLUSTER.find("fe80:0:0:0:0:0:0:8")).hasValue("fe80:0:0:0:0:0:0:8");
    assertThat(new MachineNames(List.of("10")).find("10.0.0.8")).isEmpty();
  }

  @Test
  void severalNodeManagersOfAHostAreOneMachine() {
    assertThat(new MachineNames(List.of("n1.x", "n1.x")).find("n1")).hasValue("n1.x");
  }

  @Test
  void oddNamesAreHarmless() {
    for (String odd : List.of("", ".", "..", " ", ".example", "node1.", "-")) {
      assertThat(CLUSTER.find(odd).filter(found -> !found.startsWith("node1"))).isEmpty();
    }
  }
}
