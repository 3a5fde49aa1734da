// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.TaskRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The part of a task's time that one of its attempts took. A turn begins when the attempt has been
 * launched and those before it have ended. So a copy has none while the attempt still runs that it
 * was made beside, and the turns of a task add up to its time.
 *
 * @param attempt the attempt
 * @param ran how long it ran in its turn, seconds
 * @param waited how long the task then waited for its next attempt, seconds
 */
record Turn(AttemptRecord attempt, double ran, double waited) {

  /** Returns the turns of a task, in order. */
  static List<Turn> of(PhaseTimes phase, int index) {
    TaskRecord task = phase.tasks().get(index);
    List<Turn> turns = new ArrayList<>();
    double until = 0;
    for (AttemptRecord attempt : task.attempts()) {
      double begin = Math.max(until, phase.secondsUntil(index, attempt.start()));
      double ended = phase.secondsUntil(index, end(attempt, phase, index));
      double end = Math.min(phase.seconds(index), ended);
      if (end > begin || (end == begin && succeeded(attempt))) {
        addWait(turns, begin - until);
        turns.add(new Turn(attempt, end - begin, 0));
        until = end;
      }
    }
    addWait(turns, phase.seconds(index) - until);
    return turns;
  }

  private static void addWait(List<Turn> turns, double seconds) {
    if (!turns.isEmpty()) {
      Turn last = turns.remove(turns.size() - 1);
      turns.add(new Turn(last.attempt, last.ran, seconds));
    }
  }

  /**
   * Returns when an attempt ended, or was no longer needed, since another one had succeeded. A
   * reduce may have succeeded before the time that counts, if it did not need the last map.
   */
  private static Instant end(AttemptRecord attempt, PhaseTimes phase, int index) {
    return phase.tasks().get(index).attempts().stream()
        .filter(other -> !succeeded(attempt) && succeeded(other))
        .map(AttemptRecord::finish)
        .filter(finish -> finish.isAfter(attempt.start()) && finish.isBefore(attempt.finish()))
        .filter(finish -> phase.secondsUntil(index, finish) > 0)
        .min(Comparator.naturalOrder())
        .orElse(attempt.finish());
  }

  private static boolean succeeded(AttemptRecord attempt) {
    return attempt.won() || attempt.outcome() == Outcome.OUTPUT_LOST;
  }

  /** Returns how long the turn was. */
  double seconds() {
    return ran + waited;
  }

  /** Returns how much longer the task took because of this turn, given what is usual. */
  double excess(double usual) {
    return attempt.won() ? ran - usual : seconds();
  }

  /** Returns what it cost that the output was lost: a slow attempt would have been slow anyway. */
  double lost(double usual) {
    return Math.min(ran, usual) + waited;
  }
}
