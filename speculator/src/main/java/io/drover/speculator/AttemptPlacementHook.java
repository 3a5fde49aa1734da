// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

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
}
