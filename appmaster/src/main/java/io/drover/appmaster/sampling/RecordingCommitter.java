// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.client.sampling.SampleLineage;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job's committer that also checks and records which blocks the job's output is made of.
 *
 * <p>With Hadoop's FileOutputCommitter the record is written before the commit, so that whoever
 * sees the output sees the record. Other committers may replace the output directory, or refuse one
 * with a file in it, so the record is written after their commits. If it cannot be written, the job
 * still succeeds, because its output is right.
 */
final class RecordingCommitter extends OutputCommitter {
  private static final Logger LOG = LoggerFactory.getLogger(RecordingCommitter.class);
  private static final Set<Class<?>> KEEP_THE_DIRECTORY =
      Set.of(FileOutputCommitter.class, org.apache.hadoop.mapred.FileOutputCommitter.class);

  private final OutputCommitter jobs;
  private final Made made;

  /** What the output is made of. */
  @FunctionalInterface
  interface Made {
    /** Returns the record, or throws if the output must not be committed. */
    SampleLineage of() throws IOException;
  }

  RecordingCommitter(OutputCommitter jobs, Made made) {
    this.jobs = jobs;
    this.made = made;
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    SampleLineage lineage = made.of();
    boolean isFirst = KEEP_THE_DIRECTORY.contains(jobs.getClass());
    if (isFirst) {
      write(lineage, job);
    }
    jobs.commitJob(job);
    if (!isFirst) {
      write(lineage, job);
    }
  }

  private static void write(SampleLineage lineage, JobContext job) {
    String output = job.getConfiguration().get(FileOutputFormat.OUTDIR);
    if (output == null) {
      LOG.info("The job has no output directory for the record of its sample: {}", lineage);
      return;
    }
    try {
      lineage.write(job.getConfiguration(), new Path(output));
    } catch (IOException | RuntimeException e) {
      LOG.warn("The record of the job's sample cannot be written to {}: {}", output, lineage, e);
    }
  }

  @Override
  public void setupJob(JobContext job) throws IOException {
    jobs.setupJob(job);
  }

  @Override
  @Deprecated // as in Hadoop, and committers may override it
  public void cleanupJob(JobContext job) throws IOException {
    jobs.cleanupJob(job);
  }

  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    jobs.abortJob(job, state);
  }

  @Override
  public void setupTask(TaskAttemptContext attempt) throws IOException {
    jobs.setupTask(attempt);
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext attempt) throws IOException {
    return jobs.needsTaskCommit(attempt);
  }

  @Override
  public void commitTask(TaskAttemptContext attempt) throws IOException {
    jobs.commitTask(attempt);
  }

  @Override
  public void abortTask(TaskAttemptContext attempt) throws IOException {
    jobs.abortTask(attempt);
  }

  @Override
  @Deprecated // as in Hadoop
  public boolean isRecoverySupported() {
    return jobs.isRecoverySupported();
  }

  @Override
  public boolean isRecoverySupported(JobContext job) throws IOException {
    return jobs.isRecoverySupported(job);
  }

  @Override
  public boolean isCommitJobRepeatable(JobContext job) throws IOException {
    return jobs.isCommitJobRepeatable(job);
  }

  @Override
  public void recoverTask(TaskAttemptContext attempt) throws IOException {
    jobs.recoverTask(attempt);
  }
}
