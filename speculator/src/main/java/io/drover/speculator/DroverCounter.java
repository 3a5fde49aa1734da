// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

/** Drover's job counters. Their display names are in the properties file. */
public enum DroverCounter {
  /** Attempts that were added to a task because its running attempt was slow. */
  COPIES_LAUNCHED,
  /** Copies that finished their task first. */
  COPIES_WON,
  /** Copies that were killed because another attempt finished first, or that failed. */
  COPIES_LOST,
  /** Attempts that were killed so that their task could start again elsewhere. */
  RESTARTS,
  /** Copies that were killed and replaced because they got the machine of another attempt. */
  MOVES,
  /** Attempts that were killed because another one of their task was expected to finish sooner. */
  SLOWER_ATTEMPT,
  /** Machines that were found slow and get no more containers of the job. */
  MACHINES_AVOIDED,
  /** Milliseconds in containers of copied and restarted tasks' attempts that were not first. */
  WASTED_MILLIS,
  /** Milliseconds by which copied and restarted tasks were done sooner, by estimate. */
  SAVED_MILLIS,
  /** Attempts that were started together with the first one of their task. */
  CLONES_LAUNCHED,
  /** Clones that finished their task first. */
  CLONES_WON,
  /** Clones that were killed because another attempt was first or needed the room, or failed. */
  CLONES_LOST,
  /** Milliseconds in containers of cloned tasks' attempts that were not first. */
  CLONE_WASTED_MILLIS,
  /** Milliseconds by which cloned tasks were done sooner, by estimate. */
  CLONE_SAVED_MILLIS,
  /** 1 if a task failed while it had two attempts, so that the job got no more second attempts. */
  SECOND_ATTEMPTS_ENDED,
  /** Map outputs that were made again before all reduces that need them had missed them. */
  OUTPUTS_REMADE,
  /**
   * Those of them that no reduce had missed, and that were there before all reduces had read all.
   */
  PRECOMPUTATIONS_USED,
  /** Bytes of map outputs that were copied to other nodes in case they are lost. */
  REPLICATED_BYTES,
  /** Map outputs that reduces were told to read from a replica. */
  REPLICAS_USED,
  /** Those of them that would have had to be made again. */
  RECOMPUTATIONS_AVOIDED,
  /** How often stock speculation took over from Drover's after errors. */
  TURNED_OFF,
  /** How often cloning was switched off after errors. */
  CLONING_OFF,
  /** How often Drover left all containers to Hadoop's allocator after errors. */
  STEERING_OFF,
  /** How often the decision log was switched off because lines could not be written. */
  DECISION_LOG_OFF,
  /** How often second copies of map outputs were switched off after errors. */
  MAP_COPIES_OFF,
  /** How often reporting to Drover's scheduler was switched off after errors. */
  CLUSTER_NEWS_OFF,
  /** Steps of Drover that failed and were skipped; the decision log has the details. */
  STEPS_FAILED
}
