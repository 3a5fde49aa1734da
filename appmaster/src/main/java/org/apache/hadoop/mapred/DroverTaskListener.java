// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import io.drover.appmaster.PartitionSizes;
import java.io.IOException;
import java.util.function.BiConsumer;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;

/** Hadoop's listener to tasks, which takes out what {@link DroverMapOutput} says. */
public final class DroverTaskListener extends TaskAttemptListenerImpl {
  private final BiConsumer<TaskAttemptId, String> sizes;

  /**
   * As TaskAttemptListenerImpl, for jobs that do not encrypt what they spill, and:
   *
   * @param sizes hears of the lines of {@link PartitionSizes}, on the threads of the RPC server
   */
  public DroverTaskListener(
      AppContext context,
      JobTokenSecretManager jobTokenSecretManager,
      RMHeartbeatHandler heartbeatHandler,
      AMPreemptionPolicy preemptionPolicy,
      BiConsumer<TaskAttemptId, String> sizes) {
    super(context, jobTokenSecretManager, heartbeatHandler, preemptionPolicy, new byte[] {0});
    this.sizes = sizes;
  }

  @Override
  public void reportDiagnosticInfo(TaskAttemptID attempt, String text) throws IOException {
    if (PartitionSizes.isEncoded(text)) {
      sizes.accept(TypeConverter.toYarn(attempt), text);
    } else {
      super.reportDiagnosticInfo(attempt, text);
    }
  }
}
