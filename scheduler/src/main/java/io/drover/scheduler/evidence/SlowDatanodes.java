// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Asks HDFS which DataNodes other DataNodes find slow when they send blocks to them. HDFS compares
 * the latencies of all peers and names those that stand out ({@code SlowPeerTracker}). It needs
 * {@code dfs.datanode.peer.stats.enabled}; without it, it names none. It asks for no privilege:
 * whoever may use HDFS at all ({@code security.client.protocol.acl}) gets an answer, from a standby
 * NameNode as well.
 */
final class SlowDatanodes {
  private SlowDatanodes() {}

  /**
   * Returns the slow nodes' host names, each with the names of the host from the surest on: that by
   * which the DataNode calls itself, its address, and the name that this address has. Behind a
   * gateway all DataNodes may have one address, which is another machine's. It may take minutes if
   * HDFS or the name service does not answer.
   *
   * @param conf its default file system is asked
   */
  static Map<String, Set<String>> hosts(Configuration conf) throws IOException {
    FileSystem files = FileSystem.get(conf);
    if (!(files instanceof DistributedFileSystem hdfs)) {
      throw new IOException("the default file system is not HDFS but " + files.getUri());
    }
    Map<String, Set<String>> hosts = new HashMap<>();
    for (DatanodeInfo node : hdfs.getSlowDatanodeStats()) {
      Set<String> names = hosts.computeIfAbsent(node.getHostName(), name -> new LinkedHashSet<>());
      names.add(node.getHostName());
      names.add(node.getIpAddr());
      names.add(InetAddress.getByName(node.getIpAddr()).getCanonicalHostName());
    }
    return hosts;
  }
}
