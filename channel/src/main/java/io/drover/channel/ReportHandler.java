// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * The scheduler, as the channel sees it. The RPC handler threads call it, several at a time; the
 * calls for one attempt come one at a time and in the order of its reports. No method may wait for
 * a lock of the scheduler, a disk or another machine. If a method throws, the caller gets the
 * status {@link ReportStatus#TROUBLE}.
 */
public interface ReportHandler {
  /**
   * Returns whether an application attempt is running here now. Every call asks this, because a
   * connection may outlive its token: the AppMaster of an attempt that is over may go on sending.
   * An attempt that has ended never runs again, so its session is removed, together with the number
   * of its last report.
   */
  boolean knows(ApplicationAttemptId attempt);

  /**
   * Takes a report. Each report comes once, and never after a later one. The sender has been
   * authenticated; of the contents only the ranges have been checked.
   */
  void onReport(ApplicationAttemptId attempt, Report report);

  /**
   * Returns the state of the cluster for an application attempt.
   *
   * @param machines the machines that it asks about, any names; empty for the worst machines
   */
  ClusterState state(ApplicationAttemptId attempt, List<String> machines);

  /** What happened to a report at the ResourceManager. */
  public enum ReportStatus {
    /** It was taken. */
    TAKEN,
    /** This report, or a later one, had been taken before, so it was ignored. */
    REPLAYED,
    /** It came too soon and was ignored. */
    WAIT,
    /** It is malformed and was discarded. */
    BAD,
    /** Its sender is not the attempt that it names, or that attempt is not running. */
    REFUSED,
    /** It was taken, but Drover failed while it processed it. */
    TROUBLE
  }
}
