// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** HDFS in one process: a NameNode, and a DataNode under the name of each host. */
final class Hdfs {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Map<String, DataNode> dataNodes = new ConcurrentHashMap<>();

  /** Formats and starts the NameNode, starts the DataNodes, and waits until all are known. */
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

  /** A host dies: its blocks can no longer be read there. */
  void stopDataNode(String host) {
    DataNode dataNode = dataNodes.remove(host);
    if (dataNode != null) {
      dataNode.shutdown();
    }
  }

  private static DataNode startDataNode(Path blocks, String host) throws IOException {
    Files.createDirectories(blocks);
    Configuration conf = new HdfsConfiguration();
    conf.set(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, host);
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, blocks.toUri().toString());
    DataNode dataNode = DataNode.instantiateDataNode(new String[0], conf);
    dataNode.runDatanodeDaemon();
    return dataNode;
  }
}
