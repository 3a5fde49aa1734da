// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.clone.CloneSettings;
import io.drover.core.clone.DelayAssignment;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.restart.RestartSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The settings of one job: everything under {@value #PREFIX}. The keys of restarts, of clones, of
 * placement and of outputs are each in a class of their own.
 */
public final class JobSettings {
  /** What the keys of a job's settings begin with. */
  public static final String PREFIX = "mapreduce.drover.";

  /** Largest first: off, observe or on. */
  public static final Setting<Mode> ORDER_MODE =
      Setting.mode(
          PREFIX + "order.mode",
          Mode.ON,
          "Whether Drover's AppMaster starts the tasks with the most data first (Mantri"
              + " section 5.4). off: tasks start in the order of their numbers; observe: they do"
              + " so too, and the AppMaster's log says what would have been different.");

  /** Copies apart: off, observe or on. */
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

  /** Where the decision log goes. */
  public static final Setting<String> DECISION_LOG_DIR =
      Setting.text(
          PREFIX + "decision-log.dir",
          "",
          "a directory on any Hadoop file system",
          "The directory to which the decision log is copied when the job ends, under the"
              + " job's id and .jsonl. Without it, the log is among the logs of the AppMaster's"
              + " container only.");

  /** Whether reports are logged too. */
  public static final Setting<Boolean> DECISION_LOG_REPORTS =
      Setting.flag(
          PREFIX + "decision-log.reports",
          false,
          "Whether every progress report is written to the decision log as well. That"
              + " makes it large; it is meant for benchmarks of the estimators.");

  /** All of them. */
  public static final List<Setting<?>> ALL =
      Stream.of(
              RestartKeys.ALL,
              List.of(ORDER_MODE, ANTI_AFFINITY_MODE, ANTI_AFFINITY_PATIENCE),
              CloneKeys.ALL,
              PlacementSettings.ALL,
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
    decisionLogDir = DECISION_LOG_DIR.read(conf);
    logReports = DECISION_LOG_REPORTS.read(conf);
  }

  /**
   * Reads and checks a job's settings.
   *
   * @param keys all keys of the job's configuration, or those that begin with {@value #PREFIX}
   * @param conf gives the text of a key, null where it is not set
   * @param reportInterval how often the job's tasks report
   * @throws BadSettingException naming the first key that is unknown or has no allowed value
   */
  public static JobSettings read(
      Collection<String> keys, UnaryOperator<String> conf, Duration reportInterval)
      throws BadSettingException {
    Setting.refuseUnknown(keys, PREFIX, ALL, conf);
    return new JobSettings(conf, reportInterval);
  }

  /** What to do about outliers. */
  public Mode restartMode() {
    return restartMode;
  }

  /** How reports become estimates. */
  public EstimatorSettings estimator() {
    return estimator;
  }

  /** The constants of the restart rules. */
  public RestartSettings restart() {
    return restart;
  }

  /** How often a copy is sent back for a better place. */
  public int maxMoves() {
    return maxMoves;
  }

  /** Outliers after which a machine is kept away from; 0 if none ever is. */
  public int slowMachineOutliers() {
    return slowMachineOutliers;
  }

  /** Which outputs must be left alone. */
  public OutputSettings outputs() {
    return outputs;
  }

  /** Whether the largest tasks are started first. */
  public Mode orderMode() {
    return orderMode;
  }

  /** Whether the attempts of a task are kept on different nodes. */
  public Mode antiAffinityMode() {
    return antiAffinityMode;
  }

  /** How long an attempt waits for another node. */
  public Duration antiAffinityPatience() {
    return antiAffinityPatience;
  }

  /** Whether small jobs are cloned. */
  public Mode cloneMode() {
    return cloneMode;
  }

  /** Which jobs are cloned, and how much. */
  public CloneSettings clones() {
    return clones;
  }

  /** Which copy of a map's output the clones of reduces read. */
  public DelayAssignment copyWait() {
    return copyWait;
  }

  /** Whether reduces are placed. */
  public Mode placementMode() {
    return placementMode;
  }

  /** How reduces are placed. */
  public PlacementSettings placement() {
    return placement;
  }

  /** Where the decision log is copied to; null if it is not. */
  public String decisionLogDir() {
    return decisionLogDir;
  }

  /** Whether every report is logged. */
  public boolean logReports() {
    return logReports;
  }
}
