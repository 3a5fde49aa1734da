// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.model.EstimatorSettings;
import io.drover.core.restart.RestartSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Declares the settings of restarts and copies, and of the estimates behind them. */
public final class RestartKeys {
  /** Whether restarts and copies are off, observed or on. */
  public static final Setting<Mode> MODE =
      Setting.mode(
          JobSettings.PREFIX + "restart.mode",
          Mode.ON,
          "What Drover does about outliers. off: stock speculation; observe: stock speculation goes"
              + " on while Drover's decisions are logged and scored; on: Drover decides.");

  /** delta, the probability of saving slot time that a copy must exceed while tasks wait. */
  public static final Setting<Double> DELTA =
      Setting.number(
          JobSettings.PREFIX + "restart.delta",
          0.25,
          0,
          0.99,
          "While tasks wait for slots, Drover makes a copy only if the probability that"
              + " it saves slot time exceeds this value (Mantri section 5.1.1).");

  /** rho, how many times Delta a copy must save when no task waits. */
  public static final Setting<Double> RHO =
      Setting.number(
          JobSettings.PREFIX + "restart.rho",
          3,
          0,
          1000,
          "When no task waits, Drover makes a copy only if it is expected to save more"
              + " than this many times Delta (Mantri section 5.1.1): a tenth of what attempts usually"
              + " take, at most 10 s and at least the time between two reports.");

  /** gamma, the maximum number of restarts of a task. */
  public static final Setting<Integer> MAX_RESTARTS =
      Setting.integer(
          JobSettings.PREFIX + "restart.max-restarts",
          3,
          0,
          100,
          "gamma: how often one task may be killed and restarted; 0 means never (Mantri"
              + " section 5.1.1).");

  /** The maximum number of attempts of one task at once. */
  public static final Setting<Integer> MAX_COPIES =
      Setting.integer(
          JobSettings.PREFIX + "restart.max-copies",
          3,
          2,
          10,
          "Attempts of one task that may run at once (Mantri section 5.1.1, footnote 6).");

  /** How many times slower than another attempt of its task an attempt must be to be ended. */
  public static final Setting<Double> SLOWER_ATTEMPT_FACTOR =
      Setting.number(
          JobSettings.PREFIX + "restart.slower-attempt-factor",
          1,
          1,
          1_000_000,
          "Drover's AppMaster ends an attempt when it is expected to need more than this"
              + " many times as long as another attempt of its task. 1000000 lets all clones run"
              + " until one is done (Dolly), and the two fastest copies (Mantri).");

  /** How long a phase that has stalled as a whole is left alone. */
  public static final Setting<Integer> CORRELATED_STALL_WINDOWS =
      Setting.integer(
          JobSettings.PREFIX + "restart.correlated-stall-windows",
          2,
          0,
          100,
          "If at least half of a phase's attempts, on three machines or more, stop at the"
              + " same time (while the file system fails over, for example), Drover leaves them"
              + " alone for this many lengths of the moving average (estimate.window-reports)."
              + " 0: it does not wait (Mantri).");

  /** How likely a slow task has more to do than its size says. */
  public static final Setting<Double> MORE_TO_DO =
      Setting.number(
          JobSettings.PREFIX + "restart.more-to-do",
          0.25,
          0,
          0.99,
          "How likely a slow task has more to do than its input says, before anything else is known"
              + " of it (Mantri section 4.1: a quarter of the outliers). Such a task is not killed; it"
              + " gets a copy if that may pay. 0: Drover takes it that a new attempt is as fast as"
              + " others (Mantri).");

  /** How long an attempt must have run before anything is done about it. */
  public static final Setting<Duration> LEAST_RUN_TIME =
      Setting.duration(
          JobSettings.PREFIX + "restart.least-run-time",
          "0s",
          Duration.ZERO,
          Duration.ofDays(1),
          "An attempt that has run for less than this is neither copied nor killed to start again"
              + " because it or its machine is slow. That leaves short tasks alone, whose copies may"
              + " save seconds and still cost containers. Two exceptions: attempts on machines that"
              + " do not answer are copied, and of several attempts of a task the slower ones are"
              + " ended, which frees containers.");

  /** How often a copy is sent back for another container. */
  public static final Setting<Integer> MAX_MOVES =
      Setting.integer(
          JobSettings.PREFIX + "restart.max-moves",
          3,
          0,
          100,
          "How often Drover replaces a copy that got a container on the machine of another attempt"
              + " of its task, or on the machine from which its task was moved. After that, the"
              + " copy may stay there.");

  /** The number of outliers that make a machine slow. */
  public static final Setting<Integer> SLOW_MACHINE_OUTLIERS =
      Setting.integer(
          JobSettings.PREFIX + "restart.slow-machine-outliers",
          2,
          0,
          1000,
          "A machine is bad if most attempts of the job there take more than twice as long as"
              + " usual, or have stopped. So many attempts of earlier jobs count as well: where"
              + " nothing is known of those, this is how many slow ones it takes. The job takes no"
              + " more containers there (Drover's AppMaster blacklists the machine; Hadoop's does"
              + " so when no map waits for a container), and reduces that wait there for maps get a"
              + " copy elsewhere. 0: no machine is bad.");

  /** The length of the moving average, in reports. */
  public static final Setting<Integer> WINDOW_REPORTS =
      Setting.integer(
          JobSettings.PREFIX + "estimate.window-reports",
          6,
          2,
          100,
          "Progress reports in the moving average of a task's rate (Mantri section 5.5).");

  /** The number of reports before the first estimate. */
  public static final Setting<Integer> MIN_REPORTS =
      Setting.integer(
          JobSettings.PREFIX + "estimate.min-reports",
          3,
          2,
          100,
          "Progress reports of a task before its remaining time is estimated.");

  /** The number of observed attempts before the time of a new one is estimated. */
  public static final Setting<Integer> MIN_OBSERVATIONS =
      Setting.integer(
          JobSettings.PREFIX + "estimate.min-observations",
          1,
          1,
          10000,
          "Attempts of a phase that must have been observed before the time of a new attempt is"
              + " estimated. One is enough for a copy; a kill needs at least 3.");

  static final List<Setting<?>> ALL =
      List.of(
          MODE,
          DELTA,
          RHO,
          MAX_RESTARTS,
          MAX_COPIES,
          SLOWER_ATTEMPT_FACTOR,
          CORRELATED_STALL_WINDOWS,
          MORE_TO_DO,
          LEAST_RUN_TIME,
          MAX_MOVES,
          SLOW_MACHINE_OUTLIERS,
          OutputSettings.EXCLUDED,
          OutputSettings.SAFE,
          WINDOW_REPORTS,
          MIN_REPORTS,
          MIN_OBSERVATIONS);

  private RestartKeys() {}

  static RestartSettings restart(UnaryOperator<String> conf) throws BadSettingException {
    return new RestartSettings(
        DELTA.read(conf),
        RHO.read(conf),
        MAX_RESTARTS.read(conf),
        MAX_COPIES.read(conf),
        CORRELATED_STALL_WINDOWS.read(conf),
        MORE_TO_DO.read(conf),
        SLOWER_ATTEMPT_FACTOR.read(conf),
        LEAST_RUN_TIME.read(conf).toMillis() / 1e3);
  }

  static EstimatorSettings estimator(UnaryOperator<String> conf, Duration reportInterval)
      throws BadSettingException {
    return new EstimatorSettings(
        clip(reportInterval),
        WINDOW_REPORTS.read(conf),
        MIN_REPORTS.read(conf),
        MIN_OBSERVATIONS.read(conf));
  }

  /** Returns the period of the reports, the least that Delta can be, limited to 0.1 s to 10 s. */
  private static Duration clip(Duration interval) {
    Duration longest = Duration.ofSeconds(10);
    Duration shortest = Duration.ofMillis(100);
    Duration atMost = interval.compareTo(longest) > 0 ? longest : interval;
    return atMost.compareTo(shortest) < 0 ? shortest : atMost;
  }
}
