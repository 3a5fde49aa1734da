// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import io.drover.appmaster.TaskWord;
import java.io.IOException;
import java.util.function.BiConsumer;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;

/** Hadoop's listener to tasks, which takes out what they say to Drover. */
public class DroverTaskListener extends TaskAttemptListenerImpl {
  private final BiConsumer<TaskAttemptId, String> hears;

  /**
   * As TaskAttemptListenerImpl, for jobs that do not encrypt what they spill, and:
   *
   * @param hears the lines of {@link TaskWord}, on the threads of the RPC server
   */
  public DroverTaskListener(
      AppContext context,
      JobTokenSecretManager jobTokenSecretManager,
      RMHeartbeatHandler heartbeatHandler,
      AMPreemptionPolicy preemptionPolicy,
      BiConsumer<TaskAttemptId, String> hears) {
    super(context, jobTokenSecretManager, heartbeatHandler, preemptionPolicy, new byte[] {0});
    this.hears = hears;
  }

  @Override
  public void reportDiagnosticInfo(TaskAttemptID attempt, String text) throws IOException {
    if (TaskWord.isOne(text)) {
      hears.accept(TypeConverter.toYarn(attempt), text);
    } else {
      super.reportDiagnosticInfo(attempt, text);
    }
  }
}
