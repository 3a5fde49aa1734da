// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import io.drover.appmaster.StagingFiles;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
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

  /** A class of each module that the AppMaster needs. */
  private static final List<String> PARTS =
      List.of(
          APP_MASTER,
          "io.drover.core.config.JobSettings",
          "io.drover.channel.ChannelClient",
          "io.drover.speculator.DroverSpeculator");

  /** The jar's name in the working directory of the AppMaster. */
  static final String JAR = "drover.jar";

  /** The one that the job's submission goes on filling in: no copy would do. */
  private final Configuration conf;

  /** The jar that is sent along, if there is one. */
  private final Supplier<Optional<URL>> ourJar;

  DroverRunner(Configuration conf) {
    super(conf);
    this.conf = conf;
    this.ourJar = () -> jar(DroverRunner.class.getClassLoader());
  }

  /** With another way to the ResourceManager, and another jar. */
  DroverRunner(
      Configuration conf, ResourceMgrDelegate resourceManager, Supplier<Optional<URL>> ourJar) {
    super(conf, resourceManager);
    this.conf = conf;
    this.ourJar = ourJar;
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
    boolean isOurs = appMaster.getCommands().stream().anyMatch(command -> command.contains(OURS));
    Optional<URL> jar = isOurs ? ourJar.get() : Optional.empty();
    if (jar.isPresent()) {
      ship(jar.get(), new Path(jobSubmitDir), appMaster);
    } else if (isOurs) {
      LOG.info("Drover is not in one jar here: nodes must have it on the AppMaster's class path");
    }
    context.setAMContainerSpec(appMaster);
    return context;
  }

  /**
   * Sends the jar along, before all else on the AppMaster's class path: it need not be on the
   * nodes, and what version of it is there does not matter.
   */
  private void ship(URL jar, Path submitDir, ContainerLaunchContext appMaster) throws IOException {
    FileSystem fs = submitDir.getFileSystem(conf);
    Path file = new Path(submitDir, JAR);
    fs.copyFromLocalFile(false, true, new Path(jar.toString()), file);
    StagingFiles.add(appMaster, Map.of(JAR, StagingFiles.resource(fs, file)));
    StagingFiles.first(appMaster, JAR, conf);
  }

  /** The jar that has all of Drover; in a development tree there is none. */
  static Optional<URL> jar(ClassLoader classPath) {
    Set<String> jars = new HashSet<>();
    for (String part : PARTS) {
      URL found = classPath.getResource(part.replace('.', '/') + ".class");
      boolean isInJar = found != null && found.getProtocol().equals("jar");
      jars.add(isInJar ? found.getPath().substring(0, found.getPath().indexOf("!/")) : "");
    }
    String only = jars.iterator().next();
    try {
      return jars.size() == 1 && !only.isEmpty() ? Optional.of(new URL(only)) : Optional.empty();
    } catch (MalformedURLException e) {
      LOG.info("Drover's jar is at no place that Java knows: {}", only, e);
      return Optional.empty();
    }
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
