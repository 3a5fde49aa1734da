// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.machine.Claim;
import io.drover.core.machine.ClaimLedger;
import io.drover.core.machine.MachineSettings;
import io.drover.core.machine.MachineSnapshot;
import io.drover.core.machine.MachineStatistics;
import io.drover.core.machine.MachineStatistics.WindowEvidence;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.world.Losses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;

/**
 * Estimates how likely each machine is to lose an output. It uses core's statistics as the
 * ResourceManager does: each job reports when it ends.
 *
 * <p>Modelled: losses are rare, so a run of hours teaches little, and the paper's Mantri knows
 * machines "over a long period of time" (section 5.3). The statistics therefore start with the
 * losses expected of {@value #OUTPUTS_BEFORE} outputs on each machine, kept for {@value
 * #SECONDS_KEPT_BEFORE} s each.
 */
final class LossLearning {
  private static final String PREFIX = "machine-";
  private static final int OUTPUTS_BEFORE = 10_000;

  /** About how long the default workload keeps the output of a map until all have read it. */
  private static final double SECONDS_KEPT_BEFORE = 100;

  private final MachineStatistics statistics;
  private final Map<JobRun, Map<Integer, Claim>> said = new HashMap<>();

  LossLearning(Losses losses, int machines) {
    List<MachineSnapshot.Machine> before = new ArrayList<>(machines);
    double lostOfAll = 0;
    for (int m = 0; m < machines; m++) {
      double loss = -Math.expm1(-losses.lossesPerSecond(m) * SECONDS_KEPT_BEFORE);
      double lost = OUTPUTS_BEFORE * loss;
      lostOfAll += lost;
      before.add(
          new MachineSnapshot.Machine(
              name(m),
              0,
              0,
              0,
              OUTPUTS_BEFORE,
              lost,
              List.of(),
              Map.of(),
              Map.of(),
              Map.of(WindowEvidence.TRUSTED, List.of((double) OUTPUTS_BEFORE, lost))));
    }
    double outputs = (double) OUTPUTS_BEFORE * machines;
    String noEstimator = "";
    statistics =
        MachineStatistics.restore(
            MachineSettings.DEFAULT,
            new MachineSnapshot(
                MachineSnapshot.VERSION, noEstimator, 0, 0, 0, outputs, lostOfAll, before));
  }

  /** Counts an output that is kept on a machine. */
  void kept(JobRun job, int machine) {
    count(job, machine, before -> Claim.ofOutputs(before.outputs() + 1, before.lost()));
  }

  /** Counts a missed output that was kept on a machine, perhaps as a replica. */
  void lost(JobRun job, int machine) {
    count(
        job,
        machine,
        before -> {
          int lost = before.lost() + 1;
          return Claim.ofOutputs(Math.max(before.outputs(), lost), lost);
        });
  }

  private void count(JobRun job, int machine, UnaryOperator<Claim> more) {
    Map<Integer, Claim> ofJob = said.computeIfAbsent(job, j -> new HashMap<>());
    ofJob.put(machine, more.apply(ofJob.getOrDefault(machine, Claim.ofOutputs(0, 0))));
  }

  /** Reports the counts of a job that has ended to the cluster. */
  void ended(JobRun job) {
    Map<Integer, Claim> counted = said.remove(job);
    if (counted == null) {
      return;
    }
    ClaimLedger containers = new ClaimLedger();
    Map<String, Claim> claims = new HashMap<>();
    counted.forEach(
        (machine, claim) -> {
          claims.put(name(machine), claim);
          for (int i = 0; i < claim.outputs(); i++) {
            containers.containerEnded(name(machine));
          }
        });
    statistics.advance(job.lastEnd());
    statistics.observe(containers, claims);
  }

  OptionalDouble loss(String machine) {
    return statistics.lossProbability(machine);
  }

  /** Returns core's name for a machine. */
  static String name(int machine) {
    return PREFIX + machine;
  }

  /** Returns the machine with this name. */
  static int machine(String name) {
    return Integer.parseInt(name.substring(PREFIX.length()));
  }
}
