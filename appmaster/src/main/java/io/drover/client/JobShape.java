// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;

/** What a job that has not been submitted will be, by the rules of Hadoop's JobSubmitter. */
final class JobShape {
  private JobShape() {}

  /**
   * A job with the same configuration, credentials and reservation, none of them shared with the
   * first.
   */
  static Job copy(Job job) throws IOException {
    // Not of the JobConf itself: that would hand on its credentials, to be filled by both.
    Job copy = Job.getInstance(new Configuration(job.getConfiguration()));
    copy.getCredentials().addAll(job.getCredentials());
    copy.setReservationId(job.getReservationId());
    return copy;
  }

  /** The class through which the job's output is written; that within a lazy one. */
  static Class<?> outputFormat(Job job) throws ClassNotFoundException {
    JobConf conf = (JobConf) job.getConfiguration();
    boolean newApi = job.getNumReduceTasks() == 0 ? hasNewMapper(conf) : hasNewReducer(conf);
    Class<?> format = newApi ? job.getOutputFormatClass() : conf.getOutputFormat().getClass();
    boolean lazy =
        LazyOutputFormat.class.isAssignableFrom(format)
            || org.apache.hadoop.mapred.lib.LazyOutputFormat.class.isAssignableFrom(format);
    return lazy ? conf.getClass(LazyOutputFormat.OUTPUT_FORMAT, format) : format;
  }

  /** How many maps and reduces it will have; the input is looked at. */
  static int tasks(Job job) throws IOException, InterruptedException, ClassNotFoundException {
    Job copy = copy(job); // an input format may write into what it is given
    JobConf conf = (JobConf) copy.getConfiguration();
    return copy.getNumReduceTasks()
        + (hasNewMapper(conf)
            ? newInput(copy).getSplits(copy).size()
            : conf.getInputFormat().getSplits(conf, conf.getNumMapTasks()).length);
  }

  private static InputFormat<?, ?> newInput(Job job) throws ClassNotFoundException {
    return ReflectionUtils.newInstance(job.getInputFormatClass(), job.getConfiguration());
  }

  /** As {@code Job.submit} decides it, which is still to come. */
  private static boolean hasNewMapper(JobConf conf) {
    return conf.getBoolean("mapred.mapper.new-api", conf.get("mapred.mapper.class") == null);
  }

  private static boolean hasNewReducer(JobConf conf) {
    return conf.getBoolean("mapred.reducer.new-api", conf.get("mapred.reducer.class") == null);
  }
}
