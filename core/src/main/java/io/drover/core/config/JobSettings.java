// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.clone.CloneSettings;
import io.drover.core.clone.DelayAssignment;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.restart.RestartSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The settings of one job: everything under {@value #PREFIX}. */
public final class JobSettings {
  /** What the keys of a job's settings begin with. */
  public static final String PREFIX = "mapreduce.drover.";

  /** Restart and duplication: off, observe or on. */
  public static final Setting<Mode> RESTART_MODE =
      Setting.mode(
          PREFIX + "restart.mode",
          Mode.ON,
          "What Drover does about outliers. off: stock speculation; observe: stock speculation goes"
              + " on while Drover's decisions are logged and scored; on: Drover decides.");

  /** delta. */
  public static final Setting<Double> RESTART_DELTA =
      Setting.number(
          PREFIX + "restart.delta",
          0.25,
          0,
          0.99,
          "While tasks wait for slots a copy is made only if the probability that it saves slot"
              + " time exceeds this (Mantri section 5.1.1).");

  /** rho. */
  public static final Setting<Double> RESTART_RHO =
      Setting.number(
          PREFIX + "restart.rho",
          3,
          0,
          1000,
          "When no task waits a copy is made only if it is expected to save more than this many"
              + " periods (Mantri section 5.1.1).");

  /** gamma. */
  public static final Setting<Integer> RESTART_MAX_RESTARTS =
      Setting.integer(
          PREFIX + "restart.max-restarts",
          3,
          0,
          100,
          "gamma, how often one task may be killed and restarted; 0 never kills (Mantri section"
              + " 5.1.1).");

  /** The most attempts of one task at once. */
  public static final Setting<Integer> RESTART_MAX_COPIES =
      Setting.integer(
          PREFIX + "restart.max-copies",
          3,
          2,
          10,
          "Attempts of one task that may run at once (Mantri section 5.1.1, footnote 6).");

  /** When an attempt has lost. */
  public static final Setting<Double> RESTART_SLOWER_ATTEMPT_FACTOR =
      Setting.number(
          PREFIX + "restart.slower-attempt-factor",
          1,
          1,
          1_000_000,
          "In Drover's AppMaster an attempt is ended once it is expected to need more than so many"
              + " times as long as another one of its task. 1000000 lets clones run until one is"
              + " done (Dolly), and the two fastest copies (Mantri).");

  /** How long a phase that stands still is left alone. */
  public static final Setting<Integer> RESTART_CORRELATED_STALL_WINDOWS =
      Setting.integer(
          PREFIX + "restart.correlated-stall-windows",
          2,
          0,
          100,
          "Where at least half of a phase's attempts, on three machines or more, have stopped at"
              + " the same time, while the file system fails over, say, they are left alone for so"
              + " many lengths of the moving average (estimate.window reports); 0: no such wait"
              + " (Mantri).");

  /** Tries to keep copies apart. */
  public static final Setting<Integer> RESTART_MAX_MOVES =
      Setting.integer(
          PREFIX + "restart.max-moves",
          3,
          0,
          100,
          "How often a copy that was given the machine of another attempt of its task, or the one it"
              + " was moved away from, is sent back for another container before it may stay.");

  /** Outliers that make a machine slow. */
  public static final Setting<Integer> RESTART_SLOW_MACHINE_OUTLIERS =
      Setting.integer(
          PREFIX + "restart.slow-machine-outliers",
          2,
          0,
          1000,
          "A machine on which this many tasks of the job were outliers, and more than were not, gets"
              + " no more of its containers (the AppMaster blacklists it; Hadoop's, when no map waits"
              + " for one), and reduces that wait there get a copy elsewhere; 0: no machine is slow.");

  /** Length of the moving average. */
  public static final Setting<Integer> ESTIMATE_WINDOW =
      Setting.integer(
          PREFIX + "estimate.window-reports",
          6,
          2,
          100,
          "Progress reports in the moving average of a task's rate (Mantri section 5.5).");

  /** Reports before the first estimate. */
  public static final Setting<Integer> ESTIMATE_MIN_REPORTS =
      Setting.integer(
          PREFIX + "estimate.min-reports",
          3,
          2,
          100,
          "Progress reports of a task before its remaining time is estimated.");

  /** Observations before a phase says anything. */
  public static final Setting<Integer> ESTIMATE_MIN_OBSERVATIONS =
      Setting.integer(
          PREFIX + "estimate.min-observations",
          1,
          1,
          10000,
          "Attempts of a phase that must have been observed before the time of a new attempt is"
              + " estimated. One is enough for a copy; a kill needs at least 3.");

  /** Largest first: off, observe or on. */
  public static final Setting<Mode> ORDER_MODE =
      Setting.mode(
          PREFIX + "order.mode",
          Mode.ON,
          "Whether Drover's AppMaster starts the tasks with the most data first (Mantri section"
              + " 5.4). off: in the order of their numbers; observe: so too, and what would have"
              + " been different is written to the AppMaster's log.");

  /** Copies apart: off, observe or on. */
  public static final Setting<Mode> ANTI_AFFINITY_MODE =
      Setting.mode(
          PREFIX + "anti-affinity.mode",
          Mode.ON,
          "Whether Drover's AppMaster keeps the attempts of one task on different nodes, and away"
              + " from a node that the task has fled. off: a container is taken wherever it is;"
              + " observe: so too, and what would have been sent back is written to the"
              + " AppMaster's log.");

  /** How long an attempt waits for another node. */
  public static final Setting<Duration> ANTI_AFFINITY_PATIENCE =
      Setting.duration(
          PREFIX + "anti-affinity.patience",
          "10s",
          Duration.ZERO,
          Duration.ofMinutes(10),
          "How long an attempt waits for another node before it takes one where another attempt of"
              + " its task runs, or that its task has fled.");

  /** Clones: off, observe or on. */
  public static final Setting<Mode> CLONE_MODE =
      Setting.mode(
          PREFIX + "clone.mode",
          Mode.ON,
          "Whether Drover's AppMaster starts the tasks of small jobs with clones, where there is"
              + " room (Dolly section 3). off: it does not; observe: it does not, and what it would"
              + " do is written to the AppMaster's log.");

  /** What a small job is. */
  public static final Setting<Integer> CLONE_MAX_TASKS =
      Setting.integer(
          PREFIX + "clone.max-tasks",
          10,
          0,
          10000,
          "Jobs of at most this many tasks are cloned (Dolly section 2.3).");

  /** The most attempts of a task that start together. */
  public static final Setting<Integer> CLONE_MAX_COPIES =
      Setting.integer(
          PREFIX + "clone.max-copies",
          4,
          1,
          10,
          "Attempts of one task, or copies of one whole job, that start together at most, the first"
              + " one included.");

  /** eps. */
  public static final Setting<Double> CLONE_EPS =
      Setting.number(
          PREFIX + "clone.eps",
          0.05,
          0.0001,
          0.9999,
          "The probability that a cloned job meets an outlier which is accepted: the lower, the"
              + " more clones (Dolly section 3.1).");

  /** eps of a task that is alone in its phase. */
  public static final Setting<Double> CLONE_SINGLE_TASK_EPS =
      Setting.number(
          PREFIX + "clone.single-task-eps",
          0.01,
          0.0001,
          0.9999,
          "The same for a task that is alone in its phase, where there is nothing to compare it with"
              + " and so no restart that would rescue it; from eps upwards it makes no difference"
              + " (Dolly).");

  /** p, where nobody has measured it. */
  public static final Setting<Double> CLONE_OUTLIER_PROBABILITY =
      Setting.number(
          PREFIX + "clone.outlier-probability",
          0.1,
          0,
          1,
          "The probability that an attempt is an outlier, where Drover's scheduler does not measure"
              + " it.");

  /** omega, as a share of the job's time. */
  public static final Setting<Double> CLONE_COPY_WAIT =
      Setting.number(
          PREFIX + "clone.copy-wait",
          0.1,
          0,
          1,
          "Share of the job's time so far that the clone of a reduce waits at most for its own copy"
              + " of a map's output, and that a map's other attempt may go on after the first, to"
              + " make it; 0 gives all the first copy at once (delay assignment, NSDI 2013).");

  /** Placement of reduces: off, observe or on. */
  public static final Setting<Mode> PLACEMENT_MODE =
      Setting.mode(
          PREFIX + "placement.mode",
          Mode.ON,
          "Whether Drover's AppMaster runs reduces in the racks from which their data comes over"
              + " the least busy links (Mantri section 5.2). off: they run where the scheduler puts"
              + " them; observe: so too, and the racks that would have been asked for are logged.");

  /** How long reduces wait. */
  public static final Setting<Duration> PLACEMENT_PATIENCE =
      Setting.duration(
          PREFIX + "placement.patience",
          "10s",
          Duration.ZERO,
          Duration.ofMinutes(10),
          "How long reduces that might start are held until it is known where the map output lies,"
              + " and how long one waits for a container in its rack before it takes any; six times"
              + " as long while maps still run.");

  /** What links between racks bear. */
  public static final Setting<Map<String, PlacementSettings.Link>> PLACEMENT_LINKS =
      Setting.links(
          PREFIX + "placement.links",
          "Bandwidths of racks that differ from the others, such as /rack1=1250:1250: megabytes per"
              + " second out of the rack and into it. The others are taken to be alike, with 125.");

  /** Which shuffles are placed by measured bandwidths. */
  public static final Setting<Duration> PLACEMENT_SHORT_SHUFFLE =
      Setting.duration(
          PREFIX + "placement.short-shuffle",
          "60s",
          Duration.ZERO,
          Duration.ofHours(10),
          "A shuffle whose busiest link needs no longer than this is placed by the bandwidths that"
              + " reduces of the job have measured, where they do; over a longer one differences are"
              + " taken to even out (Mantri section 5.2).");

  /** Where the decision log goes. */
  public static final Setting<String> DECISION_LOG_DIR =
      Setting.text(
          PREFIX + "decision-log.dir",
          "",
          "a directory on any Hadoop file system",
          "Directory to which the decision log of the job is copied when it ends, as the job's id"
              + " with .jsonl behind it. Without it the log stays among the logs of the AppMaster's container.");

  /** Whether reports are logged too. */
  public static final Setting<Boolean> DECISION_LOG_REPORTS =
      Setting.flag(
          PREFIX + "decision-log.reports",
          false,
          "Whether every progress report is written to the decision log as well: for benchmarks of"
              + " the estimators, and large.");

  /** All of them. */
  public static final List<Setting<?>> ALL =
      List.of(
          RESTART_MODE,
          RESTART_DELTA,
          RESTART_RHO,
          RESTART_MAX_RESTARTS,
          RESTART_MAX_COPIES,
          RESTART_SLOWER_ATTEMPT_FACTOR,
          RESTART_CORRELATED_STALL_WINDOWS,
          RESTART_MAX_MOVES,
          RESTART_SLOW_MACHINE_OUTLIERS,
          OutputSettings.EXCLUDED,
          OutputSettings.SAFE,
          ESTIMATE_WINDOW,
          ESTIMATE_MIN_REPORTS,
          ESTIMATE_MIN_OBSERVATIONS,
          ORDER_MODE,
          ANTI_AFFINITY_MODE,
          ANTI_AFFINITY_PATIENCE,
          CLONE_MODE,
          CLONE_MAX_TASKS,
          CLONE_MAX_COPIES,
          CLONE_EPS,
          CLONE_SINGLE_TASK_EPS,
          CLONE_OUTLIER_PROBABILITY,
          CLONE_COPY_WAIT,
          PLACEMENT_MODE,
          PLACEMENT_PATIENCE,
          PLACEMENT_LINKS,
          PLACEMENT_SHORT_SHUFFLE,
          DECISION_LOG_DIR,
          DECISION_LOG_REPORTS);

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
    restartMode = RESTART_MODE.read(conf);
    estimator =
        new EstimatorSettings(
            clip(reportInterval),
            ESTIMATE_WINDOW.read(conf),
            ESTIMATE_MIN_REPORTS.read(conf),
            EstimatorSettings.DEFAULT_MIN_PROGRESS,
            ESTIMATE_MIN_OBSERVATIONS.read(conf));
    restart =
        new RestartSettings(
            RESTART_DELTA.read(conf),
            RESTART_RHO.read(conf),
            RESTART_MAX_RESTARTS.read(conf),
            RESTART_MAX_COPIES.read(conf),
            RESTART_CORRELATED_STALL_WINDOWS.read(conf),
            RESTART_SLOWER_ATTEMPT_FACTOR.read(conf));
    maxMoves = RESTART_MAX_MOVES.read(conf);
    slowMachineOutliers = RESTART_SLOW_MACHINE_OUTLIERS.read(conf);
    outputs = OutputSettings.read(conf);
    orderMode = ORDER_MODE.read(conf);
    antiAffinityMode = ANTI_AFFINITY_MODE.read(conf);
    antiAffinityPatience = ANTI_AFFINITY_PATIENCE.read(conf);
    cloneMode = CLONE_MODE.read(conf);
    clones =
        new CloneSettings(
            CLONE_MAX_TASKS.read(conf),
            CLONE_MAX_COPIES.read(conf),
            CLONE_EPS.read(conf),
            CLONE_SINGLE_TASK_EPS.read(conf),
            CLONE_OUTLIER_PROBABILITY.read(conf));
    copyWait = new DelayAssignment(CLONE_COPY_WAIT.read(conf));
    placementMode = PLACEMENT_MODE.read(conf);
    Map<String, PlacementSettings.Link> links = PLACEMENT_LINKS.read(conf);
    placement =
        new PlacementSettings(
            PLACEMENT_PATIENCE.read(conf),
            links == null ? Map.of() : links,
            PLACEMENT_SHORT_SHUFFLE.read(conf));
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

  /** Delta of Mantri section 5: the period of the reports, at most 10 s. */
  private static Duration clip(Duration interval) {
    Duration longest = Duration.ofSeconds(10);
    Duration shortest = Duration.ofMillis(100);
    Duration atMost = interval.compareTo(longest) > 0 ? longest : interval;
    return atMost.compareTo(shortest) < 0 ? shortest : atMost;
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
