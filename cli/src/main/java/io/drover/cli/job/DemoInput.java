// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.job;

import io.drover.cli.cluster.Host;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * A job's input in HDFS.
 *
 * @param directory where it is
 * @param records what the reduces will get in all
 */
record DemoInput(Path directory, long records) {

  /** Of what reduces read, the shares of the racks in {@link Scenario#PLACEMENT}. */
  private static final double[] RACK_SHARES = {0.7, 0.2, 0.1};

  /**
   * Makes the text and puts it there.
   *
   * @param texts what text there is
   * @param hosts of the cluster, rack by rack
   */
  static DemoInput put(FileSystem fs, Path directory, JobSpec spec, Texts texts, List<Host> hosts)
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

  private static double factor(JobSpec spec, int map) {
    return switch (spec.scenario()) {
      case SKEW -> map == spec.faultTask() ? DemoText.SKEW : 1;
      case PLACEMENT -> RACK_SHARES[map % RACK_SHARES.length] * RACK_SHARES.length;
      default -> 1;
    };
  }

  private static OutputStream create(
      FileSystem fs, Path file, JobSpec spec, int map, List<Host> hosts) throws IOException {
    if (spec.scenario() != Scenario.PLACEMENT) {
      return fs.create(file);
    }
    List<String> racks = hosts.stream().map(Host::rack).distinct().toList();
    String rack = racks.get(map % RACK_SHARES.length % racks.size());
    List<Host> inRack = hosts.stream().filter(host -> host.rack().equals(rack)).toList();
    String host = inRack.get(map / RACK_SHARES.length % inRack.size()).name();
    DistributedFileSystem dfs = (DistributedFileSystem) fs;
    for (DatanodeInfo node : dfs.getDataNodeStats()) {
      if (node.getHostName().equals(host)) {
        return dfs.create(
            file,
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) 1, // else other racks have the data too
            dfs.getDefaultBlockSize(file),
            null,
            new InetSocketAddress[] {new InetSocketAddress(node.getIpAddr(), node.getXferPort())});
      }
    }
    throw new IOException("no DataNode on " + host);
  }

  /** What two specs must have in common to read the same input. */
  static String key(JobSpec spec) {
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
