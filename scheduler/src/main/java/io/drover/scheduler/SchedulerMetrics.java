// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.FailurePredictor.Turned;
import io.drover.scheduler.clone.CloneManager;
import io.drover.scheduler.evidence.SlowNodes;
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
  @Metric(
      value = {"ClonesStarted", "Clones that got a container"},
      type = Metric.Type.COUNTER)
  public long clonesStarted() {
    return clones.started();
  }

  /** Returns how many clones were killed because others were entitled to their room. */
  @Metric(
      value = {"ClonesGaveWay", "Clones killed because others were entitled to their room"},
      type = Metric.Type.COUNTER)
  public long clonesGaveWay() {
    return clones.gaveWay();
  }

  /** Returns how many clones were killed because utilisation was above the ceiling. */
  @Metric(
      value = {"ClonesAboveCeiling", "Clones killed because utilisation was above the ceiling"},
      type = Metric.Type.COUNTER)
  public long clonesAboveCeiling() {
    return clones.aboveCeiling();
  }

  /** Returns how often a clone was refused a node that the scheduler offered. */
  @Metric(
      value = {"ClonesRefused", "How often a clone was refused a node that the scheduler offered"},
      type = Metric.Type.COUNTER)
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
  @Metric(
      value = {"ClonesFailures", "Steps of cloning that failed and were skipped"},
      type = Metric.Type.COUNTER)
  public long clonesFailures() {
    return clones.breaker().failures();
  }

  /** Returns 1 if errors have switched learning off, otherwise 0. */
  @Metric({"LearningOff", "1 if errors have switched learning off for now, else 0"})
  public int learningOff() {
    return scheduler.statistics().breaker().isOpen() ? 1 : 0;
  }

  /** Returns how many steps of learning have failed. */
  @Metric(
      value = {"LearningFailures", "Steps of learning that failed and were skipped"},
      type = Metric.Type.COUNTER)
  public long learningFailures() {
    return scheduler.statistics().breaker().failures();
  }

  /** Returns how many reads and writes of what was learnt have failed. */
  @Metric(
      value = {"KeepingFailures", "Failed reads and writes of the machine statistics"},
      type = Metric.Type.COUNTER)
  public long keepingFailures() {
    return scheduler.statistics().keeping().failures();
  }

  /** Returns how many reports were dropped. */
  @Metric(
      value = {
        "ReportsDropped",
        "Reports dropped: their sender sent too many, or errors had switched learning off"
      },
      type = Metric.Type.COUNTER)
  public long reportsDropped() {
    return scheduler.statistics().dropped();
  }

  /** Returns how many running jobs report. */
  @Metric({"JobsReporting", "Running jobs whose AppMasters have reported"})
  public int jobsReporting() {
    return scheduler.reporting();
  }

  /** Returns 1 if the port for reports cannot be opened, otherwise 0. */
  @Metric({"ChannelOff", "1 if the port for reports cannot be opened for now, else 0"})
  public int channelOff() {
    return scheduler.isChannelClosed() ? 1 : 0;
  }

  /** Returns how many reports were taken. */
  @Metric(
      value = {"ReportsTaken", "Reports of AppMasters that were taken"},
      type = Metric.Type.COUNTER)
  public long reportsTaken() {
    return scheduler.reports(ReportStatus.TAKEN);
  }

  /** Returns how many reports were malformed. */
  @Metric(
      value = {"ReportsMalformed", "Reports that could not be read, and were discarded"},
      type = Metric.Type.COUNTER)
  public long reportsMalformed() {
    return scheduler.reports(ReportStatus.BAD);
  }

  /** Returns how many reports came from senders that may not report. */
  @Metric(
      value = {
        "ReportsRefused",
        "Reports of senders that are not the attempt they name, or not running"
      },
      type = Metric.Type.COUNTER)
  public long reportsRefused() {
    return scheduler.reports(ReportStatus.REFUSED);
  }

  /** Returns how many reports were taken, but not processed because of an error. */
  @Metric(
      value = {"ReportsFailed", "Reports that Drover failed to process"},
      type = Metric.Type.COUNTER)
  public long reportsFailed() {
    return scheduler.reports(ReportStatus.TROUBLE);
  }

  /** Returns how many reports contained sums of actions that cannot be. */
  @Metric(
      value = {
        "ActionsRefused",
        "Reports whose sums of actions had fallen, or were too large to be true"
      },
      type = Metric.Type.COUNTER)
  public long actionsRefused() {
    return scheduler.statistics().actionsRefused();
  }

  /** Returns how many steps of adding up the actions of jobs have failed. */
  @Metric(
      value = {"CountingFailures", "Steps of adding up the actions of jobs that failed"},
      type = Metric.Type.COUNTER)
  public long countingFailures() {
    return scheduler.statistics().counting().failures();
  }

  /** Returns how many machines are slow for all users. */
  @Metric({"MachinesSlow", "Machines on which outliers are far more likely than elsewhere"})
  public int machinesSlow() {
    return scheduler.statistics().view().slowMachines();
  }

  /** Returns how many running applications are called failing. */
  @Metric({"JobsCalledFailing", "Running applications that are called failing"})
  public int jobsCalledFailing() {
    return scheduler.prediction().status().failing().size();
  }

  /** Returns how many applications were called failing and did so. */
  @Metric(
      value = {"JobsFailedAsCalled", "Applications that were called failing, and failed"},
      type = Metric.Type.COUNTER)
  public long jobsFailedAsCalled() {
    return turned(Turned.FAILED_AS_CALLED);
  }

  /** Returns how many applications were called failing and did not fail. */
  @Metric(
      value = {"JobsCalledWrongly", "Applications that were called failing, and did not fail"},
      type = Metric.Type.COUNTER)
  public long jobsCalledWrongly() {
    return turned(Turned.CALLED_WRONGLY);
  }

  /** Returns how many applications failed that were not called failing. */
  @Metric(
      value = {"JobsMissed", "Applications that failed, and were not called failing"},
      type = Metric.Type.COUNTER)
  public long jobsMissed() {
    return turned(Turned.MISSED);
  }

  /** Returns how many applications were ended because they were called failing. */
  @Metric(
      value = {"JobsEnded", "Applications that were ended because they were called failing"},
      type = Metric.Type.COUNTER)
  public long jobsEnded() {
    return turned(Turned.ENDED);
  }

  private long turned(Turned how) {
    return scheduler.prediction().status().turned().getOrDefault(how, 0L);
  }

  /** Returns 1 if no application is ended because too many good ones would be, otherwise 0. */
  @Metric({"EndingStopped", "1 if none is ended because too many good ones would be, else 0"})
  public int endingStopped() {
    return scheduler.prediction().status().isEndingStopped() ? 1 : 0;
  }

  /** Returns how many steps of prediction have failed. */
  @Metric(
      value = {"PredictingFailures", "Steps of prediction that failed and were skipped"},
      type = Metric.Type.COUNTER)
  public long predictingFailures() {
    return scheduler.prediction().breaker().failures();
  }

  /** Returns how many reads and writes of jobs that have ended have failed. */
  @Metric(
      value = {"KeepingJobsFailures", "Failed reads and writes of jobs that have ended"},
      type = Metric.Type.COUNTER)
  public long keepingJobsFailures() {
    return scheduler.prediction().keeping().failures();
  }

  /** Returns how many machines get no new containers because they are in quarantine. */
  @Metric({"MachinesQuarantined", "Machines that get no new containers: they are in quarantine"})
  public int machinesQuarantined() {
    return scheduler.statistics().quarantine().closed();
  }

  /** Returns how often the statistics have quarantined a machine, or would have. */
  @Metric(
      value = {
        "QuarantinesFound",
        "Quarantines because of the statistics, those only observed included"
      },
      type = Metric.Type.COUNTER)
  public long quarantinesFound() {
    return scheduler.statistics().quarantine().begun();
  }

  /** Returns how many steps of the quarantine have failed. */
  @Metric(
      value = {"QuarantineFailures", "Steps of the quarantine that failed and were skipped"},
      type = Metric.Type.COUNTER)
  public long quarantineFailures() {
    return scheduler.statistics().quarantine().breaker().failures();
  }

  /** Returns how many machines operators or HDFS call slow. */
  @Metric({"MachinesCalledSlow", "Machines that operators or HDFS call slow"})
  public int machinesCalledSlow() {
    return scheduler.statistics().calledSlow().size();
  }

  /** Returns how often a request passed machines over that others call slow, or would have. */
  @Metric(
      value = {
        "SlowNodeWaits",
        "Times that a request began to wait for a machine that is not called slow"
      },
      type = Metric.Type.COUNTER)
  public long slowNodeWaits() {
    return scheduler.statistics().slowNodeOffers().waits();
  }

  /** Returns how often slow machines could not be asked for, or not be offered last. */
  @Metric(
      value = {"SlowNodesFailures", "Failed steps about machines that others call slow"},
      type = Metric.Type.COUNTER)
  public long slowNodesFailures() {
    SlowNodes slow = scheduler.statistics().slowNodes();
    return slow.fileBreaker().failures()
        + slow.hdfsBreaker().failures()
        + scheduler.statistics().slowNodeOffers().breaker().failures();
  }

  /** Returns 1 if the settings that were read last cannot be used, otherwise 0. */
  @Metric({"SettingsBad", "1 if the settings that were read last are invalid, else 0"})
  public int settingsBad() {
    return scheduler.complaint().isPresent() ? 1 : 0;
  }

  /** Returns how often settings were read that cannot be used. */
  @Metric(
      value = {"SettingsRefused", "How often the settings that were read were invalid"},
      type = Metric.Type.COUNTER)
  public long settingsRefused() {
    return scheduler.refusedSettings();
  }

  /** Returns what the names of the metrics about actions of a kind begin with. */
  public static String prefix(ActionKind kind) {
    return switch (kind) {
      case COPY -> "Copies";
      case RESTART -> "Restarts";
      case CLONE -> "Clones";
      case RECOMPUTATION -> "Recomputations";
      case REPLICA -> "Replicas";
    };
  }

  /** Adds five counters for each kind of action, summed over jobs. */
  private void addActions(MetricsRecordBuilder record) {
    for (ActionKind kind : ActionKind.values()) {
      ActionTotals totals = scheduler.statistics().actions(kind);
      add(record, kind, "Launched", "that jobs have launched", totals.launched());
      add(record, kind, "Won", "that made a task sooner done", totals.won());
      add(record, kind, "Lost", "that were in vain", totals.lost());
      add(record, kind, "SecondsWasted", "container seconds", totals.wastedMillis() / 1_000);
      add(record, kind, "SecondsSaved", "task seconds, estimated", totals.savedMillis() / 1_000);
    }
  }

  private static void add(
      MetricsRecordBuilder record, ActionKind kind, String figure, String what, long value) {
    String prefix = prefix(kind);
    record.addCounter(Interns.info(prefix + figure, prefix + ": " + what), value);
  }

  /**
   * Adds the actions of jobs, and the failures of each kind of exception, of which the kinds are
   * not known in advance.
   */
  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    registry.snapshot(record, all);
    addActions(record);
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
