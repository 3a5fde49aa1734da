// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/**
 * A job whose reduces write to two named outputs besides their own, and whose maps, which have
 * reduces behind them, write to one and so have something to commit.
 */
final class NamedOutputsJob {
  private static final int MANY = 250;

  private NamedOutputsJob() {}

  /** Passes words on, and writes beside the lines with a number that seven divides. */
  public static final class WordMapper extends Mapper<LongWritable, Text, Text, IntWritable> {
    private static final IntWritable ONE = new IntWritable(1);
    private MultipleOutputs<Text, IntWritable> beside;

    @Override
    protected void setup(Context context) {
      beside = new MultipleOutputs<>(context);
    }

    @Override
    protected void map(LongWritable position, Text line, Context context)
        throws IOException, InterruptedException {
      String[] words = line.toString().split(" ");
      if (Integer.parseInt(words[0]) % 7 == 0) {
        beside.write("skipped", line, NullWritable.get());
        return;
      }
      for (int i = 1; i < words.length; i++) {
        context.write(new Text(words[i]), ONE);
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      beside.close();
    }
  }

  /** Adds up, and says so in the output for many or that for few, too. */
  public static final class CountReducer extends Reducer<Text, IntWritable, Text, IntWritable> {
    private MultipleOutputs<Text, IntWritable> beside;

    @Override
    protected void setup(Context context) {
      beside = new MultipleOutputs<>(context);
    }

    @Override
    protected void reduce(Text word, Iterable<IntWritable> ones, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable one : ones) {
        sum += one.get();
      }
      context.write(word, new IntWritable(sum));
      beside.write(sum >= MANY ? "many" : "few", word, new IntWritable(sum));
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      beside.close();
    }
  }

  /** Runs it; returns 0 if it succeeds. */
  static int run(Configuration conf, String input, String output) throws Exception {
    Job job = Job.getInstance(conf, "named outputs");
    job.setMapperClass(WordMapper.class);
    job.setReducerClass(CountReducer.class);
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, new Path(input));
    FileOutputFormat.setOutputPath(job, new Path(output));
    MultipleOutputs.addNamedOutput(
        job, "skipped", TextOutputFormat.class, Text.class, NullWritable.class);
    for (String name : new String[] {"many", "few"}) {
      MultipleOutputs.addNamedOutput(
          job, name, TextOutputFormat.class, Text.class, IntWritable.class);
    }
    return job.waitForCompletion(false) ? 0 : 1;
  }
}
