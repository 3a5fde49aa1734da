// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of one of two ResourceManagers. The first becomes active as soon as HDFS runs, where
 * both keep their state; the second is the standby.
 */
public final class ResourceManagerDaemon {
  /** The ids of the two. The first is active at the start. */
  static final List<String> IDS = List.of("rm1", "rm2");

  /** The command that makes this ResourceManager active. */
  static final String ACTIVATE = "activate";

  private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerDaemon.class);
  private static final Duration HDFS_LIMIT = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(25);

  private final Layout layout;
  private final String id;
  private final ResourceManager resourceManager = new ResourceManager();

  private ResourceManagerDaemon(Layout layout, String id) {
    this.layout = layout;
    this.id = id;
  }

  /** Starts the ResourceManager. Arguments: the cluster's directory, which of the two. */
  public static void main(String[] arguments) {
    ResourceManagerDaemon daemon = new ResourceManagerDaemon(Layout.of(arguments[0]), arguments[1]);
    OwnerWatch.start(daemon::command, () -> {});
    try {
      daemon.start();
    } catch (IOException | RuntimeException e) {
      daemon.fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      daemon.fail(e);
    }
  }

  /** Returns the signal of a ResourceManager that is active. */
  static String active(String id) {
    return id + " (active)";
  }

  private void start() throws IOException, InterruptedException {
    YarnConfiguration conf = new YarnConfiguration();
    conf.set(YarnConfiguration.RM_HA_ID, id);
    resourceManager.init(conf);
    resourceManager.start();
    layout.signal(id);
    if (id.equals(IDS.get(0))) {
      if (!Await.until(HDFS_LIMIT, PAUSE, () -> Files.exists(layout.sign(MasterDaemon.HDFS)))) {
        throw new ClusterException("no HDFS after " + HDFS_LIMIT.toSeconds() + " s");
      }
      activate();
    }
  }

  private void command(String line) {
    if (!line.equals(ACTIVATE)) {
      LOG.warn("No such command: {}", line);
      return;
    }
    try {
      activate();
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private void activate() throws IOException {
    resourceManager
        .getRMContext()
        .getRMAdminService()
        .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
    layout.signal(active(id));
  }

  private void fail(Exception e) {
    LOG.error("The ResourceManager {} could not be started", id, e);
    Runtime.getRuntime().halt(1);
  }
}
