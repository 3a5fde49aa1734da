// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * The scheduler, as the channel knows it. Called by the threads that take reports, several at a
 * time, but for one attempt one at a time and in the order of its reports. None of it may wait: for
 * a lock of the scheduler's, a disk, another machine. What it throws becomes the status {@link
 * ReportStatus#TROUBLE}.
 */
public interface ReportHandler {
  /**
   * Whether an application attempt runs here now. Asked in every call: a connection lives longer
   * than the token that opened it, so the AppMaster of an attempt that is over may go on talking.
   * One that ran and does not any more never runs again: its session, with the number of its last
   * report, is forgotten.
   */
  boolean knows(ApplicationAttemptId attempt);

  /**
   * Takes in a report: each once, none after a later one. Who speaks is certain; what is said has
   * been checked for its ranges only.
   */
  void onReport(ApplicationAttemptId attempt, Report report);

  /**
   * What an application attempt is to know of the cluster.
   *
   * @param machines that it asks about, any names; none for the worst ones
   */
  ClusterState state(ApplicationAttemptId attempt, List<String> machines);

  /** What became of a report at the ResourceManager. */
  public enum ReportStatus {
    /** It was taken. */
    TAKEN,
    /** It, or a later one, had been taken before; it was ignored. */
    REPLAYED,
    /** It came too soon and was ignored. */
    WAIT,
    /** It is malformed and was discarded. */
    BAD,
    /** Its sender is not the attempt that it names, or that attempt does not run. */
    REFUSED,
    /** It was taken, but Drover failed while it processed it. */
    TROUBLE
  }
}
