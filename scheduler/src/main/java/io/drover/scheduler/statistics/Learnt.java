// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.ClusterTable;
import io.drover.channel.RackBandwidth;
import io.drover.core.machine.MachineFigures;
import io.drover.core.machine.SlowMachineRule;
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
 * @param byMachine p_m of each
 * @param own p_m by user and machine, where a user's own jobs are told more than others
 */
public record Learnt(
    OptionalDouble outlierProbability,
    List<MachineFigures> machines,
    List<RackBandwidth> links,
    List<RackBandwidth> told,
    ClusterTable worst,
    Map<String, Double> byMachine,
    Map<String, Map<String, Double>> own) {
  /** Nothing yet. */
  static final Learnt NOTHING =
      new Learnt(
          OptionalDouble.empty(),
          List.of(),
          List.of(),
          List.of(),
          ClusterTable.EMPTY,
          Map.of(),
          Map.of());

  static Learnt of(
      OptionalDouble p,
      List<MachineFigures> machines,
      Map<String, Map<String, Double>> own,
      List<RackBandwidth> links) {
    Map<String, Double> byMachine = new HashMap<>();
    for (MachineFigures machine : machines) {
      machine.probability().ifPresent(pm -> byMachine.put(machine.machine(), pm));
    }
    List<RackBandwidth> told = ClusterTable.narrowest(links);
    ClusterTable worst = ClusterTable.of(ClusterTable.worst(byMachine), told);
    return new Learnt(p, machines, links, told, worst, byMachine, own);
  }

  /** What jobs of a user are told of certain machines; of the worst where none is named. */
  ClusterTable table(String user, List<String> names) {
    Map<String, Double> more = own.getOrDefault(user, Map.of());
    if (names.isEmpty()) {
      return more.isEmpty() ? worst : worst(more);
    }
    Map<String, Double> some = new HashMap<>();
    for (String name : names) {
      Double pm = more.getOrDefault(name, byMachine.get(name));
      if (pm != null) {
        some.put(name, pm);
      }
    }
    return ClusterTable.of(some, told);
  }

  /** What is told more is worse than what others are told, so these are the worst of all. */
  private ClusterTable worst(Map<String, Double> more) {
    Map<String, Double> both = new HashMap<>(worst.outlierProbabilities());
    both.putAll(more);
    return ClusterTable.of(ClusterTable.worst(both), told);
  }

  /** Of which users the own jobs alone keep away from a machine, in the order of their names. */
  public List<String> slowForOnly(MachineFigures machine) {
    if (outlierProbability.isEmpty() || isSlow(byMachine.get(machine.machine()))) {
      return List.of();
    }
    return own.entrySet().stream()
        .filter(user -> isSlow(user.getValue().get(machine.machine())))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Whether the jobs of all users keep away from a machine. */
  public boolean isSlow(MachineFigures machine) {
    return isSlow(byMachine.get(machine.machine()));
  }

  private boolean isSlow(Double probability) {
    return probability != null
        && outlierProbability.isPresent()
        && SlowMachineRule.DEFAULT.isSlow(probability, outlierProbability.getAsDouble());
  }
}
