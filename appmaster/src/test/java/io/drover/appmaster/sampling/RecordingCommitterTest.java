// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;

import io.drover.client.sampling.SampleBlock;
import io.drover.client.sampling.SampleLineage;
import io.drover.client.sampling.SampleLineage.UsedBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingCommitterTest {
  private static final SampleLineage LINEAGE =
      new SampleLineage(
          "job_1_0001",
          1,
          9,
          true,
          List.of(new UsedBlock(new SampleBlock(4, List.of(), 1, List.of()), "h", "a", 1)),
          List.of(60.0));

  private static final JobID JOB = new JobID("1", 1);

  @TempDir private Path dir;

  private final OutputCommitter jobs = mock(OutputCommitter.class);
  private final Configuration conf = new Configuration();
  private final JobContext job = new JobContextImpl(conf, JOB);
  private final TaskAttemptContext attempt =
      new TaskAttemptContextImpl(conf, new TaskAttemptID(new TaskID(JOB, TaskType.MAP, 0), 0));
  private final RecordingCommitter committer = new RecordingCommitter(jobs, () -> LINEAGE);

  private Path output() {
    return dir.resolve("out");
  }

  private boolean isRecorded() {
    return Files.exists(output().resolve(SampleLineage.FILE));
  }

  /** Names the output directory, and creates it. */
  private org.apache.hadoop.fs.Path withOutput() throws IOException {
    Files.createDirectory(output());
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(output().toUri());
    job.getConfiguration().set(FileOutputFormat.OUTDIR, path.toString());
    return path;
  }

  @Test
  void recordIsWrittenAfterTheCommitOfACommitterThatMayReplaceTheDirectory() throws IOException {
    org.apache.hadoop.fs.Path output = withOutput();
    List<Boolean> recorded = new ArrayList<>();
    doAnswer(
            call -> {
              recorded.add(isRecorded());
              return null;
            })
        .when(jobs)
        .commitJob(job);
    committer.commitJob(job);
    assertThat(recorded).containsExactly(false);
    assertThat(SampleLineage.read(conf, output)).isEqualTo(LINEAGE);
  }

  @Test
  void recordIsThereBeforeHadoopsCommitterSaysThatTheOutputIsThere() throws IOException {
    org.apache.hadoop.fs.Path output = withOutput();
    FileOutputCommitter hadoops = new FileOutputCommitter(output, attempt);
    hadoops.setupJob(job);
    Files.createDirectory(output().resolve("_SUCCESS")); // so that the commit fails at its end
    RecordingCommitter recording = new RecordingCommitter(hadoops, () -> LINEAGE);
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> recording.commitJob(job));
    assertThat(isRecorded()).isTrue();
    Files.delete(output().resolve("_SUCCESS"));
    recording.commitJob(job);
    assertThat(output().resolve("_SUCCESS")).isRegularFile();
    assertThat(SampleLineage.read(conf, output)).isEqualTo(LINEAGE);
  }

  @Test
  void nothingIsCommittedIfTheSampleIsWrong() throws IOException {
    withOutput();
    IOException wrong = new IOException("the result is of 9 blocks");
    RecordingCommitter failing =
        new RecordingCommitter(
            jobs,
            () -> {
              throw wrong;
            });
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> failing.commitJob(job))
        .isSameAs(wrong);
    verifyNoInteractions(jobs);
    assertThat(isRecorded()).isFalse();
  }

  @Test
  void failedCommitFailsTheJobAndLeavesNoRecord() throws IOException {
    withOutput();
    doThrow(new IOException("full")).when(jobs).commitJob(job);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> committer.commitJob(job))
        .withMessage("full");
    assertThat(isRecorded()).isFalse();
  }

  @Test
  void jobSucceedsEvenIfItsRecordCannotBeWritten() throws IOException {
    Files.writeString(output(), "a file where a directory should be");
    job.getConfiguration().set(FileOutputFormat.OUTDIR, output().toUri().toString());
    committer.commitJob(job);
    verify(jobs).commitJob(job);
  }

  @Test
  void jobWithoutAnOutputDirectoryLeavesNoRecord() throws IOException {
    committer.commitJob(job);
    verify(jobs).commitJob(job);
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void everythingElseIsLeftToTheJobsCommitter() throws IOException {
    when(jobs.needsTaskCommit(attempt)).thenReturn(true);
    when(jobs.isRecoverySupported(job)).thenReturn(true);
    when(jobs.isCommitJobRepeatable(job)).thenReturn(true);
    committer.setupJob(job);
    committer.abortJob(job, JobStatus.State.FAILED);
    committer.setupTask(attempt);
    committer.commitTask(attempt);
    committer.abortTask(attempt);
    committer.recoverTask(attempt);
    assertThat(committer.needsTaskCommit(attempt)).isTrue();
    assertThat(committer.isRecoverySupported(job)).isTrue();
    assertThat(committer.isCommitJobRepeatable(job)).isTrue();
    verify(jobs).setupJob(job);
    verify(jobs).abortJob(job, JobStatus.State.FAILED);
    verify(jobs).setupTask(attempt);
    verify(jobs).commitTask(attempt);
    verify(jobs).abortTask(attempt);
    verify(jobs).recoverTask(attempt);
    verify(jobs).needsTaskCommit(attempt);
    verify(jobs).isRecoverySupported(job);
    verify(jobs).isCommitJobRepeatable(job);
    verifyNoMoreInteractions(jobs);
  }
}
