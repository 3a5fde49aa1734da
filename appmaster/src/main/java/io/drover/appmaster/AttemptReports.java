// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.clone.DelayAssignment;
import io.drover.speculator.ReportReader;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;

/**
 * Keeps the first and the last report of each running attempt. Used on the dispatcher thread only.
 * The speculator keeps its own model on its own thread. This class must answer at once, even if
 * restarts are off.
 */
final class AttemptReports {
  /** The first and the last report of an attempt; they are equal if it has reported once. */
  private record Reports(long first, double readFirst, long last, double read, float progress) {
    Reports with(Reports later) {
      return new Reports(first, readFirst, later.last, later.read, later.progress);
    }

    double end(long launched) {
      return first < last
          ? DelayAssignment.expectedEnd(first, readFirst, last, read)
          : DelayAssignment.expectedEnd(launched, 0, last, read);
    }
  }

  private final Map<TaskAttemptId, Reports> reports = new HashMap<>();

  /** Stores what an attempt has reported. */
  void onEvent(SpeculatorEvent event) {
    TaskAttemptStatus status = event.getReportedStatus();
    boolean isReport = event.getType() == Speculator.EventType.ATTEMPT_STATUS_UPDATE;
    if (isReport && status != null && status.id != null) {
      boolean isOfMap = status.id.getTaskId().getTaskType() == TaskType.MAP;
      double read = isOfMap ? ReportReader.inputRead(status) : 0;
      long now = event.getTimestamp();
      reports.merge(status.id, new Reports(now, read, now, read, status.progress), Reports::with);
    }
  }

  /** Forgets an attempt that has ended. */
  void ended(TaskAttemptId attempt) {
    reports.remove(attempt);
  }

  /**
   * Returns the last progress that an attempt reported, in [0,1]; 0 if it reported none. The job's
   * own figure is of no use, because Hadoop sets the progress of any attempt to 1 when it ends.
   */
  double progress(TaskAttemptId attempt) {
    Reports known = reports.get(attempt);
    return known == null ? 0 : Math.min(1, Math.max(0, known.progress));
  }

  /**
   * Returns how long an attempt still needs if it goes on as until its last report.
   *
   * @param launched when it was launched, milliseconds on the AppMaster's clock
   * @return seconds; NaN if it has reported no progress
   */
  double remaining(TaskAttemptId attempt, long launched, long now) {
    Reports known = reports.get(attempt);
    double progress = progress(attempt);
    return known == null || progress == 0
        ? Double.NaN
        : ((1 - progress) / progress * (known.last - launched) - (now - known.last)) / 1e3;
  }

  /**
   * Returns when an attempt of a map is expected to end. If it has not reported, that is when it
   * has run as long as the first one.
   *
   * @param first another attempt of the task, which has succeeded
   * @return milliseconds on the AppMaster's clock; infinite if it does not run or stands still
   */
  double expectedEnd(TaskAttempt sibling, TaskAttempt first) {
    return switch (sibling.getState()) {
      case SUCCEEDED -> 0; // its task has not heard of it yet
      case RUNNING -> {
        Reports known = reports.get(sibling.getID());
        long launched = sibling.getLaunchTime();
        long firstTook = first.getFinishTime() - first.getLaunchTime();
        yield known == null ? launched + (double) firstTook : known.end(launched);
      }
      default -> Double.POSITIVE_INFINITY; // not launched, or waiting to commit, which it may not
    };
  }
}
