// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.FailurePredictor.Turned;
import io.drover.scheduler.clone.CloneManager;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the metrics of Drover's scheduler in Hadoop's metrics system: in JMX, in its sinks and,
 * if {@code hadoop.prometheus.endpoint.enabled} is set, under {@code /prom} as {@code
 * drover_scheduler_...}.
 */
@Metrics(about = "Drover's scheduler", context = "yarn")
public final class SchedulerMetrics implements MetricsSource {
  /** The name of the metrics source. */
  public static final String NAME = "DroverScheduler";

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerMetrics.class);

  /** Hadoop finds this field by its type and adds the annotated methods to it. */
  private final MetricsRegistry registry =
      new MetricsRegistry(Interns.info(NAME, "Drover's scheduler"));

  private final DroverCapacityScheduler scheduler;
  private final CloneManager clones;

  private SchedulerMetrics(DroverCapacityScheduler scheduler) {
    this.scheduler = scheduler;
    this.clones = scheduler.clones();
  }

  /** Registers the metrics of a scheduler, in place of those of an earlier one in this process. */
  static void register(DroverCapacityScheduler scheduler) {
    unregister();
    try {
      DefaultMetricsSystem.instance()
          .register(NAME, "Drover's scheduler", new SchedulerMetrics(scheduler));
    } catch (MetricsException e) {
      LOG.warn("Drover's metrics cannot be registered", e);
    }
  }

  static void unregister() {
    DefaultMetricsSystem.instance().unregisterSource(NAME);
  }

  /** Returns how many clones hold a container now. */
  @Metric({"ClonesRunning", "Clones that hold a container now"})
  public int clonesRunning() {
    return clones.running();
  }

  /** Returns how many containers are requested for clones and not given. */
  @Metric({"ClonesWanted", "Containers requested for clones and not allocated yet"})
  public int clonesWanted() {
    return clones.wanted();
  }

  /** Returns the memory that clones hold, in megabytes. */
  @Metric({"ClonesMemoryMB", "Memory that clones hold, in megabytes"})
  public long clonesMemory() {
    return clones.held().getMemorySize();
  }

  /** Returns how many clones were given a container. */
  @Metric({"ClonesStarted", "Clones that got a container"})
  public long clonesStarted() {
    return clones.started();
  }

  /** Returns how many clones were killed because others were entitled to their room. */
  @Metric({"ClonesGaveWay", "Clones killed because others were entitled to their room"})
  public long clonesGaveWay() {
    return clones.gaveWay();
  }

  /** Returns how many clones were killed because utilisation was above the ceiling. */
  @Metric({"ClonesAboveCeiling", "Clones killed because utilisation was above the ceiling"})
  public long clonesAboveCeiling() {
    return clones.aboveCeiling();
  }

  /** Returns how often a clone was refused a node that the scheduler offered. */
  @Metric({"ClonesRefused", "How often a clone was refused a node that the scheduler offered"})
  public long clonesRefused() {
    return clones.refused();
  }

  /** Returns how many parts, and how many partitions for clones, errors have switched off. */
  @Metric({
    "BreakersOpen",
    "Parts of Drover, and partitions for clones, that errors have switched off"
  })
  public int breakersOpen() {
    long parts = scheduler.breakers().values().stream().filter(CircuitBreaker::isOpen).count();
    return (int) parts + clones.partitionsOff();
  }

  /** Returns 1 if errors have switched clones off in at least one partition, otherwise 0. */
  @Metric({"ClonesOff", "1 if errors have switched clones off in at least one partition, else 0"})
  public int clonesOff() {
    return clones.isOff() || clones.partitionsOff() > 0 ? 1 : 0;
  }

  /** Returns how many steps of cloning have failed. */
  @Metric({"ClonesFailures", "Steps of cloning that failed and were skipped"})
  public long clonesFailures() {
    return clones.breaker().failures();
  }

  /** Returns 1 if errors have switched learning off, otherwise 0. */
  @Metric({"LearningOff", "1 if errors have switched learning off for now, else 0"})
  public int learningOff() {
    return scheduler.statistics().breaker().isOpen() ? 1 : 0;
  }

  /** Returns how many steps of learning have failed. */
  @Metric({"LearningFailures", "Steps of learning that failed and were skipped"})
  public long learningFailures() {
    return scheduler.statistics().breaker().failures();
  }

  /** Returns how many reads and writes of what was learnt have failed. */
  @Metric({"KeepingFailures", "Failed reads and writes of the machine statistics"})
  public long keepingFailures() {
    return scheduler.statistics().keeping().failures();
  }

  /** Returns how many reports were dropped. */
  @Metric({
    "ReportsDropped",
    "Reports dropped: their sender sent too many, or errors had switched learning off"
  })
  public long reportsDropped() {
    return scheduler.statistics().dropped();
  }

  /** Returns how many running applications are called failing. */
  @Metric({"JobsCalledFailing", "Running applications that are called failing"})
  public int jobsCalledFailing() {
    return scheduler.prediction().status().failing().size();
  }

  /** Returns how many applications were called failing and did so. */
  @Metric({"JobsFailedAsCalled", "Applications that were called failing, and failed"})
  public long jobsFailedAsCalled() {
    return turned(Turned.FAILED_AS_CALLED);
  }

  /** Returns how many applications were called failing and did not fail. */
  @Metric({"JobsCalledWrongly", "Applications that were called failing, and did not fail"})
  public long jobsCalledWrongly() {
    return turned(Turned.CALLED_WRONGLY);
  }

  /** Returns how many applications failed that were not called failing. */
  @Metric({"JobsMissed", "Applications that failed, and were not called failing"})
  public long jobsMissed() {
    return turned(Turned.MISSED);
  }

  /** Returns how many applications were ended because they were called failing. */
  @Metric({"JobsEnded", "Applications that were ended because they were called failing"})
  public long jobsEnded() {
    return turned(Turned.ENDED);
  }

  private long turned(Turned how) {
    return scheduler.prediction().status().turned().getOrDefault(how, 0L);
  }

  /** Returns 1 if no application is ended because too many good ones would be, otherwise 0. */
  @Metric({"EndingStopped", "1 if none is ended because too many good ones would be, else 0"})
  public int endingStopped() {
    return scheduler.prediction().status().isStopped() ? 1 : 0;
  }

  /** Returns how many steps of prediction have failed. */
  @Metric({"PredictingFailures", "Steps of prediction that failed and were skipped"})
  public long predictingFailures() {
    return scheduler.prediction().breaker().failures();
  }

  /** Returns how many machines get no new containers because they are in quarantine. */
  @Metric({"MachinesQuarantined", "Machines that get no new containers: they are in quarantine"})
  public int machinesQuarantined() {
    return scheduler.statistics().quarantine().closed();
  }

  /** Returns how often the statistics have quarantined a machine, or would have. */
  @Metric({
    "QuarantinesFound",
    "Quarantines because of the statistics, those only observed included"
  })
  public long quarantinesFound() {
    return scheduler.statistics().quarantine().begun();
  }

  /** Returns how many steps of the quarantine have failed. */
  @Metric({"QuarantineFailures", "Steps of the quarantine that failed and were skipped"})
  public long quarantineFailures() {
    return scheduler.statistics().quarantine().breaker().failures();
  }

  /** Returns 1 if the settings that were read last cannot be used, otherwise 0. */
  @Metric({"SettingsBad", "1 if the settings that were read last are invalid, else 0"})
  public int settingsBad() {
    return scheduler.complaint().isPresent() ? 1 : 0;
  }

  /** Returns how often settings were read that cannot be used. */
  @Metric({"SettingsRefused", "How often the settings that were read were invalid"})
  public long settingsRefused() {
    return scheduler.refusedSettings();
  }

  /** Adds the failures of each kind of exception. The kinds are not known in advance. */
  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    registry.snapshot(record, all);
    scheduler
        .breakers()
        .forEach(
            (feature, breaker) ->
                breaker
                    .failuresByKind()
                    .forEach(
                        (kind, count) ->
                            record.addCounter(
                                Interns.info(
                                    feature + kind, feature + ": steps that threw " + kind),
                                count)));
  }
}
