// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.hadoop;

import io.drover.testing.HadoopTestSession;
import io.drover.testing.InPlace;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapreduce.jobhistory.OpenHistories;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Hadoop's tests of its AppMaster, with Drover's AppMaster and its parts, and another clock. */
public final class AppMasterTestSession extends HadoopTestSession {
  private static final String JOB = "org/apache/hadoop/mapreduce/v2/app/job/impl/";

  private static final Map<String, String> REPLACED =
      Map.of(
          "org/apache/hadoop/mapreduce/v2/app/MRAppMaster",
          "io/drover/appmaster/DroverAppMasterUnderTest",
          "org/apache/hadoop/mapreduce/v2/app/rm/RMContainerAllocator",
          "io/drover/appmaster/DroverAllocatorUnderTest",
          JOB + "JobImpl",
          "io/drover/appmaster/DroverJobUnderTest",
          JOB + "MapTaskImpl",
          JOB + "DroverMapTaskUnderTest",
          "org/apache/hadoop/mapred/TaskAttemptListenerImpl",
          "io/drover/appmaster/DroverTaskListenerUnderTest",
          "org/apache/hadoop/mapred/MapTaskAttemptImpl",
          JOB + "DroverMapAttemptUnderTest",
          "org/apache/hadoop/mapred/ReduceTaskAttemptImpl",
          JOB + "DroverReduceAttemptUnderTest");

  private static final AtomicLong TOLD = new AtomicLong();

  /** Made by JUnit. */
  public AppMasterTestSession() {
    super(
        new InPlace(
            ".*/hadoop-mapreduce-client-[^/]*-tests.jar",
            REPLACED,
            Map.of(
                "java/lang/System.currentTimeMillis",
                AppMasterTestSession.class.getName().replace('.', '/'))));
  }

  /**
   * What the rewritten code calls for {@code System.currentTimeMillis()}. TestRecovery wants
   * attempts sorted by such times, and is too fast for two of them to differ always.
   */
  public static long currentTimeMillis() {
    return TOLD.updateAndGet(told -> Math.max(told + 1, System.currentTimeMillis()));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    // Hadoop runs each class of tests in a JVM of its own
    ExitUtil.resetFirstExitException();
    OpenHistories.forget();
    super.beforeEach(context);
  }
}
