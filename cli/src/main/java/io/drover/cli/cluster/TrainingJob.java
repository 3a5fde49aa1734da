// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.net.ScriptBasedMapping;

/**
 * One map and one reduce that do what most do, within the AppMaster, so that one JVM can note the
 * classes that all of it takes.
 */
final class TrainingJob {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Path BASE = new Path("/tmp/drover-training");

  private TrainingJob() {}

  /** Runs the job. */
  static void run(DroverCluster cluster) throws IOException, InterruptedException {
    Configuration conf = cluster.clientConf();
    FileSystem fs = FileSystem.get(conf);
    Path input = new Path(BASE, "input");
    try (OutputStream out = fs.create(input)) {
      out.write("a line\nanother\n".getBytes(StandardCharsets.UTF_8));
    }
    // Its processes have no class but Hadoop's: see ClusterFiles.writeTrainingArguments.
    conf.set("net.topology.node.switch.mapping.impl", ScriptBasedMapping.class.getName());
    Job job = Job.getInstance(conf, "training");
    job.getConfiguration().setBoolean("mapreduce.job.ubertask.enable", true);
    job.setMapperClass(TokenCounterMapper.class);
    job.setCombinerClass(IntSumReducer.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, new Path(BASE, "output"));
    try {
      job.submit();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
    if (!Await.until(LIMIT, PAUSE, () -> job.getStatus().isJobComplete())) {
      job.killJob();
      throw new IOException("the training job did not end in " + LIMIT);
    }
    JobStatus status = job.getStatus();
    if (status.getState() != JobStatus.State.SUCCEEDED) {
      throw new IOException("the training job failed: " + status.getFailureInfo());
    }
    fs.delete(BASE, true);
  }
}
