// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ResourceMgrDelegate;
import org.apache.hadoop.mapred.YARNRunner;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits jobs to YARN as Hadoop does, with Drover's AppMaster in the place of the stock one.
 *
 * <p>The command that starts the AppMaster is Hadoop's, with its last word exchanged, the class to
 * start: options of users and administrators stay, and those that Hadoop puts behind them come
 * before the class, as they must. Where a user's options name a class of their own, that one is
 * started, as ever; it sees another word as its first argument.
 *
 * <p>Hadoop compares the framework's name with {@code yarn} in one place, {@code
 * SharedCacheConfig}, which is asked while a job's files are uploaded. So from the moment a job
 * gets its id its configuration says {@code yarn}, in the job's file too, and others who compare,
 * in its tasks, find what they expect. It is not said before: a client may be made from a
 * configuration from which jobs are made later ({@code JobClient} does so), and they would run in
 * Hadoop's AppMaster.
 */
final class DroverRunner extends YARNRunner {
  private static final Logger LOG = LoggerFactory.getLogger(DroverRunner.class);

  /** The end of Hadoop's command: the class, and where its output goes. */
  private static final String STOCK = " " + MRJobConfig.APPLICATION_MASTER_CLASS + " 1>";

  /** By name: its superclass need not be on the class path of a client. */
  static final String APP_MASTER = "io.drover.appmaster.DroverAppMaster";

  private static final String OURS = " " + APP_MASTER + " 1>";

  /** The one that the job's submission goes on filling in: no copy would do. */
  private final Configuration conf;

  DroverRunner(Configuration conf) {
    super(conf);
    this.conf = conf;
  }

  /** With another way to the ResourceManager. */
  DroverRunner(Configuration conf, ResourceMgrDelegate resourceManager) {
    super(conf, resourceManager);
    this.conf = conf;
  }

  /** A submission begins with this, before any file is uploaded. */
  @Override
  public JobID getNewJobID() throws IOException, InterruptedException {
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME, "drover");
    return super.getNewJobID();
  }

  @Override
  public ApplicationSubmissionContext createApplicationSubmissionContext(
      Configuration jobConf, String jobSubmitDir, Credentials credentials) throws IOException {
    ApplicationSubmissionContext context =
        super.createApplicationSubmissionContext(jobConf, jobSubmitDir, credentials);
    ContainerLaunchContext appMaster = context.getAMContainerSpec();
    appMaster.setCommands(
        appMaster.getCommands().stream().map(DroverRunner::withOurAppMaster).toList());
    context.setAMContainerSpec(appMaster);
    return context;
  }

  private static String withOurAppMaster(String command) {
    int at = command.lastIndexOf(STOCK);
    if (at < 0) {
      LOG.warn(
          "The job runs in Hadoop's AppMaster: Drover does not know this command: {}", command);
      return command;
    }
    return command.substring(0, at) + OURS + command.substring(at + STOCK.length());
  }
}
