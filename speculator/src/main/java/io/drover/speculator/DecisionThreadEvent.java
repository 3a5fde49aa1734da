// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.Decision;
import io.drover.core.model.SubPhase;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * An event that another thread, usually the dispatcher thread, passes to the decision thread. It
 * holds plain values, copied from Hadoop's events.
 */
sealed interface DecisionThreadEvent {
  /** Returns the time of the event, milliseconds on the AppMaster's clock. */
  long time();

  /** Returns whether the event only goes to the decision log and not into the model of the job. */
  default boolean isForTheLog() {
    return false;
  }

  /** An attempt of a task was requested, placed or launched, or its request was withdrawn. */
  record TaskChanged(long time, TaskId task) implements DecisionThreadEvent {}

  /**
   * An attempt has reported.
   *
   * @param progress the progress of the whole attempt, in [0,1], as reported
   * @param fraction the progress of the sub-phase, in [0,1]
   * @param bytesRead the bytes read of the task's input; 0 if unknown
   * @param bytesShuffled the bytes fetched by a reduce; 0 if unknown
   * @param mapFinished when the input was read, by the task's clock; 0 before that
   * @param shuffleFinished when all map outputs were fetched, by the task's clock; 0 before that
   * @param sortFinished when they were merged, by the task's clock; 0 before that
   */
  record Report(
      long time,
      TaskAttemptId attempt,
      SubPhase subPhase,
      float progress,
      double fraction,
      long bytesRead,
      long bytesShuffled,
      long mapFinished,
      long shuffleFinished,
      long sortFinished)
      implements DecisionThreadEvent {}

  /**
   * An action has been carried out or refused.
   *
   * @param refusal why it was refused; null if it was carried out
   */
  record Acted(long time, Decision decision, String refusal) implements DecisionThreadEvent {}

  /** The job gets no more containers on a machine from now on. */
  record Avoided(long time, String machine) implements DecisionThreadEvent {}

  /**
   * A task on which Drover has acted has ended.
   *
   * @param winner the attempt that finished first; empty if the task has failed or was killed
   * @param copyWon whether a copy was added to the task and the winner would not exist without
   *     Drover
   * @param wastedMillis the milliseconds that the other attempts spent in containers
   * @param savedMillis the milliseconds by which the task was done sooner, by estimate
   */
  record Settled(
      long time,
      TaskId task,
      Optional<TaskAttemptId> winner,
      boolean copyWon,
      long wastedMillis,
      long savedMillis)
      implements DecisionThreadEvent {
    @Override
    public boolean isForTheLog() {
      return true;
    }
  }

  /**
   * A line for the decision log from another part of the AppMaster.
   *
   * @param type the type of the line
   * @param fields its further fields in order: numbers, booleans, or objects that are written as
   *     their text
   */
  record ExternalEntry(long time, String type, Map<String, Object> fields)
      implements DecisionThreadEvent {
    @Override
    public boolean isForTheLog() {
      return true;
    }
  }
}
