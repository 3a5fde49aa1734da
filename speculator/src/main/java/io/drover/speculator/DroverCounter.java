// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

/** Drover's job counters. Their display names are in the properties file. */
public enum DroverCounter {
  /** Attempts that were started beside a running one. */
  COPIES_LAUNCHED,
  /** Copies whose task they were the first to finish. */
  COPIES_WON,
  /** Copies that were ended because another attempt was first, or that failed. */
  COPIES_LOST,
  /** Attempts that were killed so that their task could start again elsewhere. */
  RESTARTS,
  /** Copies that were sent back because they had got the machine of another attempt. */
  MOVES,
  /** Attempts that were ended because another one of their task was expected to be done sooner. */
  SLOWER_ATTEMPT,
  /** Machines that were found slow and get no more containers of the job. */
  MACHINES_AVOIDED,
  /** Milliseconds in containers of attempts that Drover started, or killed, for nothing. */
  WASTED_MILLIS,
  /** Attempts that were started together with the first one of their task. */
  CLONES_LAUNCHED,
  /** Clones whose task they were the first to finish. */
  CLONES_WON,
  /**
   * Clones that were ended because another attempt was first or wanted the room, or that failed.
   */
  CLONES_LOST,
  /** Milliseconds in containers of attempts of cloned tasks other than the first to finish. */
  CLONE_WASTED_MILLIS,
  /**
   * 1 if a task failed beside another attempt of it, and the job got no second attempts any more.
   */
  SECOND_ATTEMPTS_ENDED,
  /** How often Drover's speculation was switched off after errors, and stock's took over. */
  TURNED_OFF,
  /** How often cloning was switched off after errors. */
  CLONING_OFF,
  /** How often Drover left all containers to Hadoop's allocator after errors. */
  STEERING_OFF,
  /** How often the decision log was switched off, as lines could not be written. */
  DECISION_LOG_OFF,
  /** How often second copies of map outputs were switched off after errors. */
  MAP_COPIES_OFF,
  /** How often Drover's scheduler was told nothing for a while after errors. */
  CLUSTER_NEWS_OFF,
  /** Steps of Drover that failed and were left out; what failed how is in the decision log. */
  STEPS_FAILED
}
