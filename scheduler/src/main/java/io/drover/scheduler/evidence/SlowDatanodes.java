// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Asks HDFS which DataNodes other DataNodes find slow when they send blocks to them. HDFS compares
 * the latencies of all peers and names those that stand out ({@code SlowPeerTracker}). It needs
 * {@code dfs.datanode.peer.stats.enabled}, and answers any user; without it, it names none.
 */
final class SlowDatanodes {
  private SlowDatanodes() {}

  /**
   * Returns the slow nodes by host name and by address. It may take minutes if HDFS does not
   * answer.
   *
   * @param conf its default file system is asked
   */
  static Set<String> hosts(Configuration conf) throws IOException {
    FileSystem files = FileSystem.get(conf);
    if (!(files instanceof DistributedFileSystem hdfs)) {
      throw new IOException("the default file system is not HDFS but " + files.getUri());
    }
    Set<String> hosts = new HashSet<>();
    for (DatanodeInfo node : hdfs.getSlowDatanodeStats()) {
      hosts.add(node.getHostName());
      hosts.add(node.getIpAddr());
    }
    return hosts;
  }
}
