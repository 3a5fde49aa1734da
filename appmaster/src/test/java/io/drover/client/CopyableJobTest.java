// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.db.DBOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which jobs run in several copies, and in how many. */
class CopyableJobTest {
  @TempDir Path directory;
  private LocalJobs jobs;
  private Job job;

  @BeforeEach
  void prepare() throws Exception {
    jobs = new LocalJobs(directory);
    job = jobs.job(Map.of());
  }

  private void assertRefused(String... because) {
    assertThatThrownBy(() -> ClonedJob.of(job, 2))
        .isInstanceOf(InvalidJobConfException.class)
        .message()
        .contains(because);
  }

  @Test
  void outputThatIsNoDirectoryIsRefused() {
    job.setOutputFormatClass(NullOutputFormat.class);
    assertRefused("NullOutputFormat does not write into a directory", "FileOutputFormat");
  }

  @Test
  void lazyOutputIsAsGoodAsTheOneWithinIt() throws Exception {
    LazyOutputFormat.setOutputFormatClass(job, NullOutputFormat.class);
    assertRefused("NullOutputFormat does not write into a directory");
    LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
    assertThat(ClonedJob.of(job, 2).count()).isEqualTo(2);
  }

  @Test
  void outputThatWritesBeforeTheCommitIsRefused() {
    job.getConfiguration().set("mapred.output.committer.class", "my.DirectFileCommitter");
    assertRefused("my.DirectFileCommitter", "mapreduce.drover.restart.excluded-outputs");
    job.getConfiguration().unset("mapred.output.committer.class");
    job.setOutputFormatClass(DBOutputFormat.class);
    assertRefused("DBOutputFormat");
  }

  @Test
  void jobWithoutOutputDirectoryIsRefused() {
    job.getConfiguration().unset(FileOutputFormat.OUTDIR);
    assertRefused(FileOutputFormat.OUTDIR + " is not set", "setOutputPath");
  }

  @Test
  void jobWhoseEndIsToBeToldIsRefused() {
    job.getConfiguration().set("mapreduce.job.end-notification.url", "http://me/$jobId");
    assertRefused("mapreduce.job.end-notification.url", "notify after the run");
  }

  @Test
  void badSettingIsRefused() {
    job.getConfiguration().set("mapreduce.drover.clone.eps", "7");
    assertRefused("mapreduce.drover.clone.eps is '7'; allowed:");
  }

  @Test
  void submittedJobIsRefused() throws Exception {
    FileOutputFormat.setOutputPath(
        job, LocalJobs.hadoop(directory.resolve("data/_out.drover-copy-1-00000000")));
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> ClonedJob.of(job, 2))
        .withMessageContaining("has been submitted");
  }

  @Test
  void thereIsACopyAtLeast() {
    assertThatIllegalArgumentException().isThrownBy(() -> ClonedJob.of(job, 0));
  }

  /** A file system of another kind, as it were. */
  static final class ObjectStore extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("bucket:///");
    }
  }

  @Test
  void outputWhereADirectoryIsNotRenamedInOneStepIsRefused() {
    job.getConfiguration().setClass("fs.bucket.impl", ObjectStore.class, ObjectStore.class);
    job.getConfiguration().set(FileOutputFormat.OUTDIR, "bucket://" + jobs.output());
    assertRefused(
        jobs.output() + " is in a file system with the scheme bucket", "half-renamed", "hdfs");
  }

  @Test
  void mountsAreSeenThrough() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Path bucket = Files.createDirectory(directory.resolve("bucket"));
    Configuration conf = job.getConfiguration();
    conf.setClass("fs.bucket.impl", ObjectStore.class, ObjectStore.class);
    conf.set("fs.viewfs.mounttable.test.link./data", data.toUri().toString());
    conf.set("fs.viewfs.mounttable.test.link./bucket", "bucket://" + bucket);
    conf.set(FileOutputFormat.OUTDIR, "viewfs://test/bucket/out");
    assertRefused("viewfs://test/bucket/out is in a file system with the scheme bucket");

    conf.set(FileOutputFormat.OUTDIR, "viewfs://test/data/out");
    // One copy: the directory of another may come back while its map dies, until this process ends.
    assertThat(ClonedJob.of(job, 1).run().winner()).isPresent();
    assertThat(data.resolve("out/part-m-00000")).hasContent("0\tone\n4\ttwo\n");
    assertThat(data).isDirectoryNotContaining("glob:**drover-copy*");
  }

  /** log 0.05 / log(1 - 0.9^n) for 3 maps and a reduce: 2.8; for 1 map: 1.3. */
  @ParameterizedTest
  @CsvSource({"3, 1, 10, 4, 3", "1, 0, 10, 4, 2", "3, 1, 10, 2, 2", "3, 1, 3, 4, 1"})
  void formulaCountsTheTasksOfTheJob(int maps, int reduces, int maxTasks, int maxCopies, int copies)
      throws Exception {
    for (int map = 1; map < maps; map++) {
      jobs.input("more-" + map, "x\n");
    }
    org.apache.hadoop.mapreduce.lib.input.FileInputFormat.setInputPaths(
        job, LocalJobs.hadoop(directory.resolve("in")));
    job.setNumReduceTasks(reduces);
    job.getConfiguration().setInt("mapreduce.drover.clone.max-tasks", maxTasks);
    job.getConfiguration().setInt("mapreduce.drover.clone.max-copies", maxCopies);
    assertThat(ClonedJob.of(job).count()).isEqualTo(copies);
  }

  @Test
  void formulaCountsMapsOfTheOldApiToo() throws Exception {
    job.getConfiguration().unset("mapreduce.job.map.class");
    job.getConfiguration()
        .set("mapred.mapper.class", "org.apache.hadoop.mapred.lib.IdentityMapper");
    assertThat(ClonedJob.of(job).count()).isEqualTo(2);
  }
}
