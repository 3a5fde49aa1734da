// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import io.drover.testbed.cluster.ClusterSpec;
import io.drover.testbed.cluster.DroverCluster;

/**
 * Settings of a ResourceManager under which several pairs of jobs run.
 *
 * @param droverScheduler whether the scheduler is Drover's; else it is Hadoop's, and what follows
 *     but for preemption says nothing
 * @param tau the ceiling of clones, a share of the cluster
 * @param clonesAllowed whether the user may run clones
 * @param channel whether AppMasters and the ResourceManager talk
 * @param preemption whether a second queue may take back its share, of a cluster with half the room
 */
record SoakCluster(
    boolean droverScheduler,
    double tau,
    boolean clonesAllowed,
    boolean channel,
    boolean preemption) {
  /** The second queue, where there is preemption. */
  static final String RIVALS_QUEUE = "rivals";

  private static final String CAPACITY = "yarn.scheduler.capacity.root.";
  private static final String PREEMPTION = "yarn.resourcemanager.monitor.capacity.preemption.";

  /** How it is started. */
  ClusterSpec.Builder builder() {
    ClusterSpec.Builder builder = DroverCluster.builder().containersPerHost(preemption ? 2 : 4);
    if (droverScheduler) {
      builder.droverScheduler();
      builder.daemonConf("yarn.drover.clone.max-utilisation", Double.toString(tau));
      builder.daemonConf("yarn.drover.clone.acl", clonesAllowed ? "*" : "nobody");
      if (!channel) {
        builder.daemonConf("yarn.drover.channel.address", "");
        builder.jobConf("yarn.drover.channel.address", "");
      }
    }
    if (preemption) {
      builder.daemonConf(CAPACITY + "queues", "default," + RIVALS_QUEUE);
      for (String queue : new String[] {"default", RIVALS_QUEUE}) {
        builder.daemonConf(CAPACITY + queue + ".capacity", "50");
        builder.daemonConf(CAPACITY + queue + ".maximum-capacity", "100");
        builder.daemonConf(CAPACITY + queue + ".user-limit-factor", "2");
      }
      builder.daemonConf("yarn.resourcemanager.scheduler.monitor.enable", "true");
      builder.daemonConf(PREEMPTION + "monitoring_interval", "1000");
      builder.daemonConf(PREEMPTION + "max_wait_before_kill", "2000");
      builder.daemonConf(PREEMPTION + "total_preemption_per_round", "1.0");
      builder.daemonConf(PREEMPTION + "natural_termination_factor", "1.0");
    }
    return builder;
  }

  /** In a few words, for tables. */
  String title() {
    String scheduler =
        droverScheduler
            ? "tau " + tau + (clonesAllowed ? "" : " no-acl") + (channel ? "" : " no-channel")
            : "stock-scheduler";
    return scheduler + (preemption ? " preemption" : "");
  }
}
