// SPDX-License-Identifier: Apache-2.0
package io.drover.it.smoke;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.mapreduce.v2.jobhistory.JHAdminConfig;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.TableMapping;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.util.KnownRacks;
import org.awaitility.Awaitility;

/**
 * Hadoop's {@link MiniMRYarnCluster} with Drover dropped in: the ResourceManager, with {@code
 * conf/yarn-site.xml} as operators have it, the history server and three NodeManagers in this
 * process. AppMasters and tasks are processes of their own. Files are on the local disk.
 *
 * <p>NodeManagers that Hadoop's cluster starts itself are all on one host. Here each has an address
 * of its own, and a rack, or nothing could be kept apart or placed.
 */
final class MiniCluster implements AutoCloseable {
  static final List<String> HOSTS = List.of("127.0.0.11", "127.0.0.12", "127.0.0.13");

  /** The memory of each task, MB; an AppMaster has twice as much. */
  static final int TASK_MB = 256;

  /** How many tasks have room on a node. */
  static final int TASKS_PER_NODE = 16;

  private static final String JVM = " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Path home;
  private final MiniMRYarnCluster master;
  private final List<NodeManager> nodes = new ArrayList<>();

  private MiniCluster(Path home) {
    this.home = home;
    this.master = new MiniMRYarnCluster(home.getFileName().toString(), 0);
  }

  /**
   * Starts a cluster.
   *
   * @param home an empty directory for all that its jobs read and write
   * @param files of operators: {@code conf/}
   */
  static MiniCluster start(Path home, Path files) throws Exception {
    MiniCluster cluster = new MiniCluster(home);
    boolean runs = false;
    KnownRacks.forget(); // those of other tests' clusters
    // A NodeManager's localizer throws on its own thread if its container is killed early.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
    try {
      cluster.master.init(cluster.daemons(files));
      cluster.master.start();
      for (String host : HOSTS) {
        cluster.startNode(host);
      }
      runs = true;
      return cluster;
    } finally {
      if (!runs) {
        cluster.close();
      }
    }
  }

  private Configuration daemons(Path files) throws IOException {
    Configuration conf = new YarnConfiguration();
    conf.addResource(new org.apache.hadoop.fs.Path(files.resolve("yarn-site.xml").toUri()));
    conf.set("yarn.drover.channel.address", "127.0.0.1:" + freePort());
    conf.set("yarn.drover.channel.period", "500ms");
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "file:///");
    conf.set(MRJobConfig.MR_AM_STAGING_DIR, home.resolve("staging").toString());
    Path racks = home.resolve("racks");
    Files.writeString(
        racks,
        HOSTS.stream()
            .map(host -> host + " /rack" + host.substring(host.lastIndexOf('.') + 1) + "\n")
            .collect(Collectors.joining()));
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        TableMapping.class,
        DNSToSwitchMapping.class);
    conf.set(CommonConfigurationKeysPublic.NET_TOPOLOGY_TABLE_MAPPING_FILE_KEY, racks.toString());
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, TASK_MB);
    conf.setInt(YarnConfiguration.NM_PMEM_MB, TASKS_PER_NODE * TASK_MB);
    conf.setInt(YarnConfiguration.NM_VCORES, 2 * TASKS_PER_NODE);
    conf.setInt(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 200);
    conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    conf.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 100);
    conf.set("yarn.scheduler.capacity.root.queues", "default");
    conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
    return conf;
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return any.getLocalPort();
    }
  }

  private void startNode(String host) {
    Configuration conf = new YarnConfiguration(master.getConfig());
    conf.set(YarnConfiguration.NM_ADDRESS, host + ":0");
    conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, host + ":0");
    conf.set(YarnConfiguration.NM_WEBAPP_ADDRESS, host + ":0");
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, home.resolve(host + "/local").toString());
    conf.set(YarnConfiguration.NM_LOG_DIRS, home.resolve(host + "/logs").toString());
    NodeManager node = new NodeManager();
    nodes.add(node);
    node.init(conf);
    node.start();
  }

  /** Returns what a job needs to run here in Hadoop's own AppMaster. */
  Configuration stockJob() {
    Configuration conf = new Configuration(master.getConfig());
    conf.set(MRJobConfig.MR_AM_COMMAND_OPTS, "-Xmx300m" + JVM);
    conf.set(MRJobConfig.MAP_JAVA_OPTS, "-Xmx160m" + JVM);
    conf.set(MRJobConfig.REDUCE_JAVA_OPTS, "-Xmx160m" + JVM);
    conf.setInt(MRJobConfig.MAP_MEMORY_MB, TASK_MB);
    conf.setInt(MRJobConfig.REDUCE_MEMORY_MB, TASK_MB);
    conf.setInt(MRJobConfig.MR_AM_VMEM_MB, 2 * TASK_MB);
    conf.setInt(MRJobConfig.IO_SORT_MB, 16);
    conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, 250);
    conf.setInt("mapreduce.client.completion.pollinterval", 200);
    conf.setInt(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, 1000);
    return conf;
  }

  /** Returns the configuration of clients. */
  Configuration conf() {
    return master.getConfig();
  }

  /** Returns the web address of the JobHistoryServer. */
  URI historyServer() {
    return URI.create("http://" + master.getConfig().get(JHAdminConfig.MR_HISTORY_WEBAPP_ADDRESS));
  }

  /** Returns what the ResourceManager's web service says of Drover. */
  JsonNode scheduler() throws IOException, InterruptedException {
    String web = master.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + web + "/ws/v1/cluster/drover"))
            .header("Accept", "application/json")
            .timeout(LIMIT)
            .build();
    return JSON.readTree(HTTP.send(request, BodyHandlers.ofString()).body());
  }

  @Override
  public void close() {
    try {
      nodes.parallelStream().forEach(NodeManager::stop); // one waits for many seconds
    } finally {
      master.stop();
      KnownRacks.forget();
    }
  }
}
