// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** A job that reads several small files with each map: through CombineFileInputFormat. */
final class SmallFilesJob {
  private static final int MAPS = 3;

  private SmallFilesJob() {}

  /** Runs it; returns 0 if it succeeds. */
  static int run(Configuration conf, String input, String output) throws Exception {
    Path from = new Path(input);
    long bytes = FileSystem.get(conf).getContentSummary(from).getLength();
    Job job = Job.getInstance(conf, "small files");
    job.setInputFormatClass(CombineTextInputFormat.class);
    CombineTextInputFormat.addInputPath(job, from);
    CombineTextInputFormat.setMaxInputSplitSize(job, bytes / MAPS);
    job.setMapperClass(Mapper.class);
    job.setReducerClass(Reducer.class);
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    FileOutputFormat.setOutputPath(job, new Path(output));
    return job.waitForCompletion(false) ? 0 : 1;
  }
}
