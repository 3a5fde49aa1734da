// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * The job's settings for blacklisting nodes, which bind Drover where it avoids slow machines.
 *
 * <p>Hadoop's AppMaster blacklists a node after so many failures of attempts there ({@code
 * mapreduce.job.maxtaskfailures.per.tracker}), and ignores its whole blacklist once that holds a
 * share of the nodes ({@code
 * yarn.app.mapreduce.am.job.node-blacklisting.ignore-threshold-node-percent}). Machines that are
 * only slow must never bring that about: nodes on which attempts fail would come back. So Drover
 * keeps away from less than a third of the nodes, or less than that share if it is smaller.
 *
 * @param isOn whether the job lets any node be avoided
 * @param failures after which Hadoop blacklists a node
 * @param ignoredFromPercent the share of the nodes from which Hadoop ignores its blacklist; -1: it
 *     never does
 */
public record NodeBlacklisting(boolean isOn, int failures, int ignoredFromPercent) {
  /** As mapred-default.xml has it. */
  private static final int DEFAULT_FAILURES = 3;

  /** A job that wants more failures than these does not want a node to be avoided for slowness. */
  private static final int MOST_FAILURES = 20;

  /** The default of Hadoop's threshold. */
  private static final int LARGEST_SHARE = 33;

  /** What the configuration of a job says. */
  public static NodeBlacklisting of(Configuration conf) {
    return new NodeBlacklisting(
        conf.getBoolean(MRJobConfig.MR_AM_JOB_NODE_BLACKLISTING_ENABLE, true),
        conf.getInt(MRJobConfig.MAX_TASK_FAILURES_PER_TRACKER, DEFAULT_FAILURES),
        conf.getInt(
            MRJobConfig.MR_AM_IGNORE_BLACKLISTING_BLACKLISTED_NODE_PERECENT,
            MRJobConfig.DEFAULT_MR_AM_IGNORE_BLACKLISTING_BLACKLISTED_NODE_PERCENT));
  }

  /**
   * Whether one more machine may be avoided.
   *
   * @param avoided how many are already
   * @param nodes how many the cluster has, or at least
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
