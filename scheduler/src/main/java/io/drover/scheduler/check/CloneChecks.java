// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/** Finds the settings of clones under which they never run, or run unseen. */
final class CloneChecks {
  private static final String MAPREDUCE = "MAPREDUCE";

  /** The preemption policy's interval should be so many rounds: docs/configuration.md. */
  private static final int ROUNDS_PER_INTERVAL = 3;

  /** A ceiling from here on leaves ordinary requests hardly any room that is free at once. */
  private static final double HIGH_CEILING = 0.95;

  private final Configuration conf;
  private final ClusterSettings settings;

  CloneChecks(Configuration conf, ClusterSettings settings) {
    this.conf = conf;
    this.settings = settings;
  }

  Checks all() {
    Checks checks = new Checks();
    return settings.cloneMode() == Mode.OFF
        ? checks
        : checks
            .add("rm.application-types", this::applicationTypes)
            .add("rm.hysteresis", this::hysteresis)
            .add("rm.ceiling", this::ceiling)
            .add("rm.round", this::round);
  }

  private void applicationTypes(Consumer<Finding> found) {
    String key = ClusterSettings.CLONE_APPLICATION_TYPES.key();
    if (!settings.cloneApplicationTypes().contains(MAPREDUCE)) {
      found.accept(
          Finding.wrong(
              "rm.application-types",
              key
                  + " is "
                  + String.join(",", settings.cloneApplicationTypes())
                  + ": clones of MapReduce jobs are scheduled like anything else, with no ceiling,"
                  + " and give way to nobody",
              "Add " + MAPREDUCE,
              key));
    }
  }

  /** {@code CloneCeiling} opens at tau - hysteresis, at which there is nothing in use here. */
  private void hysteresis(Consumer<Finding> found) {
    if (settings.hysteresis() >= settings.maxUtilisation()) {
      found.accept(
          Finding.wrong(
              "rm.hysteresis",
              String.format(
                  "%s is %s and %s is %s: after a clone has been killed none is admitted until"
                      + " nothing is in use",
                  ClusterSettings.HYSTERESIS.key(),
                  settings.hysteresis(),
                  ClusterSettings.MAX_UTILISATION.key(),
                  settings.maxUtilisation()),
              "Set the first to 0.05, its default",
              ClusterSettings.HYSTERESIS.key(),
              ClusterSettings.MAX_UTILISATION.key()));
    }
  }

  private void ceiling(Consumer<Finding> found) {
    String key = ClusterSettings.MAX_UTILISATION.key();
    if (settings.maxUtilisation() >= HIGH_CEILING) {
      found.accept(
          Finding.warn(
              "rm.ceiling",
              key
                  + " is "
                  + settings.maxUtilisation()
                  + ": clones fill the cluster, and ordinary requests wait until some are killed",
              "Set it to 0.7, its default, or at most 0.9",
              key));
    }
  }

  private void round(Consumer<Finding> found) {
    String monitor = YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS;
    String key = CapacitySchedulerConfiguration.PREEMPTION_MONITORING_INTERVAL;
    long interval =
        conf.getLong(key, CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_MONITORING_INTERVAL);
    Duration round = settings.round();
    boolean preempts =
        conf.getBoolean(monitor, YarnConfiguration.DEFAULT_RM_SCHEDULER_ENABLE_MONITORS);
    if (preempts && interval < ROUNDS_PER_INTERVAL * round.toMillis()) {
      found.accept(
          Finding.warn(
              "rm.round",
              String.format(
                  "%s is %d and %s is %d ms: Hadoop may preempt containers before clones have"
                      + " given way",
                  key, interval, ClusterSettings.ROUND.key(), round.toMillis()),
              "Make the first several times as long; the defaults are 3000 and 250ms",
              key,
              ClusterSettings.ROUND.key()));
    }
  }
}
