// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of an AppMaster that keeps a decision log, as if it were in a container. */
abstract class LoggedApp {
  /** Delta. If a busy machine stops a test for longer, all tasks look silent. */
  static final Duration PERIOD = Duration.ofMillis(250);

  @TempDir Path dir;

  /** The container's log directory. Holds the decision log until it is complete. */
  @TempDir Path containerLogs;

  @BeforeEach
  void inAContainer() {
    System.setProperty(YarnConfiguration.YARN_APP_CONTAINER_LOG_DIR, containerLogs.toString());
  }

  @AfterEach
  void outOfTheContainer() {
    System.clearProperty(YarnConfiguration.YARN_APP_CONTAINER_LOG_DIR);
  }

  /** A job whose decision log is in {@link #dir} when it has ended. */
  final Configuration logged() {
    Configuration conf = DrovenApp.conf();
    conf.setLong(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, PERIOD.toMillis());
    conf.set("mapreduce.drover.decision-log.dir", dir.toUri().toString());
    return conf;
  }
}
