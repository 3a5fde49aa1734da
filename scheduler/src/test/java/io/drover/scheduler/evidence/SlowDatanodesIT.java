// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.config.Mode;
import io.drover.core.config.SlowNodeSettings;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.MockCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.hdfs.server.protocol.OutlierMetrics;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Slow DataNodes of a real HDFS. Its DataNodes have addresses of their own, and report to the
 * NameNode by their heartbeats which of them are slow.
 */
class SlowDatanodesIT {
  private static final String BY_HDFS = "slow as a DataNode, by HDFS";
  private static final String BIND = "drover.test.bind";

  /** How the NodeManagers of the same hosts call these, which is not how the DataNodes do. */
  private static final MachineNames CLUSTER =
      new MachineNames(List.of("Worker1.Example.COM", "worker2", "127.0.0.3"));

  private static final Duration PERIOD = Duration.ofMillis(200);
  private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

  private static final int IDLE_MILLIS = 100;
  private static final AtomicInteger CLIENTS = new AtomicInteger();

  @TempDir static Path dir;
  private static MiniDFSCluster hdfs;

  /** By user, the commands that the NameNode has answered. */
  public static final class Asked implements AuditLogger {
    private static final Set<Map.Entry<String, String>> ALL = ConcurrentHashMap.newKeySet();

    @Override
    public void initialize(Configuration conf) {
      // nothing to read
    }

    @Override
    public void logAuditEvent(
        boolean succeeded,
        String user,
        InetAddress address,
        String command,
        String from,
        String to,
        FileStatus status) {
      ALL.add(Map.entry(command, user));
    }

    private static List<String> users() {
      return ALL.stream()
          .filter(one -> one.getKey().equals("slowDataNodesReport"))
          .map(one -> one.getValue().split(" ")[0]) // and how it was authenticated
          .toList();
    }
  }

  /** Calls from an address of the DataNode's own, by which the NameNode knows it then. */
  public static final class FromOwnAddress extends StandardSocketFactory implements Configurable {
    private Configuration conf;

    @Override
    public void setConf(Configuration now) {
      conf = now;
    }

    @Override
    public Configuration getConf() {
      return conf;
    }

    @Override
    public Socket createSocket() throws IOException {
      Socket socket = super.createSocket();
      socket.bind(new InetSocketAddress(conf.get(BIND), 0));
      return socket;
    }

    /** Sockets of equal factories share connections. */
    @Override
    public boolean equals(Object other) {
      return other instanceof FromOwnAddress factory
          && Objects.equals(conf.get(BIND), factory.conf.get(BIND));
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(conf.get(BIND));
    }
  }

  @BeforeAll
  static void startHdfs() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean(DFSConfigKeys.DFS_DATANODE_PEER_STATS_ENABLED_KEY, true);
    conf.set(DFSConfigKeys.DFS_DATANODE_OUTLIERS_REPORT_INTERVAL_KEY, "1s");
    conf.set(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "1s");
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, Asked.class.getName());
    hdfs =
        new MiniDFSCluster.Builder(conf, dir.toFile())
            .numDataNodes(3)
            .hosts(new String[] {"worker1", "worker2.example.com", "worker3.example.com"})
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(
                Stream.of("127.0.0.1", "127.0.0.2", "127.0.0.3")
                    .map(SlowDatanodesIT::at)
                    .toArray(Configuration[]::new))
            .build();
    hdfs.waitActive();
  }

  private static Configuration at(String address) {
    Configuration conf = new Configuration(false);
    conf.set(BIND, address);
    conf.set("hadoop.rpc.socket.factory.class.default", FromOwnAddress.class.getName());
    conf.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, address + ":0");
    conf.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, address + ":0");
    conf.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, address + ":0");
    return conf;
  }

  @AfterAll
  static void stopHdfs() {
    if (hdfs != null) {
      hdfs.shutdown();
    }
  }

  @AfterEach
  void nobodyIsSlow() {
    find();
  }

  /** Has two DataNodes find others slow, by the number of each. */
  private static void find(int... slow) {
    List<DataNode> nodes = hdfs.getDataNodes();
    Map<String, OutlierMetrics> found = new ConcurrentHashMap<>();
    for (int one : slow) {
      String peer = nodes.get(one).getDatanodeId().getIpAddr() + ":" + nodes.get(one).getInfoPort();
      found.put(peer, new OutlierMetrics(1.2, 2.7, 4.6, 15.5));
    }
    nodes.get(0).getPeerMetrics().setTestOutliers(found);
    nodes.get(1).getPeerMetrics().setTestOutliers(found);
  }

  /**
   * What a client of this HDFS is configured with, which does not wait for it for long. Each has
   * connections of its own: Hadoop shares those of equal settings, and one on which a call was
   * interrupted may stay open, with the rights that its user had when it was opened.
   */
  private static Configuration client(String uri) {
    Configuration conf = new Configuration();
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, uri);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY,
        IDLE_MILLIS + CLIENTS.getAndIncrement());
    return conf;
  }

  private static SlowNodeSettings settings(Mode mode) {
    return new SlowNodeSettings(Optional.empty(), mode, Mode.OFF);
  }

  /** A test with nodes that ask this HDFS, by a clock that the test sets. */
  private interface Questions {
    void ask(SlowNodes nodes, AtomicLong nanos) throws Exception;
  }

  private static void asking(Questions test) throws Exception {
    AtomicLong nanos = new AtomicLong();
    SlowNodes nodes = new SlowNodes(nanos::get, PERIOD);
    nodes.configure(settings(Mode.ON));
    nodes.start(client(hdfs.getURI().toString()));
    try {
      test.ask(nodes, nanos);
    } finally {
      nodes.stop();
    }
  }

  /** HDFS believes for a while what DataNodes have found before, perhaps in another test. */
  private static void awaitThatTheThirdIsTold(SlowNodes nodes) {
    await()
        .untilAsserted(
            () -> assertThat(nodes.told(CLUSTER)).isEqualTo(Map.of("127.0.0.3", BY_HDFS)));
  }

  @Test
  void slowDataNodeIsNamedUntilItsPeersFindItSlowNoMore() throws Exception {
    asking(
        (nodes, nanos) -> {
          find(2);
          awaitThatTheThirdIsTold(nodes);
          find();
          await().until(() -> !nodes.isAnyNamed());
          assertThat(nodes.hdfsBreaker().failures()).isZero();
        });
  }

  @Test
  void machinesAreFoundThoughTheirNodeManagersCallThemOtherwise() throws Exception {
    asking(
        (nodes, nanos) -> {
          find(1, 0, 2);
          await()
              .untilAsserted(
                  () ->
                      assertThat(nodes.told(CLUSTER))
                          .containsOnlyKeys("Worker1.Example.COM", "worker2", "127.0.0.3"));
        });
  }

  @Test
  void hdfsWithoutStatisticsOfPeersNamesNone() throws Exception {
    find(2);
    hdfs.getNameNode()
        .reconfigureProperty(DFSConfigKeys.DFS_DATANODE_PEER_STATS_ENABLED_KEY, "false");
    try {
      Asked.ALL.clear();
      asking(
          (nodes, nanos) -> {
            await().until(() -> !Asked.users().isEmpty());
            Asked.ALL.clear(); // the first answer is there when the second question comes
            await().until(() -> !Asked.users().isEmpty());
            assertThat(nodes.isAnyNamed()).isFalse();
            assertThat(nodes.hdfsBreaker().failures()).isZero();
          });
    } finally {
      hdfs.getNameNode()
          .reconfigureProperty(DFSConfigKeys.DFS_DATANODE_PEER_STATS_ENABLED_KEY, "true");
    }
  }

  @Test
  void nameNodeThatIsAwayCountsAsAFailureAndIsAskedAgain() throws Exception {
    asking(
        (nodes, nanos) -> {
          find(2);
          await().until(nodes::isAnyNamed);
          hdfs.shutdownNameNode(0);
          await().until(() -> nodes.hdfsBreaker().isOpen());
          await().until(() -> !nodes.isAnyNamed()); // cleared when it has opened
          hdfs.restartNameNode(0, true);
          nanos.addAndGet(TWO_MINUTES.toNanos());
          awaitThatTheThirdIsTold(nodes);
        });
  }

  /** The only right that is needed. */
  @Test
  void userWhoMayNotUseHdfsIsRefused() throws Exception {
    allow("nobody-else");
    try {
      find(2);
      asking(
          (nodes, nanos) -> {
            await().until(() -> nodes.hdfsBreaker().isOpen());
            assertThat(nodes.isAnyNamed()).isFalse();
            allow(UserGroupInformation.getLoginUser().getShortUserName());
            nanos.addAndGet(TWO_MINUTES.toNanos());
            await().until(nodes::isAnyNamed);
          });
    } finally {
      allow("*");
    }
  }

  private static void allow(String acl) {
    Configuration conf = new Configuration();
    conf.set("security.client.protocol.acl", acl);
    ((NameNodeRpcServer) hdfs.getNameNodeRpc())
        .getClientRpcServer()
        .refreshServiceAcl(conf, new HDFSPolicyProvider());
  }

  private static Configuration resourceManager(String uri) {
    Configuration conf = MockCluster.configuration();
    client(uri).getPropsWithPrefix("fs.").forEach((key, value) -> conf.set("fs." + key, value));
    conf.set("yarn.drover.slow-nodes.hdfs.mode", "on");
    return conf;
  }

  @Test
  void resourceManagerAsksAsItselfWhoeverHasSwitchedItOn() throws Exception {
    find(2);
    Configuration conf = resourceManager(hdfs.getURI().toString());
    Configuration off = new Configuration(conf);
    off.set("yarn.drover.slow-nodes.hdfs.mode", "off");
    Asked.ALL.clear();
    try (MockCluster cluster = new MockCluster(off, 4, 4)) {
      DroverCapacityScheduler scheduler = (DroverCapacityScheduler) cluster.scheduler();
      UserGroupInformation.createRemoteUser("ann")
          .doAs(
              (PrivilegedExceptionAction<Void>)
                  () -> {
                    scheduler.reinitialize(conf, scheduler.getRMContext());
                    return null;
                  });
      await()
          .untilAsserted(
              () ->
                  assertThat(scheduler.statistics().view().called())
                      .isEqualTo(Map.of(cluster.host(2), BY_HDFS)));
      assertThat(Asked.users())
          .containsOnly(UserGroupInformation.getLoginUser().getShortUserName());
    }
  }

  @Test
  void resourceManagerWorksAndStopsWhileTheNameNodeDoesNotAnswer() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      mute.setSoTimeout(60_000);
      Configuration conf = resourceManager("hdfs://127.0.0.1:" + mute.getLocalPort());
      try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
        try (Socket asked = mute.accept()) {
          asked.setSoTimeout(60_000);
          assertThat(asked.getInputStream().read()).as("it asks").isEqualTo('h');
          MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
          app.ask(MockCluster.ORDINARY, 1, 15);
          cluster.heartbeat();
          assertThat(app.running()).isEqualTo(15);
          DroverCapacityScheduler scheduler = (DroverCapacityScheduler) cluster.scheduler();
          assertThat(scheduler.statistics().calledSlow()).isEmpty();
          long begin = System.nanoTime();
          scheduler.statistics().slowNodes().stop();
          assertThat(System.nanoTime() - begin).isLessThan(Duration.ofSeconds(30).toNanos());
        }
      }
    }
  }
}
