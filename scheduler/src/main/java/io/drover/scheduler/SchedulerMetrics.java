// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.scheduler.clone.Clones;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All metrics of Drover's scheduler, in Hadoop's metrics system: JMX, its sinks, and {@code /prom}
 * where {@code hadoop.prometheus.endpoint.enabled} is set (there as {@code drover_scheduler_...}).
 */
@Metrics(about = "Drover's scheduler", context = "yarn")
public final class SchedulerMetrics {
  /** The name of the source. */
  public static final String NAME = "DroverScheduler";

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerMetrics.class);

  private final Clones clones;

  private SchedulerMetrics(Clones clones) {
    this.clones = clones;
  }

  /** Shows them. Those of a scheduler before this one in the same process are gone. */
  static void register(Clones clones) {
    unregister();
    try {
      DefaultMetricsSystem.instance()
          .register(NAME, "Drover's scheduler", new SchedulerMetrics(clones));
    } catch (MetricsException e) {
      LOG.warn("Drover's metrics are not shown", e);
    }
  }

  static void unregister() {
    DefaultMetricsSystem.instance().unregisterSource(NAME);
  }

  /** Clones that hold a container now. */
  @Metric({"ClonesRunning", "Clones that hold a container now"})
  public int clonesRunning() {
    return clones.running();
  }

  /** Containers that are asked for on behalf of clones and not given. */
  @Metric({"ClonesWanted", "Containers that are asked for on behalf of clones and not given"})
  public int clonesWanted() {
    return clones.wanted();
  }

  /** Memory that clones hold, in megabytes. */
  @Metric({"ClonesMemoryMB", "Memory that clones hold, in megabytes"})
  public long clonesMemory() {
    return clones.held().getMemorySize();
  }

  /** Clones that were given a container. */
  @Metric({"ClonesStarted", "Clones that were given a container"})
  public long clonesStarted() {
    return clones.started();
  }

  /** Clones killed because others were entitled to their room. */
  @Metric({"ClonesGaveWay", "Clones killed because others were entitled to their room"})
  public long clonesGaveWay() {
    return clones.gaveWay();
  }

  /** Clones killed because utilisation was above the ceiling. */
  @Metric({"ClonesAboveCeiling", "Clones killed because utilisation was above the ceiling"})
  public long clonesAboveCeiling() {
    return clones.aboveCeiling();
  }

  /** Offers of a node that were passed over for a clone. */
  @Metric({"ClonesRefused", "Offers of a node that were passed over for a clone"})
  public long clonesRefused() {
    return clones.refused();
  }

  /** 1 if clones were given up because of an error. */
  @Metric({"ClonesGivenUp", "1 if clones were given up because of an error, else 0"})
  public int clonesGivenUp() {
    return clones.isGivenUp() ? 1 : 0;
  }
}
