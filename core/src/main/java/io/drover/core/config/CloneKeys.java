// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.clone.CloneSettings;
import io.drover.core.clone.DelayAssignment;
import java.util.List;
import java.util.function.UnaryOperator;

/** Declares the settings of clones. */
public final class CloneKeys {
  /** Whether clones are off, observed or on. */
  public static final Setting<Mode> MODE =
      Setting.mode(
          JobSettings.PREFIX + "clone.mode",
          Mode.ON,
          "Whether Drover's AppMaster starts the tasks of small jobs with clones, where"
              + " there is room (Dolly section 3). off: it does not; observe: it does not, and"
              + " its log says what it would do.");

  /** The maximum number of tasks of a job that is cloned. */
  public static final Setting<Integer> MAX_TASKS =
      Setting.integer(
          JobSettings.PREFIX + "clone.max-tasks",
          10,
          0,
          10000,
          "Jobs of at most this many tasks are cloned (Dolly section 2.3).");

  /** The maximum number of attempts of a task that start together. */
  public static final Setting<Integer> MAX_COPIES =
      Setting.integer(
          JobSettings.PREFIX + "clone.max-copies",
          4,
          1,
          10,
          "The most attempts of one task, or copies of one whole job, that start"
              + " together, including the first one.");

  /** eps, the accepted probability that a cloned job meets an outlier. */
  public static final Setting<Double> EPS =
      Setting.number(
          JobSettings.PREFIX + "clone.eps",
          0.05,
          0.0001,
          0.9999,
          "The accepted probability that a cloned job meets an outlier: the lower it is,"
              + " the more clones start (Dolly section 3.1).");

  /** eps of a task that is alone in its phase. */
  public static final Setting<Double> SINGLE_TASK_EPS =
      Setting.number(
          JobSettings.PREFIX + "clone.single-task-eps",
          0.01,
          0.0001,
          0.9999,
          "The same for a task that is alone in its phase. Drover has nothing to compare"
              + " such a task with, so it cannot rescue it by a restart. Values from eps upwards"
              + " make no difference (Dolly).");

  /** p, used if it has not been measured. */
  public static final Setting<Double> OUTLIER_PROBABILITY =
      Setting.number(
          JobSettings.PREFIX + "clone.outlier-probability",
          0.1,
          0,
          1,
          "The probability that an attempt is an outlier. It is used if Drover's"
              + " scheduler has not measured it.");

  /** omega of {@link DelayAssignment}, as a share of the job's time. */
  public static final Setting<Double> COPY_WAIT =
      Setting.number(
          JobSettings.PREFIX + "clone.copy-wait",
          0.1,
          0,
          1,
          "The longest time, as a share of the job's time so far, that the clone of a"
              + " reduce waits for its own copy of a map's output, and for which another attempt"
              + " of a map may run on after the first one to make that copy. 0: all reduces read"
              + " the first copy at once (delay assignment, NSDI 2013).");

  static final List<Setting<?>> ALL =
      List.of(MODE, MAX_TASKS, MAX_COPIES, EPS, SINGLE_TASK_EPS, OUTLIER_PROBABILITY, COPY_WAIT);

  private CloneKeys() {}

  static CloneSettings clones(UnaryOperator<String> conf) throws BadSettingException {
    return new CloneSettings(
        MAX_TASKS.read(conf),
        MAX_COPIES.read(conf),
        EPS.read(conf),
        SINGLE_TASK_EPS.read(conf),
        OUTLIER_PROBABILITY.read(conf));
  }

  static DelayAssignment copyWait(UnaryOperator<String> conf) throws BadSettingException {
    return new DelayAssignment(COPY_WAIT.read(conf));
  }
}
