// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.sampling.SampledJob;
import io.drover.speculator.Breakers;
import java.util.Optional;
import org.apache.hadoop.mapred.DroverTaskListener;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;

/** Drover's listener to tasks, made as TaskAttemptListenerImpl is. */
public class DroverTaskListenerUnderTest extends DroverTaskListener {
  public DroverTaskListenerUnderTest(
      AppContext context,
      JobTokenSecretManager jobTokenSecretManager,
      RMHeartbeatHandler heartbeatHandler,
      AMPreemptionPolicy preemptionPolicy) {
    super(
        context,
        jobTokenSecretManager,
        heartbeatHandler,
        preemptionPolicy,
        (attempt, sizes) -> {
          throw new AssertionError("none of Hadoop's tests says " + sizes);
        },
        new CompletionStreams(
            () -> context.getAllJobs().values().iterator().next(),
            attempt -> 0,
            CopiesUnderTest.none(),
            output -> Optional.empty(),
            context.getClock(),
            (type, fields) -> {},
            Breakers.uncounted()),
        SampledJob.wholeInput(),
        CopiesUnderTest.noProtection(),
        new byte[] {0});
  }
}
