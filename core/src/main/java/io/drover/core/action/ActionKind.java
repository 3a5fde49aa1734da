// SPDX-License-Identifier: Apache-2.0
package io.drover.core.action;

/**
 * The kinds of actions that are counted. Each comment says what is an action, and when it has won
 * or lost. Those that have done neither yet, or belong to tasks that never succeed, are only
 * launched.
 */
public enum ActionKind {
  /**
   * A copy was added to a task because its running attempt was slow. It wins if it finishes first;
   * any other copy of a task that is done has lost.
   */
  COPY,
  /**
   * An attempt was killed so that its task could start again elsewhere. It wins if the task is done
   * by an attempt that replaced the killed one, without a copy, before the killed one was expected
   * to end; otherwise it loses.
   */
  RESTART,
  /**
   * A clone was started together with the first attempt of its task. It wins if it finishes first;
   * any other clone of a task that is done has lost.
   */
  CLONE,
  /**
   * A map output was made again because its node does not serve it, or hardly. It wins if it is
   * there while a reduce still has to read it; otherwise it loses.
   */
  RECOMPUTATION,
  /**
   * A map output was to be copied to another node. It wins if the first copy is lost and reduces
   * read this one, and loses if it cannot be made. Most replicas are never needed and do neither.
   */
  REPLICA
}
