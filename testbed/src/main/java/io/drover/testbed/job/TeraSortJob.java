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
import org.apache.hadoop.mapreduce.MRJobConfig;

/** The sort of Hadoop's examples, with its own generator, input, output and partitioner. */
final class TeraSortJob {
  /** The bytes of a row. */
  static final int ROW = 100;

  private TeraSortJob() {}

  /**
   * Generates rows, in this process. They are the same each time.
   *
   * @param files how many files, each of which is a map's input if it is no larger than a block
   */
  static void generate(Configuration conf, Path directory, int files, long rows)
      throws IOException {
    Configuration local = new Configuration(conf);
    local.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    local.setInt(MRJobConfig.NUM_MAPS, files);
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
