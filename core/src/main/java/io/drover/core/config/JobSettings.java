// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.clone.CloneSettings;
import io.drover.core.clone.DelayAssignment;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.protect.ProtectSettings;
import io.drover.core.restart.RestartSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The settings of one job, which are those under {@value #PREFIX}. The settings of restarts,
 * clones, placement, protection, outputs and samples are declared in separate classes. Those of
 * samples are not read here, because a job with a bad one must fail and must not run without
 * Drover.
 */
public final class JobSettings {
  /** The prefix of a job's keys. */
  public static final String PREFIX = "mapreduce.drover.";

  /** Whether starting the largest tasks first is off, observed or on. */
  public static final Setting<Mode> ORDER_MODE =
      Setting.mode(
          PREFIX + "order.mode",
          Mode.ON,
          "Whether Drover's AppMaster starts the tasks with the most data first (Mantri"
              + " section 5.4). off: tasks start in the order of their numbers; observe: they do"
              + " so too, and the AppMaster's log says what would have been different.");

  /** Whether keeping the attempts of a task on different nodes is off, observed or on. */
  public static final Setting<Mode> ANTI_AFFINITY_MODE =
      Setting.mode(
          PREFIX + "anti-affinity.mode",
          Mode.ON,
          "Whether Drover's AppMaster keeps the attempts of one task on different nodes,"
              + " and away from a node from which the task was moved. off: an attempt takes any"
              + " container; observe: it does so too, and the AppMaster's log says which"
              + " containers would have been sent back.");

  /** How long an attempt waits for another node. */
  public static final Setting<Duration> ANTI_AFFINITY_PATIENCE =
      Setting.duration(
          PREFIX + "anti-affinity.patience",
          "10s",
          Duration.ZERO,
          Duration.ofMinutes(10),
          "How long an attempt waits for another node. Then it takes a node on which"
              + " another attempt of its task runs, or from which its task was moved.");

  /** The directory to which the decision log is copied. */
  public static final Setting<String> DECISION_LOG_DIR =
      Setting.text(
          PREFIX + "decision-log.dir",
          "",
          "a directory on any Hadoop file system",
          "The directory to which the decision log is copied when the job ends, under the"
              + " job's id and .jsonl. Without it, the log is among the logs of the AppMaster's"
              + " container only.");

  /** Whether every report is logged. */
  public static final Setting<Boolean> DECISION_LOG_REPORTS =
      Setting.flag(
          PREFIX + "decision-log.reports",
          false,
          "Whether every progress report is written to the decision log as well. That"
              + " makes it large; it is meant for benchmarks of the estimators.");

  /** All settings of a job. */
  public static final List<Setting<?>> ALL =
      Stream.of(
              RestartKeys.ALL,
              List.of(ORDER_MODE, ANTI_AFFINITY_MODE, ANTI_AFFINITY_PATIENCE),
              CloneKeys.ALL,
              PlacementSettings.ALL,
              ProtectKeys.ALL,
              SampleSettings.ALL,
              List.of(DECISION_LOG_DIR, DECISION_LOG_REPORTS))
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private final Mode restartMode;
  private final EstimatorSettings estimator;
  private final RestartSettings restart;
  private final int maxMoves;
  private final int slowMachineOutliers;
  private final OutputSettings outputs;
  private final Mode orderMode;
  private final Mode antiAffinityMode;
  private final Duration antiAffinityPatience;
  private final Mode cloneMode;
  private final CloneSettings clones;
  private final DelayAssignment copyWait;
  private final Mode placementMode;
  private final PlacementSettings placement;
  private final Mode protectMode;
  private final ProtectSettings protect;
  private final String decisionLogDir;
  private final boolean logReports;

  private JobSettings(UnaryOperator<String> conf, Duration reportInterval)
      throws BadSettingException {
    restartMode = RestartKeys.MODE.read(conf);
    estimator = RestartKeys.estimator(conf, reportInterval);
    restart = RestartKeys.restart(conf);
    maxMoves = RestartKeys.MAX_MOVES.read(conf);
    slowMachineOutliers = RestartKeys.SLOW_MACHINE_OUTLIERS.read(conf);
    outputs = OutputSettings.read(conf);
    orderMode = ORDER_MODE.read(conf);
    antiAffinityMode = ANTI_AFFINITY_MODE.read(conf);
    antiAffinityPatience = ANTI_AFFINITY_PATIENCE.read(conf);
    cloneMode = CloneKeys.MODE.read(conf);
    clones = CloneKeys.clones(conf);
    copyWait = CloneKeys.copyWait(conf);
    placementMode = PlacementSettings.MODE.read(conf);
    placement = PlacementSettings.read(conf);
    protectMode = ProtectKeys.MODE.read(conf);
    protect = ProtectKeys.read(conf);
    decisionLogDir = DECISION_LOG_DIR.read(conf);
    logReports = DECISION_LOG_REPORTS.read(conf);
  }

  /**
   * Reads and checks a job's settings.
   *
   * @param keys all keys of the job's configuration, or those that begin with {@value #PREFIX}
   * @param conf returns the text of a key, or null if it is not set
   * @param reportInterval how often the job's tasks report
   * @throws BadSettingException for the first key that is unknown or whose value is not allowed
   */
  public static JobSettings read(
      Collection<String> keys, UnaryOperator<String> conf, Duration reportInterval)
      throws BadSettingException {
    Setting.refuseUnknown(keys, PREFIX, ALL, conf);
    return new JobSettings(conf, reportInterval);
  }

  /**
   * Returns all that is wrong with a job's settings, and not only the first. Values that contradict
   * each other are no part of it.
   *
   * @param keys all keys of the job's configuration
   * @param conf returns the text of a key, or null if it is not set
   * @return the message for each bad key, as {@link #read} throws it
   */
  public static SortedMap<String, String> complaints(
      Collection<String> keys, UnaryOperator<String> conf) {
    return Setting.complaints(keys, PREFIX, ALL, conf);
  }

  /** Returns whether restarts and copies are off, observed or on. */
  public Mode restartMode() {
    return restartMode;
  }

  /** Returns the settings of the estimators. */
  public EstimatorSettings estimator() {
    return estimator;
  }

  /** Returns the constants of the restart rules. */
  public RestartSettings restart() {
    return restart;
  }

  /** Returns how often a copy is sent back for another container. */
  public int maxMoves() {
    return maxMoves;
  }

  /** Returns the number of outliers after which a machine is avoided; 0 if none ever is. */
  public int slowMachineOutliers() {
    return slowMachineOutliers;
  }

  /** Returns which outputs Drover must leave alone. */
  public OutputSettings outputs() {
    return outputs;
  }

  /** Returns whether the largest tasks start first. */
  public Mode orderMode() {
    return orderMode;
  }

  /** Returns whether the attempts of a task are kept on different nodes. */
  public Mode antiAffinityMode() {
    return antiAffinityMode;
  }

  /** Returns how long an attempt waits for another node. */
  public Duration antiAffinityPatience() {
    return antiAffinityPatience;
  }

  /** Returns whether small jobs are cloned. */
  public Mode cloneMode() {
    return cloneMode;
  }

  /** Returns which jobs are cloned, and how much. */
  public CloneSettings clones() {
    return clones;
  }

  /** Returns the rule for which copy of a map's output the clones of reduces read. */
  public DelayAssignment copyWait() {
    return copyWait;
  }

  /** Returns whether reduces are placed. */
  public Mode placementMode() {
    return placementMode;
  }

  /** Returns how reduces are placed. */
  public PlacementSettings placement() {
    return placement;
  }

  /** Returns whether map outputs are protected. */
  public Mode protectMode() {
    return protectMode;
  }

  /** Returns how map outputs are protected. */
  public ProtectSettings protect() {
    return protect;
  }

  /** Returns the directory to which the decision log is copied; null if it is not copied. */
  public String decisionLogDir() {
    return decisionLogDir;
  }

  /** Returns whether every report is logged. */
  public boolean logReports() {
    return logReports;
  }
}
