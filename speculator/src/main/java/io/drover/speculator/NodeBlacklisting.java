// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * The job's settings for blacklisting nodes. Drover obeys them when it avoids slow machines.
 *
 * <p>Hadoop's AppMaster blacklists a node after a number of failed attempts there ({@code
 * mapreduce.job.maxtaskfailures.per.tracker}). It ignores its whole blacklist once that holds a
 * certain share of the nodes ({@code
 * yarn.app.mapreduce.am.job.node-blacklisting.ignore-threshold-node-percent}). Machines that are
 * only slow must never cause that, because the job would then use nodes again on which attempts
 * fail. So Drover avoids less than a third of the nodes, or less than that share if it is smaller.
 *
 * @param isOn whether the job allows nodes to be avoided
 * @param failures the number of failures after which Hadoop blacklists a node
 * @param ignoredFromPercent the share of the nodes at which Hadoop ignores its blacklist; if
 *     negative, it never does
 */
public record NodeBlacklisting(boolean isOn, int failures, int ignoredFromPercent) {
  /** The default in mapred-default.xml. */
  private static final int DEFAULT_FAILURES = 3;

  /** If a job tolerates more failures than this on a node, Drover does not avoid slow nodes. */
  private static final int MOST_FAILURES = 20;

  /** The default of Hadoop's threshold, percent. */
  private static final int LARGEST_SHARE = 33;

  /** Reads the settings from the configuration of a job. */
  public static NodeBlacklisting of(Configuration conf) {
    return new NodeBlacklisting(
        conf.getBoolean(MRJobConfig.MR_AM_JOB_NODE_BLACKLISTING_ENABLE, true),
        conf.getInt(MRJobConfig.MAX_TASK_FAILURES_PER_TRACKER, DEFAULT_FAILURES),
        conf.getInt(
            MRJobConfig.MR_AM_IGNORE_BLACKLISTING_BLACKLISTED_NODE_PERECENT,
            MRJobConfig.DEFAULT_MR_AM_IGNORE_BLACKLISTING_BLACKLISTED_NODE_PERCENT));
  }

  /**
   * Returns whether one more machine may be avoided.
   *
   * @param avoided how many machines are avoided already
   * @param nodes how many nodes the cluster has, or a lower bound
   */
  public boolean allowsOneMore(int avoided, int nodes) {
    int share =
        ignoredFromPercent < 0 ? LARGEST_SHARE : Math.min(LARGEST_SHARE, ignoredFromPercent);
    return isOn
        && failures >= 1
        && failures <= MOST_FAILURES
        && 100L * (avoided + 1) < (long) share * nodes;
  }
}
