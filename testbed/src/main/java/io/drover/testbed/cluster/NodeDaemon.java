// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.cluster.MasterDaemon.Hdfs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.ResourceView;
import org.apache.hadoop.yarn.server.nodemanager.webapp.WebServer;
import org.apache.hadoop.yarn.server.security.ApplicationACLsManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of one host: a NodeManager, bound to the host's address, and, if hosts have addresses
 * of their own, a DataNode.
 */
public final class NodeDaemon {
  /** The environment of a {@link io.drover.testbed.host.MovableClock}. */
  private static final List<String> CLOCK =
      List.of(
          "LD_PRELOAD",
          "FAKETIME_TIMESTAMP_FILE",
          "FAKETIME_CACHE_DURATION",
          "FAKETIME_DONT_FAKE_MONOTONIC",
          "FAKETIME_FORCE_MONOTONIC_FIX");

  private static final Logger LOG = LoggerFactory.getLogger(NodeDaemon.class);
  private static final Duration DATA_NODE_LIMIT = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(20);

  private NodeDaemon() {}

  /**
   * Starts them. Arguments: the cluster's directory, the host's name, whether it has a DataNode.
   */
  public static void main(String[] arguments) {
    Layout layout = Layout.of(arguments[0]);
    String host = arguments[1];
    Path home = layout.host(host);
    OwnerWatch.start(
        line -> LOG.warn("No such command: {}", line), () -> Processes.killUnder(home, KILL_LIMIT));
    try {
      if (Boolean.parseBoolean(arguments[2])) {
        startDataNode(layout, host);
      }
      NodeManager nodeManager = new QuietNodeManager();
      nodeManager.init(configuration(layout, host));
      nodeManager.start();
      layout.signal(host);
    } catch (IOException | RuntimeException e) {
      LOG.error("The daemons of {} could not be started", host, e);
      Runtime.getRuntime().halt(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void startDataNode(Layout layout, String host)
      throws IOException, InterruptedException {
    DefaultMetricsSystem.setMiniClusterMode(true); // two daemons, one metrics system
    DataNode dataNode = Hdfs.startDataNode(layout.host(host).resolve("blocks"), host);
    if (!Await.until(DATA_NODE_LIMIT, PAUSE, dataNode::isDatanodeFullyStarted)) {
      throw new ClusterException("the NameNode does not know the DataNode of " + host);
    }
  }

  private static Configuration configuration(Layout layout, String host) {
    Configuration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.NM_ADDRESS, host + ":0");
    conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, host + ":0");
    conf.set(YarnConfiguration.NM_WEBAPP_ADDRESS, host + ":0");
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, layout.localFiles(host).toString());
    conf.set(YarnConfiguration.NM_LOG_DIRS, layout.containerLogs(host).toString());
    String clock =
        CLOCK.stream()
            .filter(name -> System.getenv(name) != null)
            .map(name -> name + "=" + System.getenv(name))
            .collect(Collectors.joining(","));
    if (!clock.isEmpty()) { // containers go by the host's clock, too
      conf.set(YarnConfiguration.NM_ADMIN_USER_ENV, clock);
    }
    return conf;
  }

  /** A NodeManager without web pages. Nobody looks at six of them, and each costs a second. */
  private static final class QuietNodeManager extends NodeManager {
    @Override
    protected WebServer createWebServer(
        Context context,
        ResourceView resourceView,
        ApplicationACLsManager aclsManager,
        LocalDirsHandlerService dirsHandler) {
      return new WebServer(context, resourceView, aclsManager, dirsHandler) {
        @Override
        protected void serviceStart() {
          LOG.info("No web server.");
        }
      };
    }
  }
}
