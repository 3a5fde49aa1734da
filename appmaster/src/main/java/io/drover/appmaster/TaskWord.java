// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.IOException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;

/**
 * A line that a task says to Drover's AppMaster, through the one call of Hadoop's protocol between
 * them that takes a text. An AppMaster that is not Drover's is told nothing, since it would show
 * the line to the user as a diagnostic message.
 */
public final class TaskWord {
  private static final String PREFIX = "drover:";
  private static final String APP_MASTER_OPTS = "yarn.app.mapreduce.am.command-opts";
  private static final String APP_MASTER = "io.drover.appmaster.DroverAppMaster";

  /** Says in a job's configuration that its AppMaster is Drover's, where the options do not. */
  public static final String HEARD = "yarn.app.mapreduce.am.drover";

  private TaskWord() {}

  /** How lines of a kind begin. */
  static String prefix(String kind, int version) {
    return PREFIX + kind + ":" + version + ":";
  }

  /** Whether a text is a line for Drover. */
  public static boolean isOne(String text) {
    return text != null && text.startsWith(PREFIX);
  }

  /** Whether a job's AppMaster is Drover's. */
  public static boolean isHeard(JobConf job) {
    return job.getBoolean(HEARD, false) || job.get(APP_MASTER_OPTS, "").contains(APP_MASTER);
  }

  /** Says a line; called by a task whose AppMaster hears it. */
  public static void say(TaskUmbilicalProtocol to, TaskAttemptID from, String line)
      throws IOException {
    to.reportDiagnosticInfo(from, line);
  }
}
