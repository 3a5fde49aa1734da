// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.ClusterSpec.AppMasterOptions;
import io.drover.testbed.host.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationAttemptState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster that Hadoop's configuration on the class path names, with Drover switched on in it.
 * This class changes nothing in it. {@link #close} removes the jobs and files that were made on it,
 * even if this process is told to end.
 */
public final class ExistingCluster implements Cluster {
  private static final Logger LOG = LoggerFactory.getLogger(ExistingCluster.class);

  /** Hosts that are used. In a large cluster, the few tasks of a job would not find a slow node. */
  private static final int MOST_HOSTS = 12;

  private static final String SPECULATOR = MRJobConfig.MR_AM_JOB_SPECULATOR;

  private static final Set<YarnApplicationAttemptState> ENDED =
      EnumSet.of(
          YarnApplicationAttemptState.FINISHED,
          YarnApplicationAttemptState.FAILED,
          YarnApplicationAttemptState.KILLED);

  private final String tag = "drover-" + UUID.randomUUID();
  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final YarnClient yarn;
  private final List<Host> hosts;
  private final org.apache.hadoop.fs.Path jobFiles;
  private final Path directory;
  private final Runnable hook = this::closeAtExit;

  private ExistingCluster(Configuration conf, DistributedFileSystem fs, YarnClient yarn)
      throws IOException {
    this.conf = conf;
    this.fs = fs;
    this.yarn = yarn;
    hosts = someOf(running(yarn));
    jobFiles = fs.makeQualified(new org.apache.hadoop.fs.Path(fs.getHomeDirectory(), tag));
    fs.mkdirs(jobFiles);
    directory = Files.createTempDirectory("drover-");
    ShutdownHookManager.get().addShutdownHook(hook, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1);
  }

  /**
   * Connects to the cluster of the configuration.
   *
   * @param listener told when the cluster has answered
   * @throws ClusterException if the configuration names no cluster, or one on which jobs cannot be
   *     compared; one line says why
   * @throws IOException if it does not answer
   */
  public static ExistingCluster connect(StartListener listener) throws IOException {
    return connect(new JobConf(new YarnConfiguration(new HdfsConfiguration())), listener);
  }

  /** Connects to the cluster of another configuration than that on the class path. */
  public static ExistingCluster connect(Configuration conf, StartListener listener)
      throws IOException {
    if (!(FileSystem.get(conf) instanceof DistributedFileSystem hdfs)) {
      throw new ClusterException(
          "the cluster's file system is "
              + FileSystem.getDefaultUri(conf)
              + ", but it must be HDFS: set HADOOP_CONF_DIR to the directory of a cluster's"
              + " core-site.xml and yarn-site.xml");
    }
    check(conf);
    YarnClient yarn = client(conf);
    boolean connected = false;
    try {
      ExistingCluster cluster = new ExistingCluster(conf, hdfs, yarn);
      connected = true;
      listener.step(1, 1, "connected");
      return cluster;
    } finally {
      if (!connected) {
        yarn.close();
      }
    }
  }

  private static void check(Configuration conf) throws ClusterException {
    if (!isDrovers(conf)) {
      throw new ClusterException(
          "Drover is not switched on in this cluster: add conf/mapred-site-appmaster.xml to the"
              + " mapred-site.xml in HADOOP_CONF_DIR");
    }
    if (ownJar() == null) {
      throw new ClusterException(
          "the demo's classes must be in a jar for this cluster: use bin/drover");
    }
  }

  /** Returns a client that gives up soon. By default it would try for a quarter of an hour. */
  private static YarnClient client(Configuration conf) {
    Configuration impatient = new Configuration(conf);
    impatient.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, 10_000);
    impatient.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, 1_000);
    impatient.setInt("ipc.client.connect.max.retries", 1);
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(impatient);
    yarn.start();
    return yarn;
  }

  private static String ownJar() {
    return ClassUtil.findContainingJar(ExistingCluster.class);
  }

  private static boolean isDrovers(Configuration conf) {
    return AppMasterOptions.areDrovers(conf.get(AppMasterOptions.KEY, ""))
        || hasDroversSpeculator(conf)
        || "drover".equals(conf.get(MRConfig.FRAMEWORK_NAME));
  }

  private static boolean hasDroversSpeculator(Configuration conf) {
    return conf.get(SPECULATOR, "").startsWith("io.drover.");
  }

  @Override
  public Configuration clientConf() {
    Configuration stock = new Configuration(conf);
    stock.set(AppMasterOptions.KEY, AppMasterOptions.forHadoop(conf.get(AppMasterOptions.KEY, "")));
    if (hasDroversSpeculator(conf)) { // otherwise the AppMaster chooses: Drover's has its own
      stock.set(SPECULATOR, DefaultSpeculator.class.getName());
    }
    stock.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
    stock.set(MRJobConfig.JAR, ownJar());
    stock.set(MRJobConfig.JOB_TAGS, tag);
    stock.set("mapreduce.client.genericoptionsparser.used", "true"); // no command line to parse
    return stock;
  }

  /** Returns the settings of the cluster's own configuration. */
  @Override
  public Map<String, String> underDrover() {
    Map<String, String> settings = new TreeMap<>();
    for (String key : List.of(AppMasterOptions.KEY, SPECULATOR, MRConfig.FRAMEWORK_NAME)) {
      if (conf.get(key) != null) {
        settings.put(key, conf.getRaw(key));
      }
    }
    return settings;
  }

  /** Returns the hosts that ran at the start; if many, a few from as many racks as possible. */
  @Override
  public List<Host> hosts() {
    return hosts;
  }

  @Override
  public List<Host> liveHosts() throws IOException {
    Set<Host> live = Set.copyOf(running(yarn));
    return hosts.stream().filter(live::contains).toList();
  }

  private static List<Host> running(YarnClient yarn) throws IOException {
    List<Host> running = new ArrayList<>();
    try {
      for (NodeReport node : yarn.getNodeReports(NodeState.RUNNING)) {
        String name = node.getNodeId().getHost();
        running.add(new Host(name, name, node.getRackName()));
      }
    } catch (YarnException e) {
      throw new IOException(e);
    }
    if (running.isEmpty()) {
      throw new ClusterException(
          "no NodeManager is running: `yarn node -list -all` shows the state of each");
    }
    return running;
  }

  /** Takes a host of each rack in turn until there are enough. Returns them rack by rack. */
  static List<Host> someOf(List<Host> all) {
    Comparator<Host> order = Comparator.comparing(Host::rack).thenComparing(Host::name);
    Map<String, Deque<Host>> racks = new TreeMap<>();
    all.stream()
        .sorted(order)
        .forEach(host -> racks.computeIfAbsent(host.rack(), r -> new ArrayDeque<>()).add(host));
    List<Host> some = new ArrayList<>();
    while (some.size() < Math.min(MOST_HOSTS, all.size())) {
      racks.values().stream()
          .filter(rack -> !rack.isEmpty() && some.size() < MOST_HOSTS)
          .forEach(rack -> some.add(rack.remove()));
    }
    some.sort(order);
    return List.copyOf(some);
  }

  @Override
  public boolean isRunning(String jobId) throws IOException {
    try {
      return yarn
          .getApplicationAttempts(TypeConverter.toYarn(JobID.forName(jobId)).getAppId())
          .stream()
          .anyMatch(attempt -> !ENDED.contains(attempt.getYarnApplicationAttemptState()));
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }

  @Override
  public String jobFiles() {
    return jobFiles.toString();
  }

  @Override
  public Path directory() {
    return directory;
  }

  /** Kills the jobs that still run, and removes their files. */
  @Override
  public void close() throws IOException {
    ShutdownHookManager hooks = ShutdownHookManager.get();
    if (!hooks.isShutdownInProgress() && !hooks.removeShutdownHook(hook)) {
      return; // already closed
    }
    try {
      killJobs();
      fs.delete(jobFiles, true);
    } finally {
      yarn.close();
      Layout.delete(directory);
    }
  }

  private void killJobs() throws IOException {
    GetApplicationsRequest ours =
        GetApplicationsRequest.newInstance(
            EnumSet.of(
                YarnApplicationState.NEW,
                YarnApplicationState.NEW_SAVING,
                YarnApplicationState.SUBMITTED,
                YarnApplicationState.ACCEPTED,
                YarnApplicationState.RUNNING));
    ours.setApplicationTags(Set.of(tag));
    try {
      for (ApplicationReport job : yarn.getApplications(ours)) {
        yarn.killApplication(job.getApplicationId());
      }
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }

  private void closeAtExit() {
    try {
      close();
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("Jobs with the tag {} or files in {} may be left", tag, jobFiles, e);
    }
  }
}
