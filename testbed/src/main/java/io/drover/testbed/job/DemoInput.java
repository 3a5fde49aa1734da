// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Cluster.Host;
import io.drover.testbed.job.DemoText.InputTexts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * A job's input in HDFS.
 *
 * @param directory where it is
 * @param records how many records the reduces get in all
 */
record DemoInput(Path directory, long records) {

  /** Each rack's share of what reduces read, in {@link Scenario#PLACEMENT}. */
  private static final double[] RACK_SHARES = {0.7, 0.2, 0.1};

  private static final int BUFFER_BYTES = 4096;

  /**
   * Makes the text and writes it to HDFS.
   *
   * @param texts the available texts
   * @param hosts the live hosts of the cluster, rack by rack
   */
  static DemoInput put(
      FileSystem fs, Path directory, DemoJobSpec spec, InputTexts texts, List<Host> hosts)
      throws IOException {
    DemoText text = DemoText.of(spec, texts);
    long records = 0;
    for (int i = 0; i < spec.maps(); i++) {
      DemoText.Part part = text.take(Math.round(spec.bytesOf(i) * factor(spec, i)));
      records += part.records(spec.workload());
      Path file = new Path(directory, String.format("text-%02d", i));
      try (OutputStream out = create(fs, file, spec, i, hosts)) {
        out.write(part.content());
      }
    }
    return new DemoInput(directory, records);
  }

  private static double factor(DemoJobSpec spec, int map) {
    return switch (spec.scenario()) {
      case SKEW -> map == spec.faultTask() ? DemoText.SKEW : 1;
      case PLACEMENT -> RACK_SHARES[map % RACK_SHARES.length] * RACK_SHARES.length;
      default -> 1;
    };
  }

  /**
   * Creates a file on a certain host, because a map is likely to run where its input is. Except in
   * {@link Scenario#PLACEMENT}, all nodes get equally many, so that a slow node has its share.
   */
  private static OutputStream create(
      FileSystem fs, Path file, DemoJobSpec spec, int map, List<Host> hosts) throws IOException {
    DistributedFileSystem dfs = (DistributedFileSystem) fs;
    boolean byRack = spec.scenario() == Scenario.PLACEMENT;
    Host host = byRack ? inUnevenRacks(map, hosts) : hosts.get(map % hosts.size());
    return dfs.create(
        file,
        FsPermission.getFileDefault(),
        true,
        BUFFER_BYTES,
        byRack ? 1 : dfs.getDefaultReplication(file), // or other racks have the data too
        dfs.getDefaultBlockSize(file),
        null,
        new InetSocketAddress[] {dataNode(dfs, host.name())});
  }

  private static Host inUnevenRacks(int map, List<Host> hosts) {
    List<String> racks = hosts.stream().map(Host::rack).distinct().toList();
    String rack = racks.get(map % RACK_SHARES.length % racks.size());
    List<Host> inRack = hosts.stream().filter(host -> host.rack().equals(rack)).toList();
    return inRack.get(map / RACK_SHARES.length % inRack.size());
  }

  private static InetSocketAddress dataNode(DistributedFileSystem dfs, String host)
      throws IOException {
    for (DatanodeInfo node : dfs.getDataNodeStats(DatanodeReportType.LIVE)) {
      if (node.getHostName().equals(host)) {
        return new InetSocketAddress(node.getIpAddr(), node.getXferPort());
      }
    }
    throw new IOException("no live DataNode on " + host);
  }

  /** Returns what two specs must have in common to read the same input. */
  static String key(DemoJobSpec spec) {
    return String.join(
        " ",
        spec.workload().key(),
        Integer.toString(spec.maps()),
        Long.toString(spec.bytesPerMap()),
        Double.toString(spec.spread()),
        switch (spec.scenario()) {
          case SKEW -> "skew " + spec.faultTask();
          case PLACEMENT -> "by rack";
          default -> "even";
        },
        spec.input().map(java.nio.file.Path::toString).orElse(""));
  }
}
