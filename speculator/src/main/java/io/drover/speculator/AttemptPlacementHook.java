// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * Drover's own AppMaster, as far as it controls the containers of attempts: it keeps the attempts
 * of a task on different nodes by itself, and an attempt that is killed while another of its task
 * lives breeds no new one.
 */
public interface AttemptPlacementHook {
  /** The attempt is about to be killed so that its task can run somewhere else. */
  void flees(TaskAttemptId attempt);

  /** An earlier AppMaster of the job has killed an attempt of the task there, for that reason. */
  void fledBefore(TaskId task, String host);

  /**
   * Lets the job have no more containers on a machine.
   *
   * @return whether that is so now; not if the job does not allow it, or too many are avoided
   */
  boolean avoid(String machine);

  /** Whether tasks of the job may have second attempts. */
  SecondAttempts secondAttempts();

  /** Whether an attempt was asked for together with the first one of its task. */
  boolean isClone(TaskAttemptId attempt);

  /**
   * The attempt is about to be killed because another one of its task is expected to be done
   * sooner.
   *
   * @param remaining for how long it was expected to go on, seconds; infinite if it stands still
   */
  void endedAsSlower(TaskAttemptId attempt, double remaining);
}
