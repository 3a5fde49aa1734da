// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.DroverShutdownHook;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.mapreduce.v2.util.MRWebAppUtil;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.yarn.YarnUncaughtExceptionHandler;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.SystemClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and ends the AppMaster in its container, with the same steps as {@code MRAppMaster.main}.
 */
final class AppMasterProcess {
  private static final Logger LOG = LoggerFactory.getLogger(AppMasterProcess.class);

  private AppMasterProcess() {}

  /** Starts the AppMaster; if that fails, ends the process. */
  static void start() {
    try {
      Thread.setDefaultUncaughtExceptionHandler(new YarnUncaughtExceptionHandler());
      AppMasterAddress place = AppMasterAddress.ofEnvironment();
      CallerContext.setCurrent(
          new CallerContext.Builder("mr_appmaster_" + place.attempt()).build());
      DroverAppMaster appMaster = new DroverAppMaster(place, SystemClock.getInstance(), true);
      ShutdownHookManager.get()
          .addShutdownHook(
              new DroverShutdownHook(appMaster, appMaster::signalled),
              DroverAppMaster.SHUTDOWN_HOOK_PRIORITY);
      JobConf conf = new JobConf(new YarnConfiguration());
      conf.addResource(new Path(MRJobConfig.JOB_CONF_FILE));
      MRWebAppUtil.initialize(conf);
      String properties = MRApps.getSystemPropertiesToLog(conf);
      if (properties != null) {
        LOG.info(properties);
      }
      String user = System.getenv(Environment.USER.name());
      conf.set(MRJobConfig.USER_NAME, user);
      DroverAppMaster.run(appMaster, conf, user);
    } catch (Throwable t) {
      LOG.error("Drover's AppMaster could not be started", t);
      ExitUtil.terminate(1, t);
    }
  }

  /**
   * Ends the process with Hadoop's exit status. Stock Hadoop ends it at the end of a job only if
   * its own {@code main} was called, and otherwise only records the status.
   */
  static void end() {
    ExitUtil.ExitException wouldHave = ExitUtil.getFirstExitException();
    System.exit(wouldHave == null ? 0 : wouldHave.status);
  }
}
