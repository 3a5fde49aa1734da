// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.core.model.TaskKind;
import io.drover.testbed.history.TaskRecord;
import io.drover.testbed.job.DemoJob.DemoKeys;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * The fault of one task attempt, as its job's configuration demands it. It is in the demo job's own
 * reader and reducer; neither Hadoop nor Drover can see it coming.
 */
final class TaskFault {
  /** The part of its input after which the silent attempt stops its process. */
  private static final double SILENT_AT = 0.30;

  /** The part of its input after which the stalling attempt stops making progress. */
  private static final double STALL_AT = 0.90;

  /** The part of its input after which a map of a program that fails throws. */
  private static final double FAILS_AT = 0.95;

  private final int slowdown;
  private final double silentAt;
  private final double stallAt;
  private final double failsAt;

  private TaskFault(int slowdown, double silentAt, double stallAt, double failsAt) {
    this.slowdown = slowdown;
    this.silentAt = silentAt;
    this.stallAt = stallAt;
    this.failsAt = failsAt;
  }

  /**
   * Returns the fault of an attempt.
   *
   * @param conf the job's configuration
   * @param attempt the attempt
   * @param host where it runs
   */
  static TaskFault of(Configuration conf, TaskAttemptID attempt, String host) {
    Scenario scenario = Scenario.ofKey(conf.get(DemoKeys.FAULT, Scenario.NONE.key()));
    boolean ofTask = name(attempt).equals(conf.get(DemoKeys.FAULT_TASK));
    boolean chosen = ofTask && attempt.getId() == 0;
    boolean slow =
        switch (scenario) {
          case SLOW_NODE -> host.equals(conf.get(DemoKeys.FAULT_HOST));
          case SLOW_ATTEMPT, SMALL_JOBS -> chosen;
          case LONG_TASK -> ofTask;
          default -> false;
        };
    return new TaskFault(
        slow ? conf.getInt(DemoKeys.SLOWDOWN, 8) : 1,
        scenario == Scenario.SILENT_ATTEMPT && chosen ? SILENT_AT : Double.POSITIVE_INFINITY,
        scenario == Scenario.STALL_90 && chosen ? STALL_AT : Double.POSITIVE_INFINITY,
        scenario == Scenario.FAILING_JOBS && conf.getBoolean(DemoKeys.FAILS, false)
            ? FAILS_AT
            : Double.POSITIVE_INFINITY);
  }

  private static String name(TaskAttemptID attempt) {
    return TaskRecord.nameOf(
        attempt.getTaskType() == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE,
        attempt.getTaskID().getId());
  }

  /** Returns the fault of the attempt that runs in this process, in a container of YARN. */
  static TaskFault here(Configuration conf, TaskAttemptID attempt) {
    return of(conf, attempt, String.valueOf(System.getenv("NM_HOST")));
  }

  /** Returns what the fault leaves of a healthy rate. */
  double of(double healthyRate) {
    return healthyRate / slowdown;
  }

  /**
   * Reports that the attempt has read this part of its input. This call may never return.
   *
   * @throws IOException if this is where the attempt fails
   */
  void reached(double fraction) throws IOException, InterruptedException {
    if (fraction >= silentAt) {
      stopThisProcess();
    }
    if (fraction >= failsAt) {
      throw new IOException("as every map of this program: it fails near the end of its input");
    }
    if (fraction >= stallAt) {
      TimeUnit.DAYS.sleep(1); // another thread goes on sending pings
    }
  }

  private static void stopThisProcess() throws IOException, InterruptedException {
    long pid = ProcessHandle.current().pid();
    new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + pid).inheritIO().start().waitFor();
  }
}
