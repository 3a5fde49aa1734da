// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraInputFormat;
import org.apache.hadoop.examples.terasort.TeraOutputFormat;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.fs.Path;
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
   * has one map, whatever it asks for (LocalClientProtocolProvider), so there is one file.
   *
   * @return the file
   */
  static Path generate(Configuration conf, Path directory, long rows) throws IOException {
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
    return new Path(directory, "part-m-00000");
  }

  /** Makes a job a sort. As in TeraSort itself, its output has one replica. */
  static void configure(Job job) {
    job.setInputFormatClass(TeraInputFormat.class);
    job.setOutputFormatClass(TeraOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    job.setPartitionerClass(TeraSort.SimplePartitioner.class); // keys are spread evenly
    job.getConfiguration().setInt("dfs.replication", TeraSort.getOutputReplication(job));
  }
}
