// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.ClusterTable;
import io.drover.channel.RackBandwidth;
import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.machine.SlowMachineRule;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An immutable view of what is known about machines and links.
 *
 * @param outlierProbability p, in (0,1/2]; empty while too few attempts have been judged
 * @param machines the figures of each machine, by name
 * @param links the links of racks whose bandwidth is known
 * @param told those of them that AppMasters are told, at most {@link ClusterTable#MAX_RACKS}
 * @param worst the table for an AppMaster that asks about no machine in particular
 * @param byMachine p_m of each machine
 * @param own by user, what only that user's own jobs are told
 * @param slowFor by machine that is not slow for all, the users whose own jobs alone avoid it, in
 *     the order of their names
 * @param called by machine that others call slow, why; its p_m is at least {@link
 *     SlowMachineRule#ofKnownSlow}, even if nothing else is known about it
 * @param slowMachines how many machines are slow for all users by their statistics ({@link
 *     #isSlow})
 */
public record MachineView(
    OptionalDouble outlierProbability,
    List<MachineFigures> machines,
    List<RackBandwidth> links,
    List<RackBandwidth> told,
    ClusterTable worst,
    Map<String, Double> byMachine,
    Map<String, Own> own,
    Map<String, List<String>> slowFor,
    Map<String, String> called,
    int slowMachines) {
  /**
   * What only the jobs of one user are told.
   *
   * @param byMachine p_m of each machine for which it is higher than for others
   * @param losses r_m of all machines that these jobs are told
   * @param links the links of racks about which others are told less
   * @param told the links of all racks that these jobs are told
   */
  public record Own(
      Map<String, Double> byMachine,
      Map<String, Double> losses,
      List<RackBandwidth> links,
      List<RackBandwidth> told) {}

  /**
   * The lowest r_m that AppMasters are told. At less, what a replica saves is worth less than the
   * copying of even a small output: of a task of a minute, 60 ms.
   */
  private static final double LEAST_LOSS = 1e-3;

  /** A view without any knowledge. */
  static final MachineView NOTHING =
      new MachineView(
          OptionalDouble.empty(),
          List.of(),
          List.of(),
          List.of(),
          ClusterTable.EMPTY,
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          0);

  /**
   * Creates a view.
   *
   * @param ownMachines p_m by user and machine, if it is higher than for others
   * @param ownLosses r_m by user and machine, of users whose lost outputs do not all count for
   *     others
   * @param ownLinks by user, the links of racks about which others are told less
   * @param called by machine that others call slow, why
   */
  static MachineView of(
      OptionalDouble p,
      List<MachineFigures> machines,
      List<RackBandwidth> links,
      Map<String, Map<String, Double>> ownMachines,
      Map<String, Map<String, Double>> ownLosses,
      Map<String, List<RackBandwidth>> ownLinks,
      Map<String, String> called) {
    Map<String, Double> byMachine = new HashMap<>();
    Map<String, Double> losses = new HashMap<>();
    for (MachineFigures machine : machines) {
      machine.probability().ifPresent(pm -> byMachine.put(machine.machine(), pm));
      machine.lossProbability().ifPresent(rm -> losses.put(machine.machine(), rm));
    }
    double knownSlow = SlowMachineRule.DEFAULT.ofKnownSlow(p.orElse(0));
    called.keySet().forEach(machine -> byMachine.merge(machine, knownSlow, Math::max));
    List<RackBandwidth> told = ClusterTable.narrowest(links);
    ClusterTable worst =
        ClusterTable.of(
            ClusterTable.worst(byMachine), told, ClusterTable.worst(noticeable(losses)));
    Set<String> users = new HashSet<>(ownMachines.keySet());
    users.addAll(ownLosses.keySet());
    users.addAll(ownLinks.keySet());
    Map<String, Own> own = new HashMap<>();
    for (String user : users) {
      List<RackBandwidth> more = ownLinks.getOrDefault(user, List.of());
      Map<String, Double> lost = new HashMap<>(worst.lossProbabilities());
      lost.putAll(noticeable(atLeast(losses, ownLosses.getOrDefault(user, Map.of()))));
      own.put(
          user,
          new Own(
              atLeast(byMachine, ownMachines.getOrDefault(user, Map.of())),
              ClusterTable.worst(lost),
              more,
              more.isEmpty() ? told : ClusterTable.narrowest(both(links, more))));
    }
    Map<String, List<String>> slowFor = slowFor(p, byMachine, new TreeMap<>(ownMachines));
    int slow = (int) machines.stream().filter(m -> isSlow(m.probability().orElse(0), p)).count();
    return new MachineView(p, machines, links, told, worst, byMachine, own, slowFor, called, slow);
  }

  /** Returns p_m or r_m for a user's own jobs, which is never below that for others. */
  private static Map<String, Double> atLeast(Map<String, Double> forAll, Map<String, Double> own) {
    Map<String, Double> both = new HashMap<>(own);
    both.replaceAll((machine, p) -> Math.max(p, forAll.getOrDefault(machine, 0.0)));
    return both;
  }

  /**
   * Returns r_m of the machines that lose noticeably many outputs. It is rounded to one digit, so
   * that the table does not change with every output that is kept.
   */
  private static Map<String, Double> noticeable(Map<String, Double> losses) {
    MathContext oneDigit = new MathContext(1, RoundingMode.HALF_UP);
    Map<String, Double> noticeable = new HashMap<>(losses);
    noticeable.values().removeIf(loss -> loss < LEAST_LOSS);
    noticeable.replaceAll((m, loss) -> BigDecimal.valueOf(loss).round(oneDigit).doubleValue());
    return noticeable;
  }

  private static Map<String, List<String>> slowFor(
      OptionalDouble p,
      Map<String, Double> byMachine,
      SortedMap<String, Map<String, Double>> ownMachines) {
    Map<String, List<String>> slowFor = new HashMap<>();
    ownMachines.forEach(
        (user, own) ->
            own.forEach(
                (machine, pm) -> {
                  if (isSlow(pm, p) && !isSlow(byMachine.getOrDefault(machine, 0.0), p)) {
                    slowFor.computeIfAbsent(machine, m -> new ArrayList<>()).add(user);
                  }
                }));
    return slowFor;
  }

  private static List<RackBandwidth> both(List<RackBandwidth> links, List<RackBandwidth> more) {
    SortedMap<String, RackBandwidth> byRack = new TreeMap<>();
    links.forEach(link -> byRack.put(link.rack(), link));
    more.forEach(link -> byRack.put(link.rack(), link));
    return List.copyOf(byRack.values());
  }

  /** Returns what a user's jobs are told about machines; about the worst if none is named. */
  ClusterTable table(String user, List<String> names) {
    Own more = this.own.get(user);
    if (names.isEmpty()) {
      return more == null ? worst : worst(more);
    }
    Map<String, Double> own = more == null ? Map.of() : more.byMachine;
    Map<String, Double> some = new HashMap<>();
    for (String name : names) {
      Double pm = own.getOrDefault(name, byMachine.get(name));
      if (pm != null) {
        some.put(name, pm);
      }
    }
    return more == null
        ? ClusterTable.of(some, told, worst.lossProbabilities())
        : ClusterTable.of(some, more.told, more.losses);
  }

  /** Returns a user's table of the worst machines. The user's own p_m are never below others'. */
  private ClusterTable worst(Own more) {
    Map<String, Double> both = new HashMap<>(worst.outlierProbabilities());
    both.putAll(more.byMachine);
    return ClusterTable.of(ClusterTable.worst(both), more.told, more.losses);
  }

  /** Returns the users whose own jobs alone avoid a machine, in the order of their names. */
  public List<String> slowForOnly(MachineFigures machine) {
    return slowFor.getOrDefault(machine.machine(), List.of());
  }

  /**
   * Returns whether a machine is slow for all users by its statistics. Those in {@link #called} are
   * avoided as well, and shown apart.
   */
  public boolean isSlow(MachineFigures machine) {
    return isSlow(machine.probability().orElse(0), outlierProbability);
  }

  private static boolean isSlow(double probability, OptionalDouble p) {
    return SlowMachineRule.DEFAULT.isSlow(probability, p.orElse(0));
  }
}
