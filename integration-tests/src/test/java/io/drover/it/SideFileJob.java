// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.JobRunner;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * A job whose maps each hold a file open that is named after the task. A second attempt takes the
 * lease of the first one's file, or fails because the file is there.
 */
final class SideFileJob {
  private static final int MAPS = 4;
  private static final int LINES = 120;
  private static final String SIDE = "drover.it.side";
  private static final String OVERWRITES = "drover.it.overwrites";

  private SideFileJob() {}

  /** Writes each line into the side file of its task as well, ten lines a second. */
  public static final class SideFileMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    private FSDataOutputStream side;
    private int lines;

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      Path file = new Path(conf.get(SIDE), context.getTaskAttemptID().getTaskID().toString());
      side = file.getFileSystem(conf).create(file, conf.getBoolean(OVERWRITES, true));
    }

    @Override
    protected void map(LongWritable key, Text line, Context context)
        throws IOException, InterruptedException {
      side.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      if (++lines % 10 == 0) {
        side.hflush();
      }
      TimeUnit.MILLISECONDS.sleep(100);
      context.write(key, line);
    }

    @Override
    protected void cleanup(Context context) throws IOException {
      side.close();
    }
  }

  /**
   * Runs it under Drover's AppMaster, and looks at its side files.
   *
   * @param overwrites whether an attempt takes the file of an earlier one, or fails
   * @return the job, which has succeeded
   */
  static Job run(DroverCluster cluster, String name, boolean overwrites) throws Exception {
    Path directory = new Path("/side/" + name.replace(' ', '-'));
    Path input = new Path(directory, "input");
    writeInput(FileSystem.get(cluster.clientConf()), input);
    Configuration conf = cluster.clientConf();
    new JobRunner(cluster).underDrover().forEach(conf::set);
    Path files = new Path(directory, "files");
    Map.of(
            "mapreduce.map.speculative",
            "true",
            "mapreduce.drover.clone.outlier-probability",
            "0.2",
            SIDE,
            files.toString(),
            OVERWRITES,
            "" + overwrites)
        .forEach(conf::set);
    Job job = Job.getInstance(conf, name);
    job.setMapperClass(SideFileMapper.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    job.setNumReduceTasks(0);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, new Path(directory, "output"));
    job.submit();
    assertThat(JobEnd.succeeds(job)).as("%s", job.getStatus().getFailureInfo()).isTrue();
    for (int i = 0; i < MAPS; i++) {
      Path side = new Path(files, new TaskID(job.getJobID(), TaskType.MAP, i).toString());
      try (var in = side.getFileSystem(conf).open(side)) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()).hasSize(LINES);
      }
    }
    return job;
  }

  private static void writeInput(FileSystem fs, Path input) throws IOException {
    for (int i = 0; i < MAPS; i++) {
      try (PrintStream text =
          new PrintStream(fs.create(new Path(input, "" + i)), false, StandardCharsets.UTF_8)) {
        for (int line = 0; line < LINES; line++) {
          text.println("line " + line + " of file " + i);
        }
      }
    }
  }

  static long counter(Job job, DroverCounter counter) throws IOException {
    return job.getCounters().findCounter(counter).getValue();
  }
}
