// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Writes the files of a table of HBase that nobody serves, and then what is in them: {@code
 * BulkLoad INPUT HFILES CELLS}.
 */
public final class BulkLoad extends Configured implements Tool {
  private static final TableName TABLE = TableName.valueOf("words");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[][] STARTS = {new byte[0], Bytes.toBytes("drover"), Bytes.toBytes("p")};
  private static final long WHEN = 1;

  /** Makes a cell of each word of a line. */
  public static final class CellMapper
      extends Mapper<LongWritable, Text, ImmutableBytesWritable, KeyValue> {
    @Override
    protected void map(LongWritable position, Text line, Context context)
        throws IOException, InterruptedException {
      String[] words = line.toString().split(" ");
      for (int i = 1; i < words.length; i++) {
        byte[] row = Bytes.toBytes(words[i] + "/" + words[0]);
        KeyValue cell =
            new KeyValue(row, FAMILY, Bytes.toBytes("at" + i), WHEN, Bytes.toBytes(words[0]));
        context.write(new ImmutableBytesWritable(row), cell);
      }
    }
  }

  /** The regions of the table, as a master would know them. */
  private static final class Regions implements RegionLocator {
    @Override
    public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload) {
      throw new UnsupportedOperationException("nobody serves the table");
    }

    @Override
    public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) {
      throw new UnsupportedOperationException("nobody serves the table");
    }

    @Override
    public void clearRegionLocationCache() {}

    @Override
    public List<HRegionLocation> getAllRegionLocations() {
      throw new UnsupportedOperationException("nobody serves the table");
    }

    @Override
    public byte[][] getStartKeys() {
      return STARTS;
    }

    @Override
    public Pair<byte[][], byte[][]> getStartEndKeys() {
      byte[][] ends = Arrays.copyOfRange(STARTS, 1, STARTS.length + 1);
      ends[STARTS.length - 1] = new byte[0];
      return new Pair<>(STARTS, ends);
    }

    @Override
    public TableName getName() {
      return TABLE;
    }

    @Override
    public void close() {}
  }

  @Override
  public int run(String[] paths) throws Exception {
    // There are no region servers beside which the files could be written.
    getConf().setBoolean(HFileOutputFormat2.LOCALITY_SENSITIVE_CONF_KEY, false);
    Job job = Job.getInstance(getConf(), "bulk load");
    job.setJarByClass(BulkLoad.class);
    job.setMapperClass(CellMapper.class);
    job.setMapOutputKeyClass(ImmutableBytesWritable.class);
    job.setMapOutputValueClass(KeyValue.class);
    FileInputFormat.addInputPath(job, new Path(paths[0]));
    FileOutputFormat.setOutputPath(job, new Path(paths[1]));
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    HFileOutputFormat2.configureIncrementalLoad(job, table, new Regions());
    if (!job.waitForCompletion(true)) {
      return 1;
    }
    writeCells(new Path(paths[1], Bytes.toString(FAMILY)), new Path(paths[2]));
    return 0;
  }

  private void writeCells(Path family, Path to) throws IOException {
    FileSystem fs = family.getFileSystem(getConf());
    List<String> cells = new ArrayList<>();
    for (FileStatus file : fs.listStatus(family)) {
      try (HFile.Reader reader =
          HFile.createReader(fs, file.getPath(), CacheConfig.DISABLED, true, getConf())) {
        HFileScanner scanner = reader.getScanner(getConf(), false, false);
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          cells.add(scanner.getCell() + " = " + Bytes.toString(copyOfValue(scanner)));
        }
      }
    }
    cells.sort(null);
    try (Writer out =
        new OutputStreamWriter(fs.create(new Path(to, "cells")), StandardCharsets.UTF_8)) {
      for (String cell : cells) {
        out.write(cell + "\n");
      }
    }
  }

  private static byte[] copyOfValue(HFileScanner scanner) {
    return Bytes.copy(
        scanner.getCell().getValueArray(),
        scanner.getCell().getValueOffset(),
        scanner.getCell().getValueLength());
  }

  /** Runs it as {@code hadoop jar} does. */
  public static void main(String[] arguments) throws Exception {
    System.exit(ToolRunner.run(HBaseConfiguration.create(), new BulkLoad(), arguments));
  }
}
