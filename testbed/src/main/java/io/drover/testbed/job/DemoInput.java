// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import io.drover.testbed.job.DemoText.InputTexts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.io.IOUtils;

/**
 * A job's input in HDFS.
 *
 * @param directory where all of it is
 * @param paths what the job reads: the directory, or some of its files
 * @param records how many records the reduces get in all
 * @param homes the host on which the map of each file ought to run, though others have the file as
 *     well; empty if it may run where any of them is
 */
record DemoInput(Path directory, List<Path> paths, long records, List<String> homes) {

  /** Each rack's share of what reduces read, in {@link Scenario#PLACEMENT}. */
  private static final double[] RACK_SHARES = {0.7, 0.2, 0.1};

  private static final String FILE = "text-";
  private static final int BUFFER_BYTES = 4096;

  /** A file may be larger than asked for by this. */
  private static final int LONGEST_LINE = 4096;

  /**
   * Makes the text and writes it to HDFS.
   *
   * @param texts the available texts
   * @param hosts the live hosts of the cluster, rack by rack
   */
  static DemoInput put(
      FileSystem fs, Path directory, DemoJobSpec spec, InputTexts texts, List<Host> hosts)
      throws IOException {
    if (spec.workload() == DemoWorkload.TERA_SORT) {
      return putRows(fs, directory, spec, hosts);
    }
    DemoText text = DemoText.of(spec, texts);
    long records = 0;
    for (int i = 0; i < spec.maps(); i++) {
      DemoText.Part part = text.take(Math.round(spec.bytesOf(i) * factor(spec, i)));
      records += part.records();
      try (OutputStream out = create(fs, file(directory, i), spec, i, hosts)) {
        out.write(part.content());
      }
    }
    List<String> homes =
        spec.scenario().isOfFlakyHost()
            ? IntStream.range(0, spec.maps()).mapToObj(i -> home(i, hosts).name()).toList()
            : List.of();
    return new DemoInput(directory, List.of(directory), records, homes);
  }

  private static DemoInput putRows(
      FileSystem fs, Path directory, DemoJobSpec spec, List<Host> hosts) throws IOException {
    long rows = spec.maps() * spec.bytesPerMap() / TeraSortJob.ROW;
    Path whole = directory.suffix("-whole");
    try (InputStream in = fs.open(TeraSortJob.generate(fs.getConf(), whole, rows))) {
      for (int i = 0; i < spec.maps(); i++) {
        long count = rows * (i + 1) / spec.maps() - rows * i / spec.maps();
        try (OutputStream out = create(fs, file(directory, i), spec, i, hosts)) {
          IOUtils.copyBytes(in, out, count * TeraSortJob.ROW, false);
        }
      }
    }
    fs.delete(whole, true);
    return new DemoInput(directory, List.of(directory), rows, List.of());
  }

  /**
   * Returns what a job of a spec reads of its whole input. Drover's AppMaster takes a sample of
   * what it is given. For Hadoop's own, the sample is drawn here.
   */
  DemoInput asked(DemoJobSpec spec, RunMode mode) {
    if (spec.sample().isEmpty()) {
      return this;
    }
    SampleSpec sample = spec.sample().get();
    List<Integer> files = new ArrayList<>(IntStream.range(0, spec.maps()).boxed().toList());
    Collections.shuffle(files, new Random(sample.draw()));
    List<Path> drawn = files.stream().limit(sample.needed()).map(i -> file(directory, i)).toList();
    return of(mode.hasDrover() ? paths : drawn, (double) sample.needed() / spec.maps());
  }

  /** Returns an input of some of the paths, with a share of the records. */
  DemoInput of(List<Path> some, double share) {
    return new DemoInput(directory, some, Math.round(share * records), homes);
  }

  private static Path file(Path directory, int number) {
    return new Path(directory, String.format("%s%02d", FILE, number));
  }

  /** Returns which of the input's files a file is, from 0 on. */
  static int number(Path file) {
    return Integer.parseInt(file.getName().substring(FILE.length()));
  }

  private static Host home(int map, List<Host> hosts) {
    return hosts.get(map % hosts.size());
  }

  private static double factor(DemoJobSpec spec, int map) {
    return switch (spec.scenario()) {
      case SKEW, FLAKY_NM_DEATH, FLAKY_OUTPUTS -> map == spec.faultTask() ? DemoText.SKEW : 1;
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
    // Not where a DataNode may die with its NodeManager: no map could be made again.
    boolean once =
        byRack || spec.scenario() == Scenario.SAMPLING || spec.scenario() == Scenario.FLAKY_OUTPUTS;
    Host host = byRack ? inUnevenRacks(map, hosts) : home(map, hosts);
    return dfs.create(
        file,
        FsPermission.getFileDefault(),
        true,
        BUFFER_BYTES,
        once ? 1 : dfs.getDefaultReplication(file), // or others have the data too
        Math.max(dfs.getDefaultBlockSize(file), blockOf(spec.bytesOf(map))),
        null,
        new InetSocketAddress[] {dataNode(dfs, host.name())});
  }

  /** Returns a size of a block that holds a file of about so many bytes. */
  private static long blockOf(long bytes) {
    long checksummed = 512; // HDFS wants a multiple of it
    return (bytes + LONGEST_LINE) / checksummed * checksummed + checksummed;
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
          case FLAKY_NM_DEATH, FLAKY_OUTPUTS -> "at home, skew " + spec.faultTask();
          case PLACEMENT -> "by rack";
          case SAMPLING -> "once";
          default -> "even";
        },
        spec.input().map(java.nio.file.Path::toString).orElse(""));
  }
}
