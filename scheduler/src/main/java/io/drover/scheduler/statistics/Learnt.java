// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.ClusterTable;
import io.drover.channel.RackBandwidth;
import io.drover.core.machine.MachineFigures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What is known at one moment, for all threads.
 *
 * @param outlierProbability p, in (0,1/2]; empty while too little was judged
 * @param machines the figures of each, by name
 * @param links of racks that are known
 * @param told of those, as many as an AppMaster is told
 * @param worst what an AppMaster is told that asks for no machine in particular
 */
public record Learnt(
    OptionalDouble outlierProbability,
    List<MachineFigures> machines,
    List<RackBandwidth> links,
    List<RackBandwidth> told,
    ClusterTable worst,
    Map<String, Double> byMachine) {
  /** Nothing yet. */
  static final Learnt NOTHING =
      new Learnt(
          OptionalDouble.empty(), List.of(), List.of(), List.of(), ClusterTable.EMPTY, Map.of());

  static Learnt of(OptionalDouble p, List<MachineFigures> machines, List<RackBandwidth> links) {
    Map<String, Double> byMachine = new HashMap<>();
    for (MachineFigures machine : machines) {
      machine.probability().ifPresent(pm -> byMachine.put(machine.machine(), pm));
    }
    List<RackBandwidth> told = ClusterTable.narrowest(links);
    ClusterTable worst = ClusterTable.of(ClusterTable.worst(byMachine), told);
    return new Learnt(p, machines, links, told, worst, byMachine);
  }

  /** What is known of certain machines; of the worst where none is named. */
  ClusterTable table(List<String> names) {
    if (names.isEmpty()) {
      return worst;
    }
    Map<String, Double> some = new HashMap<>();
    for (String name : names) {
      Double pm = byMachine.get(name);
      if (pm != null) {
        some.put(name, pm);
      }
    }
    return ClusterTable.of(some, told);
  }
}
