// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockPlacesTest {
  private static final int BLOCKS = 2000;

  private static int[] machines(ClusterShape shape, int replicas, int block) {
    return new BlockPlaces(shape, replicas, 1).machines(7, block, OptionalInt.empty());
  }

  @ParameterizedTest
  @CsvSource({"600, 15", "7, 3", "4, 2", "5, 2", "100, 100", "10, 9"})
  void theSecondReplicaIsInAnotherRackAndTheThirdBesideIt(int machines, int racks) {
    ClusterShape shape = ClusterShape.of(machines, 1, racks);
    for (int block = 0; block < BLOCKS; block++) {
      int[] places = machines(shape, 3, block);
      assertThat(places).hasSize(3).doesNotHaveDuplicates();
      assertThat(Arrays.stream(places)).allMatch(machine -> machine >= 0 && machine < machines);
      int second = shape.rackOf(places[1]);
      assertThat(second).isNotEqualTo(shape.rackOf(places[0]));
      if (shape.machinesIn(second) > 1) {
        assertThat(shape.rackOf(places[2])).isEqualTo(second);
      }
    }
  }

  @Test
  void whereThereIsOneRackReplicasAreOnOtherMachinesOfIt() {
    ClusterShape shape = ClusterShape.of(5, 1, 1);
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(machines(shape, 3, block)).hasSize(3).doesNotHaveDuplicates();
    }
  }

  @Test
  void thereAreNoMoreReplicasThanMachines() {
    for (int block = 0; block < 100; block++) {
      assertThat(machines(ClusterShape.of(2, 1, 2), 3, block)).containsExactlyInAnyOrder(0, 1);
      assertThat(machines(ClusterShape.of(4, 1, 2), 10, block))
          .containsExactlyInAnyOrder(0, 1, 2, 3);
    }
  }

  @Test
  void theFirstReplicaIsInTheRackThatTheTraceTells() {
    ClusterShape shape = ClusterShape.of(20, 1, 4);
    BlockPlaces places = new BlockPlaces(shape, 3, 1);
    for (int block = 0; block < 100; block++) {
      int first = places.machines(7, block, OptionalInt.of(2))[0];
      assertThat(shape.rackOf(first)).isEqualTo(2);
    }
  }

  @Test
  void eachReplicaIsOnAnyMachineWithTheSameChance() {
    ClusterShape shape = ClusterShape.of(9, 1, 3);
    int blocks = 90_000;
    int[][] count = new int[3][9];
    for (int block = 0; block < blocks; block++) {
      int[] places = machines(shape, 3, block);
      for (int replica = 0; replica < 3; replica++) {
        count[replica][places[replica]]++;
      }
    }
    // Binomial: 10,000 with a standard deviation of 94.
    for (int[] ofReplica : count) {
      assertThat(Arrays.stream(ofReplica)).allMatch(n -> n > 9600 && n < 10_400);
    }
  }

  @Test
  void placesFollowFromSeedPhaseAndBlockAlone() {
    ClusterShape shape = ClusterShape.of(600, 8, 15);
    assertThat(machines(shape, 3, 5)).isEqualTo(machines(shape, 3, 5));
    assertThat(machines(shape, 3, 5)).isNotEqualTo(machines(shape, 3, 6));
    assertThat(machines(shape, 3, 5))
        .isNotEqualTo(new BlockPlaces(shape, 3, 2).machines(7, 5, OptionalInt.empty()))
        .isNotEqualTo(new BlockPlaces(shape, 3, 1).machines(8, 5, OptionalInt.empty()));
  }
}
