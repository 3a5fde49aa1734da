// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.attempts;

import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttemptStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.EventHandler;

/** The states of Hadoop's jobs and attempts, and events that attempts handle at once. */
public final class HadoopAttempts {
  private HadoopAttempts() {}

  /**
   * Returns whether a job runs, and has not begun to end. {@link Job#getState} does not tell: until
   * the AppMaster has unregistered, it says RUNNING of a job that is being killed or has ended.
   */
  public static boolean isRunning(Job job) {
    return ((JobImpl) job).getInternalState() == JobStateInternal.RUNNING;
  }

  /** Returns whether the end of an attempt has not begun: it waits, starts, runs or commits. */
  public static boolean isLiving(TaskAttempt attempt) {
    return switch (attempt.getState()) {
      case NEW, STARTING, RUNNING, COMMIT_PENDING -> true;
      default -> false;
    };
  }

  /** Returns whether a task hears by an event of this type that an attempt has ended. */
  public static boolean isEnd(TaskEventType type) {
    return switch (type) {
      case T_ATTEMPT_SUCCEEDED, T_ATTEMPT_FAILED, T_ATTEMPT_KILLED -> true;
      default -> false;
    };
  }

  /** Returns the host on which an attempt runs or ran; empty if it has had no container. */
  public static Optional<String> host(TaskAttempt attempt) {
    return Optional.ofNullable(attempt.getNodeId()).map(NodeId::getHost);
  }

  /** Returns whether an attempt has a container on one of some hosts. */
  public static boolean isOn(TaskAttempt attempt, Collection<String> hosts) {
    return host(attempt).filter(hosts::contains).isPresent();
  }

  /** Returns the state in Hadoop's own state machine, which is finer than the public one. */
  public static TaskAttemptStateInternal state(TaskAttempt attempt) {
    return ((TaskAttemptImpl) attempt).getInternalState();
  }

  /**
   * Gives an attempt an event at once, and not through the dispatcher's queue, in which others may
   * wait that change it. Call it on the dispatcher thread.
   */
  @SuppressWarnings("unchecked") // TaskAttemptImpl is an EventHandler<TaskAttemptEvent>
  public static void handle(TaskAttempt attempt, TaskAttemptEvent event) {
    ((EventHandler<TaskAttemptEvent>) attempt).handle(event);
  }

  /** Kills an attempt at once. Call it on the dispatcher thread. */
  public static void kill(TaskAttempt attempt, String why) {
    handle(attempt, new TaskAttemptKillEvent(attempt.getID(), why));
  }
}
