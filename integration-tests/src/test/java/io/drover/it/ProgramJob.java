// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.JobRunner;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/** A job without input, whose maps take some time and then succeed or fail. */
final class ProgramJob {
  private static final String MILLIS = "drover.it.program.ms";
  private static final String FAILS = "drover.it.program.fails";
  private static final String MAPS = "drover.it.program.maps";

  private ProgramJob() {}

  /** A split of nothing. */
  public static final class Nothing extends InputSplit implements Writable {
    @Override
    public long getLength() {
      return 0;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(DataOutput out) {}

    @Override
    public void readFields(DataInput in) {}
  }

  /** Gives each map one record of nothing. */
  public static final class OneRecordEach extends InputFormat<NullWritable, NullWritable> {
    @Override
    public List<InputSplit> getSplits(JobContext context) {
      int maps = context.getConfiguration().getInt(MAPS, 1);
      return IntStream.range(0, maps).mapToObj(i -> (InputSplit) new Nothing()).toList();
    }

    @Override
    public RecordReader<NullWritable, NullWritable> createRecordReader(
        InputSplit split, TaskAttemptContext context) {
      return new RecordReader<>() {
        private boolean isOver;

        @Override
        public void initialize(InputSplit of, TaskAttemptContext in) {}

        @Override
        public boolean nextKeyValue() {
          boolean isFirst = !isOver;
          isOver = true;
          return isFirst;
        }

        @Override
        public NullWritable getCurrentKey() {
          return NullWritable.get();
        }

        @Override
        public NullWritable getCurrentValue() {
          return NullWritable.get();
        }

        @Override
        public float getProgress() {
          return isOver ? 1 : 0;
        }

        @Override
        public void close() {}
      };
    }
  }

  /** Takes its time, and then fails if it is told to. */
  public static final class Program
      extends Mapper<NullWritable, NullWritable, NullWritable, NullWritable> {
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    @SuppressWarnings("ReturnValueIgnored") // the time is over, always
    protected void map(NullWritable key, NullWritable value, Context context)
        throws IOException, InterruptedException {
      never.await(context.getConfiguration().getLong(MILLIS, 0), TimeUnit.MILLISECONDS);
      if (context.getConfiguration().getBoolean(FAILS, false)) {
        throw new IOException("as this program always does");
      }
    }
  }

  /**
   * Returns a job under Drover that is not submitted.
   *
   * @param name the name of the program
   */
  static Job of(DroverCluster cluster, String name, long millis, boolean fails) throws IOException {
    Configuration conf = cluster.clientConf();
    new JobRunner(cluster).underDrover().forEach(conf::set);
    conf.setLong(MILLIS, millis);
    conf.setBoolean(FAILS, fails);
    conf.setInt("mapreduce.map.maxattempts", 1);
    Job job = Job.getInstance(conf, name);
    job.setJarByClass(ProgramJob.class);
    job.setInputFormatClass(OneRecordEach.class);
    job.setMapperClass(Program.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    return job;
  }
}
