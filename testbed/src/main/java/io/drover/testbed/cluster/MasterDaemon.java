// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's master process: HDFS, JobHistoryServer, and the ResourceManager if there is only
 * one. It is also the last to end. When the owner is gone, it kills what is left of the cluster and
 * removes its directory.
 */
public final class MasterDaemon {
  static final String HDFS = "HDFS";
  static final String RESOURCE_MANAGER = "ResourceManager";
  static final String HISTORY_SERVER = "JobHistoryServer";

  /** The command that stops a host's DataNode. The host's name follows. */
  static final String STOP_DATA_NODE = "stop-datanode ";

  private static final Logger LOG = LoggerFactory.getLogger(MasterDaemon.class);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(20);

  private final Layout layout;
  private final Hdfs hdfs = new Hdfs();

  private MasterDaemon(Layout layout) {
    this.layout = layout;
  }

  /** Starts the daemons. Arguments: the cluster's directory, and the hosts that get a DataNode. */
  public static void main(String[] arguments) {
    MasterDaemon master = new MasterDaemon(Layout.of(arguments[0]));
    OwnerWatch.start(master::command, master::cleanUp);
    master.start(List.of(arguments).subList(1, arguments.length));
  }

  private void start(List<String> hosts) {
    DefaultMetricsSystem.setMiniClusterMode(true); // several daemons, one metrics system
    YarnConfiguration conf = new YarnConfiguration();
    CompletableFuture<Void> storage = inBackground(HDFS, () -> hdfs.start(layout, hosts));
    CompletableFuture<Void> history =
        storage.thenCompose(
            done ->
                inBackground(
                    HISTORY_SERVER,
                    () -> start(new JobHistoryServer(), new YarnConfiguration(new JobConf()))));
    CompletableFuture<Void> before =
        hasOneWebApp() ? history : CompletableFuture.completedFuture(null);
    CompletableFuture<Void> resourceManager =
        HAUtil.isHAEnabled(conf)
            ? CompletableFuture.completedFuture(null) // each has a process of its own
            : before.thenCompose(
                done -> inBackground(RESOURCE_MANAGER, () -> start(new ResourceManager(), conf)));
    CompletableFuture.allOf(resourceManager, storage, history).join();
  }

  /**
   * Returns whether a process serves only the web application that has started last, which must
   * then be the ResourceManager's. Before Hadoop 3.5 web services go through Guice, whose filter is
   * one for all.
   */
  private static boolean hasOneWebApp() {
    return VersionInfo.getVersion().startsWith("3.4.");
  }

  private static void start(Service service, YarnConfiguration conf) {
    service.init(conf);
    service.start();
  }

  private interface Start {
    void run() throws IOException, InterruptedException;
  }

  private CompletableFuture<Void> inBackground(String part, Start start) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                start.run();
                layout.signal(part);
                future.complete(null);
              } catch (IOException | InterruptedException | RuntimeException | Error e) {
                LOG.error("{} could not be started", part, e);
                Runtime.getRuntime().halt(1);
              }
            },
            "start-" + part);
    thread.start();
    return future;
  }

  private void command(String line) {
    if (!line.startsWith(STOP_DATA_NODE)) {
      LOG.warn("No such command: {}", line);
      return;
    }
    String host = line.substring(STOP_DATA_NODE.length());
    Thread thread = new Thread(() -> hdfs.stopDataNode(host), "stop-datanode-" + host);
    thread.start();
  }

  private void cleanUp() throws IOException, InterruptedException {
    Processes.killUnder(layout.root(), KILL_LIMIT);
    Layout.delete(layout.root());
  }

  /** HDFS in one process: a NameNode, and a DataNode under the name of each host. */
  static final class Hdfs {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Map<String, DataNode> dataNodes = new ConcurrentHashMap<>();

    /** Formats and starts the NameNode, starts the DataNodes, and waits until all are live. */
    void start(Layout layout, List<String> hosts) throws IOException, InterruptedException {
      Configuration conf = new HdfsConfiguration();
      NameNode.format(conf);
      NameNode nameNode = NameNode.createNameNode(new String[0], conf);
      for (String host : hosts) {
        dataNodes.put(host, startDataNode(layout.host(host).resolve("blocks"), host));
      }
      boolean complete =
          Await.until(
              LIMIT,
              PAUSE,
              () ->
                  nameNode.getNamesystem().getNumLiveDataNodes() == hosts.size()
                      && !nameNode.isInSafeMode());
      if (!complete) {
        throw new IOException(
            "the NameNode knows "
                + nameNode.getNamesystem().getNumLiveDataNodes()
                + " DataNodes of "
                + hosts.size());
      }
    }

    /** Stops the DataNode of a host that dies, so that its blocks can no longer be read there. */
    void stopDataNode(String host) {
      DataNode dataNode = dataNodes.remove(host);
      if (dataNode != null) {
        dataNode.shutdown();
      }
    }

    static DataNode startDataNode(Path blocks, String host) throws IOException {
      Files.createDirectories(blocks);
      Configuration conf = new HdfsConfiguration();
      conf.set(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, host);
      conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, blocks.toUri().toString());
      DataNode dataNode = DataNode.instantiateDataNode(new String[0], conf);
      dataNode.runDatanodeDaemon();
      return dataNode;
    }
  }
}
