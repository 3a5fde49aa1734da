// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.model.TaskKind;
import io.drover.core.restart.SlowTasks;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * The part of Drover's AppMaster that controls the containers of attempts. It keeps the attempts of
 * a task on different nodes by itself. A killed attempt is not replaced while another attempt of
 * its task is live.
 */
public interface AttemptPlacementHook {
  /** Announces that the attempt is about to be killed so that its task can run elsewhere. */
  void flees(TaskAttemptId attempt);

  /** Notes that an earlier AppMaster killed an attempt of the task on the host for that reason. */
  void fledBefore(TaskId task, String host);

  /**
   * Keeps the job from getting more containers on a machine.
   *
   * @return whether the machine is avoided now; false if the job does not allow it, or avoids as
   *     many machines as it may
   */
  boolean avoid(String machine);

  /**
   * Returns how likely an attempt on a machine is an outlier, by earlier jobs, if that is out of
   * the ordinary; else empty.
   */
  OptionalDouble outlierProbability(String machine);

  /** Returns the machines of which nothing is heard, so that what runs there has stopped. */
  Set<String> deadMachines();

  /** Returns the machines from and to which map outputs come far more slowly than elsewhere. */
  Set<String> machinesWithSlowLinks();

  /**
   * Returns how many more attempts of a kind fit into what the ResourceManager says is free for the
   * job, without those that have been asked for; empty if it has not said anything yet.
   */
  OptionalInt freeSlots(TaskKind kind);

  /** Returns what became of slow tasks in earlier jobs of the program, as far as it is known. */
  SlowTasks earlierSlowTasks();

  /** Takes in what has become of the job's own slow tasks until now. */
  void slowTasks(SlowTasks seen);

  /** Returns the rules for second attempts of the job's tasks. */
  SecondAttempts secondAttempts();

  /** Returns how likely the job is to succeed, in [0,1]; 1 if nothing else is known. */
  double successProbability();

  /** Returns whether an attempt is a clone: requested together with the first one of its task. */
  boolean isClone(TaskAttemptId attempt);

  /**
   * Announces that the attempt is about to be killed because another one of its task is expected to
   * finish sooner.
   *
   * @param remaining its expected remaining time, seconds; infinite if it makes no progress
   */
  void endedAsSlower(TaskAttemptId attempt, double remaining);

  /**
   * Takes in what actions of a kind have come to.
   *
   * @param more what has been added since the last call
   */
  void acted(ActionKind kind, ActionTotals more);
}
