// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.Decision;
import io.drover.core.model.SubPhase;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * An event that the dispatcher thread passes to the decision thread. Plain values, copied out of
 * events.
 */
sealed interface DecisionThreadEvent {
  /** Milliseconds on the AppMaster's clock. */
  long time();

  /** Whether it is only written to the decision log, and no model of the job needs it. */
  default boolean isForTheLog() {
    return false;
  }

  /** Something about the attempts of a task has changed: one was asked for, launched or ended. */
  record TaskChanged(long time, TaskId task) implements DecisionThreadEvent {}

  /**
   * An attempt reported.
   *
   * @param progress of the whole attempt, in [0,1], as it was reported
   * @param fraction of the sub-phase, in [0,1]
   * @param bytesRead of the task's input; 0 if unknown
   * @param bytesShuffled by a reduce; 0 if unknown
   * @param mapFinished when the input had been read, by the task's clock; 0 if it has not
   * @param shuffleFinished when all map outputs had been fetched, by the task's clock; 0 before
   * @param sortFinished when they had been merged, by the task's clock; 0 before
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
   * An action has been carried out, or refused.
   *
   * @param refusal why it was refused; null if it was carried out
   */
  record Acted(long time, Decision decision, String refusal) implements DecisionThreadEvent {}

  /** From now on the job gets no more containers on a machine. */
  record Avoided(long time, String machine) implements DecisionThreadEvent {}

  /**
   * A task that Drover had acted on is done.
   *
   * @param winner the attempt that finished first
   * @param copyWon whether that was one that would not have run without Drover
   * @param wastedMillis spent in containers by the other attempts
   */
  record Settled(long time, TaskAttemptId winner, boolean copyWon, long wastedMillis)
      implements DecisionThreadEvent {
    @Override
    public boolean isForTheLog() {
      return true;
    }
  }

  /**
   * Something that was decided elsewhere in the AppMaster, for the decision log.
   *
   * @param type of the line
   * @param fields its further fields, in their order: numbers, truth values, or what is written as
   *     its text
   */
  record ExternalEntry(long time, String type, Map<String, Object> fields)
      implements DecisionThreadEvent {
    @Override
    public boolean isForTheLog() {
      return true;
    }
  }
}
