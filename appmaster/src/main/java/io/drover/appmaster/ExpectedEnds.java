// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.clone.DelayAssignment;
import io.drover.speculator.ReportReader;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;

/** When running attempts of maps are expected to end; on the dispatcher thread only. */
final class ExpectedEnds {
  /** The first and the last report of an attempt; they are one if it has reported once. */
  private record Reports(long first, double doneFirst, long last, double done) {
    Reports with(Reports later) {
      return new Reports(first, doneFirst, later.last, later.done);
    }

    double end(long launched) {
      return first < last
          ? DelayAssignment.expectedEnd(first, doneFirst, last, done)
          : DelayAssignment.expectedEnd(launched, 0, last, done);
    }
  }

  private final Map<TaskAttemptId, Reports> reports = new HashMap<>();

  /**
   * Takes in a report, if it is one of a map.
   *
   * @param counts whether the attempts that report are of interest
   */
  void onEvent(SpeculatorEvent event, Predicate<TaskAttemptId> counts) {
    TaskAttemptStatus status = event.getReportedStatus();
    boolean isOfMap =
        event.getType() == Speculator.EventType.ATTEMPT_STATUS_UPDATE
            && status.id != null
            && status.id.getTaskId().getTaskType() == TaskType.MAP;
    if (isOfMap && counts.test(status.id)) {
      double done = ReportReader.inputRead(status);
      Reports now = new Reports(event.getTimestamp(), done, event.getTimestamp(), done);
      reports.merge(status.id, now, Reports::with);
    }
  }

  /**
   * When an attempt is expected to end: without a report, when it has run for as long as the first.
   *
   * @param first another attempt of the task, which has succeeded
   * @return milliseconds on the AppMaster's clock; infinite if it is not running
   */
  double of(TaskAttempt sibling, TaskAttempt first) {
    return switch (sibling.getState()) {
      case SUCCEEDED -> 0; // its task is yet to hear of it
      case RUNNING -> {
        Reports known = reports.get(sibling.getID());
        long launched = sibling.getLaunchTime();
        long firstTook = first.getFinishTime() - first.getLaunchTime();
        yield known == null ? launched + (double) firstTook : known.end(launched);
      }
      default -> Double.POSITIVE_INFINITY; // not launched, or it wants to commit, and cannot
    };
  }
}
