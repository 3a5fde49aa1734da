// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import io.drover.appmaster.StagingFiles;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
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
 * Submits jobs to YARN as Hadoop does, with Drover's AppMaster in place of the stock one.
 *
 * <p>The command that starts the AppMaster is Hadoop's, except for its last word, the class to
 * start. Options of users and administrators stay. Options that Hadoop puts behind them come before
 * the class, as they must. If a user's options name another class, that class is started as before,
 * and it sees another word as its first argument.
 *
 * <p>Hadoop compares the framework's name with {@code yarn} in one place, {@code
 * SharedCacheConfig}, which is asked while a job's files are uploaded. So from the moment a job
 * gets its id, its configuration says {@code yarn}. The job's file says so too, so others who
 * compare the name in the job's tasks find what they expect. The name is not changed earlier,
 * because a client may be made from a configuration from which jobs are made later ({@code
 * JobClient} does so), and these would run in Hadoop's AppMaster.
 */
final class DroverRunner extends YARNRunner {
  private static final Logger LOG = LoggerFactory.getLogger(DroverRunner.class);

  /** The end of Hadoop's command: the class, and where its output goes. */
  private static final String STOCK = " " + MRJobConfig.APPLICATION_MASTER_CLASS + " 1>";

  /** A name, because a client need not have the superclass on its class path. */
  static final String APP_MASTER = "io.drover.appmaster.DroverAppMaster";

  private static final String OURS = " " + APP_MASTER + " 1>";

  /** A class of each module that the AppMaster needs. */
  private static final List<String> PARTS =
      List.of(
          APP_MASTER,
          "io.drover.core.config.JobSettings",
          "io.drover.channel.ChannelClient",
          "io.drover.speculator.DroverSpeculator");

  /** The name of the jar in the AppMaster's working directory. */
  static final String JAR = "drover.jar";

  /** The configuration itself and no copy, because the job's submission goes on filling it in. */
  private final Configuration conf;

  /** Supplies the jar that is sent along, if there is one. */
  private final Supplier<Optional<URL>> ourJar;

  DroverRunner(Configuration conf) {
    super(conf);
    this.conf = conf;
    this.ourJar = () -> jar(DroverRunner.class.getClassLoader());
  }

  /** Creates a runner with a given connection to the ResourceManager and a given jar. */
  DroverRunner(
      Configuration conf, ResourceMgrDelegate resourceManager, Supplier<Optional<URL>> ourJar) {
    super(conf, resourceManager);
    this.conf = conf;
    this.ourJar = ourJar;
  }

  /** Sets the framework's name. A submission calls this first, before it uploads any file. */
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
      LOG.info("Drover is not in one jar, so nodes need it on the AppMaster's class path");
    }
    context.setAMContainerSpec(appMaster);
    return context;
  }

  /**
   * Sends the jar along and puts it first on the AppMaster's class path. So nodes need not have it,
   * and a version that they have does not matter.
   */
  private void ship(URL jar, Path submitDir, ContainerLaunchContext appMaster) throws IOException {
    FileSystem fs = submitDir.getFileSystem(conf);
    Path file = new Path(submitDir, JAR);
    fs.copyFromLocalFile(false, true, new Path(URI.create(jar.toString())), file);
    StagingFiles.add(appMaster, Map.of(JAR, StagingFiles.resource(fs, file)));
    StagingFiles.first(appMaster, JAR, conf);
  }

  /** Returns the jar that has all of Drover. In a development tree there is none. */
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
      LOG.info("Drover's jar has no valid URL: {}", only, e);
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
