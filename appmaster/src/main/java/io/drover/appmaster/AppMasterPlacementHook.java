// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.protect.OutputProtection;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.model.TaskKind;
import io.drover.core.restart.SlowTasks;
import io.drover.speculator.AttemptPlacementHook;
import io.drover.speculator.SecondAttempts;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * Connects the speculator, which has the estimates, with the parts that control containers.
 *
 * @param cloner returns the cloner, which is made after the speculator and before any attempt
 */
record AppMasterPlacementHook(
    CopyAntiAffinity antiAffinity,
    AvoidedNodes avoided,
    Supplier<Cloner> cloner,
    OutcomeReporter news,
    SecondAttempts secondAttempts,
    ClusterChannel cluster,
    Headroom headroom,
    OutputProtection protection)
    implements AttemptPlacementHook {
  @Override
  public void flees(TaskAttemptId attempt) {
    antiAffinity.flees(attempt);
  }

  @Override
  public void fledBefore(TaskId task, String host) {
    antiAffinity.fledBefore(task, host);
  }

  @Override
  public boolean avoid(String machine) {
    return avoided.add(machine);
  }

  @Override
  public OptionalDouble outlierProbability(String machine) {
    return cluster.isSlow(machine) ? cluster.outlierProbability(machine) : OptionalDouble.empty();
  }

  @Override
  public Set<String> deadMachines() {
    return protection.deadHosts();
  }

  @Override
  public Set<String> machinesWithSlowLinks() {
    return protection.slowLinks();
  }

  @Override
  public OptionalInt freeSlots(TaskKind kind) {
    return headroom.slots(kind);
  }

  @Override
  public SlowTasks earlierSlowTasks() {
    return cluster.slowTasks();
  }

  @Override
  public void slowTasks(SlowTasks seen) {
    news.slowTasks(seen);
  }

  @Override
  public double successProbability() {
    return cluster.successProbability();
  }

  @Override
  public boolean isClone(TaskAttemptId attempt) {
    return cloner.get().isClone(attempt);
  }

  @Override
  public void endedAsSlower(TaskAttemptId attempt, double remaining) {
    if (!isClone(attempt)) {
      antiAffinity.flees(attempt); // it was slow enough for a copy
    }
    news.endedAsSlower(attempt, remaining);
  }

  @Override
  public void acted(ActionKind kind, ActionTotals more) {
    cluster.acted(kind, more);
  }
}
