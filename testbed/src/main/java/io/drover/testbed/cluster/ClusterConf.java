// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.host.HostNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFs;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.local.LocalConfigKeys;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.server.jobtracker.JTConfig;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;

/** Makes the configuration of a small cluster on one machine, which is real and fast. */
final class ClusterConf {
  /** The memory of each container, MB. */
  private static final int CONTAINER_MB = 256;

  private static final int NAME_NODE = 0;
  private static final int NAME_NODE_WEB = 1;
  private static final int HISTORY = 2;
  private static final int HISTORY_WEB = 3;
  private static final int HISTORY_ADMIN = 4;

  /** The ResourceManagers' ports come last, those of the second after those of the first. */
  private static final int RESOURCE_MANAGERS = 5;

  private static final int RM = 0;
  private static final int RM_SCHEDULER = 1;
  private static final int RM_TRACKER = 2;
  private static final int RM_ADMIN = 3;
  private static final int RM_WEB = 4;
  private static final int CHANNEL = 5;
  private static final int RM_PORTS = 6;

  /** How many ports a cluster uses at most. */
  static final int PORTS = RESOURCE_MANAGERS + 2 * RM_PORTS;

  private final ClusterSpec spec;
  private final HostNetwork network;
  private final Layout layout;

  ClusterConf(ClusterSpec spec, HostNetwork network, Layout layout) {
    this.spec = spec;
    this.network = network;
    this.layout = layout;
  }

  /** Returns the settings of every daemon, for the site files that all of them read. */
  Map<String, String> daemons() {
    Map<String, String> conf = shared();
    hdfs(conf);
    yarn(conf);
    if (spec.droverScheduler()) {
      droverScheduler(conf);
    }
    if (spec.losingHost().isPresent()) {
      conf.put("yarn.drover.statistics.dir", layout.statistics().toUri().toString());
    }
    nodeManagers(conf);
    conf.putAll(spec.daemonConf());
    return conf;
  }

  /** Returns the configuration of clients and jobs. */
  Configuration client() {
    Map<String, String> conf = shared();
    jobs(conf);
    conf.putAll(spec.jobConf());
    Configuration configuration = new Configuration();
    conf.forEach((key, value) -> configuration.set(key, value, "drover cluster"));
    return configuration;
  }

  /**
   * Returns the URL of a ResourceManager's page.
   *
   * @param number of the ResourceManager, from 0
   */
  String resourceManagerPage(int number) {
    return "http://" + endpoint(number, RM_WEB) + "/cluster";
  }

  /** Returns the base URL of a ResourceManager's web services. */
  String resourceManagerServices(int number) {
    return "http://" + endpoint(number, RM_WEB) + "/ws/v1/cluster";
  }

  private String endpoint(int resourceManager, int port) {
    return network.endpoint(RESOURCE_MANAGERS + resourceManager * RM_PORTS + port);
  }

  private Map<String, String> shared() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("fs.defaultFS", "hdfs://" + network.endpoint(NAME_NODE));
    conf.put("fs.file.impl", LocalFiles.class.getName());
    conf.put("fs.AbstractFileSystem.file.impl", LocalFiles.InContext.class.getName());
    conf.put("hadoop.tmp.dir", layout.temp().toString());
    conf.put("net.topology.node.switch.mapping.impl", RackTable.class.getName());
    conf.put(RackTable.KEY, network.rackTable());
    conf.put("ipc.client.connect.retry.interval", "200");
    conf.put("dfs.replication", "2");
    conf.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");

    if (spec.standbyResourceManager()) {
      twoResourceManagers(conf);
    } else {
      addresses(conf, 0, "");
    }
    // By default all clusters of a user share one below the machine's temporary directory.
    conf.put(
        "yarn.node-attribute.fs-store.root-dir",
        layout.master().resolve("node-attributes").toUri().toString());
    conf.put("yarn.resourcemanager.connect.retry-interval.ms", "200");
    conf.put("yarn.client.application-client-protocol.poll-interval-ms", "50");
    conf.put("yarn.log-aggregation-enable", "false");
    conf.put("yarn.timeline-service.enabled", "false");

    conf.put("mapreduce.framework.name", "yarn");
    conf.put("mapreduce.jobhistory.address", network.endpoint(HISTORY));
    conf.put("mapreduce.jobhistory.webapp.address", network.endpoint(HISTORY_WEB));
    conf.put("mapreduce.jobhistory.admin.address", network.endpoint(HISTORY_ADMIN));
    return conf;
  }

  private void addresses(Map<String, String> conf, int resourceManager, String suffix) {
    String prefix = "yarn.resourcemanager.";
    conf.put(prefix + "address" + suffix, endpoint(resourceManager, RM));
    conf.put(prefix + "scheduler.address" + suffix, endpoint(resourceManager, RM_SCHEDULER));
    conf.put(prefix + "resource-tracker.address" + suffix, endpoint(resourceManager, RM_TRACKER));
    conf.put(prefix + "admin.address" + suffix, endpoint(resourceManager, RM_ADMIN));
    conf.put(prefix + "webapp.address" + suffix, endpoint(resourceManager, RM_WEB));
    if (spec.droverScheduler()) {
      conf.put("yarn.drover.channel.address" + suffix, endpoint(resourceManager, CHANNEL));
    }
  }

  private void twoResourceManagers(Map<String, String> conf) {
    List<String> ids = ResourceManagerDaemon.IDS;
    for (int number = 0; number < ids.size(); number++) {
      addresses(conf, number, "." + ids.get(number));
    }
    conf.put("yarn.resourcemanager.ha.enabled", "true");
    conf.put("yarn.resourcemanager.ha.rm-ids", String.join(",", ids));
    conf.put("yarn.resourcemanager.ha.automatic-failover.enabled", "false");
    conf.put("yarn.resourcemanager.cluster-id", "drover");
    conf.put("yarn.resourcemanager.recovery.enabled", "true");
    conf.put("yarn.resourcemanager.store.class", FileSystemRMStateStore.class.getName());
    conf.put("yarn.resourcemanager.fs.state-store.uri", "/resource-managers");
    conf.put("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "1000");
    conf.put("yarn.client.failover-sleep-base-ms", "100");
    conf.put("yarn.client.failover-sleep-max-ms", "1000");
  }

  private void hdfs(Map<String, String> conf) {
    conf.put("dfs.namenode.rpc-address", network.endpoint(NAME_NODE));
    conf.put("dfs.namenode.http-address", network.endpoint(NAME_NODE_WEB));
    conf.put("dfs.namenode.name.dir", layout.master().resolve("names").toUri().toString());
    conf.put("dfs.namenode.safemode.extension", "0");
    conf.put("dfs.namenode.edits.noeditlogchannelflush", "true"); // nothing outlives the cluster
    conf.put("dfs.permissions.enabled", "false");
    // Without addresses of their own, the NameNode sees every DataNode at 127.0.0.1, and tells them
    // apart by their names.
    String dataNode = network.isApart() ? "0.0.0.0:0" : "127.0.0.1:0";
    conf.put("dfs.datanode.address", dataNode);
    conf.put("dfs.datanode.http.address", dataNode);
    conf.put("dfs.datanode.ipc.address", dataNode);
    conf.put("dfs.heartbeat.interval", "1");
    conf.put("dfs.namenode.heartbeat.recheck-interval", "5000"); // a dead one is found within 20 s
    conf.put("dfs.datanode.handler.count", "3");
    conf.put("dfs.datanode.directoryscan.interval", "-1");
    conf.put("dfs.block.scanner.volume.bytes.per.second", "0");
  }

  private void yarn(Map<String, String> conf) {
    conf.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    conf.put(
        "yarn.nm.liveness-monitor.expiry-interval-ms", Long.toString(spec.nodeExpiry().toMillis()));
    conf.put("yarn.scheduler.minimum-allocation-mb", Integer.toString(CONTAINER_MB / 2));
    conf.put("yarn.scheduler.maximum-allocation-mb", Integer.toString(nodeMemory()));
    conf.put("yarn.scheduler.capacity.root.queues", "default");
    conf.put("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.put("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
    conf.put("yarn.scheduler.capacity.node-locality-delay", Integer.toString(hosts()));
    // One container a heartbeat: a job spreads over the hosts, as it would on a busy cluster.
    conf.put("yarn.scheduler.capacity.per-node-heartbeat.maximum-container-assignments", "1");
  }

  /** Switches Drover's scheduler on as the files in conf/ do. */
  private static void droverScheduler(Map<String, String> conf) {
    conf.put("yarn.resourcemanager.scheduler.class", "io.drover.scheduler.DroverCapacityScheduler");
    conf.put("yarn.webapp.custom.webservice.class", "io.drover.scheduler.web.DroverWebServices");
  }

  private void nodeManagers(Map<String, String> conf) {
    conf.put("yarn.nodemanager.resource.memory-mb", Integer.toString(nodeMemory()));
    conf.put("yarn.nodemanager.resource.cpu-vcores", "64");
    conf.put("yarn.nodemanager.pmem-check-enabled", "false");
    conf.put("yarn.nodemanager.vmem-check-enabled", "false");
    conf.put("yarn.nodemanager.container-monitor.enabled", "false");
    conf.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100.0");
    conf.put("yarn.nodemanager.disk-health-checker.min-free-space-per-disk-mb", "0");
    conf.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    conf.put(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "org.apache.hadoop.mapred.ShuffleHandler");
    conf.put("mapreduce.shuffle.port", "0");
    conf.put("yarn.nodemanager.delete.debug-delay-sec", "0");
    // Otherwise each container would first list its directory, with three more processes.
    conf.put("yarn.nodemanager.log-container-debug-info.enabled", "false");
  }

  private void jobs(Map<String, String> conf) {
    conf.put("yarn.app.mapreduce.am.resource.mb", Integer.toString(CONTAINER_MB));
    conf.put("yarn.app.mapreduce.am.command-opts", "-Xmx192m" + arguments());
    conf.put("mapreduce.map.memory.mb", Integer.toString(CONTAINER_MB));
    conf.put("mapreduce.map.java.opts", "-Xmx128m" + arguments());
    conf.put("mapreduce.reduce.memory.mb", Integer.toString(CONTAINER_MB));
    conf.put("mapreduce.reduce.java.opts", "-Xmx128m" + arguments());
    conf.put("mapreduce.task.io.sort.mb", "16");
    conf.put(MRConfig.RESOURCE_CALCULATOR_PROCESS_TREE, NoProcessTree.class.getName());
    conf.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "250");
    conf.put("mapreduce.client.progressmonitor.pollinterval", "200");
    conf.put("mapreduce.client.completion.pollinterval", "200");
    conf.put("mapreduce.client.genericoptionsparser.used", "true"); // no command line to parse
    // For local jobs. By default it is below the machine's temporary directory, and stays there.
    conf.put(JTConfig.JT_STAGING_AREA_ROOT, layout.temp().resolve("local-staging").toString());
  }

  private String arguments() {
    return " @" + layout.containerArguments();
  }

  private int hosts() {
    return network.hosts().size();
  }

  private int nodeMemory() {
    return spec.containersPerHost() * CONTAINER_MB;
  }

  /**
   * Hadoop's local file system, which sets permissions in its own process. Hadoop does so too if it
   * has its native library, as on most clusters. Without it, as here, it starts a {@code chmod} for
   * each file and directory that it creates: about five hundred for each job of the demo.
   */
  public static final class LocalFiles extends LocalFileSystem {

    /** Creates the file system. Hadoop calls this. */
    public LocalFiles() {
      super(new Raw());
    }

    private static final class Raw extends RawLocalFileSystem {
      @Override
      public void setPermission(Path path, FsPermission permission) throws IOException {
        Files.setAttribute(pathToFile(path).toPath(), "unix:mode", (int) permission.toShort());
      }
    }

    /** The same for {@link org.apache.hadoop.fs.FileContext}, which NodeManagers use. */
    public static final class InContext extends ChecksumFs {

      /** Creates the file system. Hadoop calls this. */
      public InContext(URI uri, Configuration conf) throws IOException, URISyntaxException {
        super(new RawInContext(uri, conf));
      }
    }

    /** Does what {@link org.apache.hadoop.fs.local.RawLocalFs} does. */
    private static final class RawInContext extends DelegateToFileSystem {
      private static final int NO_PORT = -1;

      RawInContext(URI uri, Configuration conf) throws IOException, URISyntaxException {
        super(uri, new Raw(), conf, FsConstants.LOCAL_FS_URI.getScheme(), false);
      }

      @Override
      public int getUriDefaultPort() {
        return NO_PORT;
      }

      @Override
      public FsServerDefaults getServerDefaults(Path path) throws IOException {
        return LocalConfigKeys.getServerDefaults();
      }

      @Override
      public boolean isValidName(String src) {
        return true; // the operating system decides
      }
    }
  }

  /**
   * Measures nothing. Otherwise each task would scan all processes every few seconds to count its
   * memory and processor time, and here the tasks of all hosts are on one machine.
   */
  public static final class NoProcessTree extends ResourceCalculatorProcessTree {

    /** Creates an instance for a process id. Hadoop calls this. */
    public NoProcessTree(String pid) {
      super(pid);
    }

    @Override
    public void updateProcessTree() {
      // nothing is measured
    }

    @Override
    public String getProcessTreeDump() {
      return "";
    }

    @Override
    public boolean checkPidPgrpidForMatch() {
      return true;
    }

    @Override
    public float getCpuUsagePercent() {
      return UNAVAILABLE;
    }
  }
}
