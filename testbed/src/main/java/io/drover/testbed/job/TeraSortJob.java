// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraInputFormat;
import org.apache.hadoop.examples.terasort.TeraOutputFormat;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;

/** The sort of Hadoop's examples, with its own generator, input, output and partitioner. */
final class TeraSortJob {
  /** The bytes of a row. */
  static final int ROW = 100;

  private TeraSortJob() {}

  /**
   * Generates rows, in this process. They are the same each time. A job that runs in this process
   * has one map, whatever it asks for (LocalClientProtocolProvider), and makes one file, so its
   * rows are copied to as many files as there are to be maps.
   */
  static void generate(FileSystem fs, Path directory, int maps, long rows) throws IOException {
    Path whole = directory.suffix("-whole");
    generate(fs.getConf(), whole, rows);
    fs.mkdirs(directory);
    try (FSDataInputStream in = fs.open(new Path(whole, "part-m-00000"))) {
      for (int i = 0; i < maps; i++) {
        long count = rows * (i + 1) / maps - rows * i / maps;
        Path file = new Path(directory, String.format(Locale.ROOT, "part-m-%05d", i));
        try (OutputStream out = fs.create(file, false)) {
          IOUtils.copyBytes(in, out, count * ROW, false);
        }
      }
    }
    fs.delete(whole, true);
  }

  private static void generate(Configuration conf, Path directory, long rows) throws IOException {
    Configuration local = new Configuration(conf);
    local.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    TeraGen generator = new TeraGen();
    generator.setConf(local);
    try {
      int exit = generator.run(new String[] {Long.toString(rows), directory.toString()});
      if (exit != 0) {
        throw new IOException("TeraGen ended with " + exit);
      }
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while rows were generated", e);
    }
  }

  /** Makes a job a sort. */
  static void configure(Job job) {
    job.setInputFormatClass(TeraInputFormat.class);
    job.setOutputFormatClass(TeraOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    job.setPartitionerClass(TeraSort.SimplePartitioner.class); // keys are spread evenly
  }
}
