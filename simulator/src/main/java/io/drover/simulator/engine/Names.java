// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.ClusterShape;
import java.util.stream.IntStream;

/** Names the machines and racks for core. */
final class Names {
  private final String[] machines;
  private final String[] racks;

  Names(ClusterShape shape) {
    machines =
        IntStream.range(0, shape.machines()).mapToObj(m -> "machine-" + m).toArray(String[]::new);
    racks = IntStream.range(0, shape.racks()).mapToObj(r -> "rack-" + r).toArray(String[]::new);
  }

  String machine(int machine) {
    return machines[machine];
  }

  String rack(int rack) {
    return racks[rack];
  }
}
