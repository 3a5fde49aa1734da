// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.contentOf;

import io.drover.client.LocalJobs.Act;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileAlreadyExistsException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus.State;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ClonedJobIT {
  @TempDir Path directory;
  private LocalJobs jobs;

  @BeforeEach
  void prepare() {
    jobs = new LocalJobs(directory);
  }

  private void assertWritten() throws IOException {
    assertThat(jobs.outputs()).containsExactly("out");
    assertThat(jobs.output().resolve("part-m-00000")).hasContent("0\tone\n4\ttwo\n");
    assertThat(jobs.output().resolve("_SUCCESS")).exists();
  }

  @Test
  void firstCopyToSucceedGivesTheOutputAndTheOthersAreKilledAndLeaveNothing() throws Exception {
    LocalJobs.expect(3);
    Job job = jobs.job(Map.of(1, Act.STALL, 3, Act.STALL));
    ClonedJob.Outcome outcome = ClonedJob.of(job, 3).run();
    JobCopy winner = outcome.winner().orElseThrow();
    assertThat(winner.number()).isEqualTo(2);
    assertThat(winner.job().getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue())
        .isEqualTo(2);
    assertThat(outcome.copies()).extracting(JobCopy::number).containsExactly(1, 2, 3);
    for (JobCopy copy : outcome.copies()) {
      assertThat(copy.job().getJobState())
          .isEqualTo(copy == winner ? State.SUCCEEDED : State.KILLED);
    }
    assertWritten();
  }

  @Test
  void oneCopyIsTheJobItself() throws Exception {
    assertThat(ClonedJob.of(jobs.job(Map.of()), 1).run().winner()).isPresent();
    assertWritten();
  }

  @Test
  void copiesThatSucceedTogetherGiveOneOutput() throws Exception {
    LocalJobs.expect(4);
    assertThat(ClonedJob.of(jobs.job(Map.of()), 4).run().winner()).isPresent();
    assertWritten();
  }

  @Test
  void copyThatFailsLeavesTheOthersToGoOn() throws Exception {
    Job job = jobs.job(Map.of(1, Act.FAIL, 2, Act.FAIL));
    assertThat(ClonedJob.of(job, 3).run().winner().orElseThrow().number()).isEqualTo(3);
    assertWritten();
  }

  @Test
  void copyThatCannotBeAskedAboutForAWhileIsAskedAboutAgain() throws Exception {
    ClonedJob cloned = ClonedJob.of(jobs.job(Map.of(1, Act.FORGET_UNTIL_ASKED)), 1);
    assertThat(cloned.run().winner()).isPresent();
    assertWritten();
  }

  /** Asked about for as long as the other one takes; its output stays, as it may still be made. */
  @Test
  void copyThatCannotBeAskedAboutLeavesTheOthersToGoOn() throws Exception {
    LocalJobs.expect(2);
    Job job = jobs.job(Map.of(1, Act.STALL, 2, Act.FORGET_THE_FIRST));
    assertThat(ClonedJob.of(job, 2).run().winner().orElseThrow().number()).isEqualTo(2);
    assertThat(jobs.output().resolve("part-m-00000")).hasContent("0\tone\n4\ttwo\n");
    assertThat(jobs.outputs()).hasSize(2);
    assertThat(LocalJobs.copyOf(jobs.outputs().get(0))).isEqualTo(1);
  }

  @Test
  void lastCopyThatCannotBeAskedAboutIsAnErrorAndItsOutputStays() throws Exception {
    Job job = jobs.job(Map.of(1, Act.FORGET_AND_STALL));
    ClonedJob cloned = ClonedJob.of(job, 1, Duration.ZERO);
    assertThatThrownBy(cloned::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is not known what became of lines [copy 1 of 1]")
        .hasMessageContaining("Job status not available");
    assertThat(jobs.outputs()).hasSize(1);
  }

  /** It may have succeeded. */
  @Test
  void copyOfWhichNothingIsKnownDoesNotCountAsFailedWhenAllOthersHave() throws Exception {
    LocalJobs.expect(2);
    Job job = jobs.job(Map.of(1, Act.FORGET_AND_STALL, 2, Act.FAIL));
    ClonedJob cloned = ClonedJob.of(job, 2, Duration.ZERO);
    assertThatThrownBy(cloned::run).hasMessageContaining("copy 1 of 2");
    assertThat(jobs.outputs()).singleElement().extracting(LocalJobs::copyOf).isEqualTo(1);
  }

  @Test
  void copyThatSucceedsAfterItWasGivenUpKeepsItsOutputIfThereIsNoOther() throws Exception {
    LocalJobs.expect(2);
    Job job = jobs.job(Map.of(1, Act.FORGET_UNTIL_ASKED, 2, Act.FAIL_AFTER_THE_FIRST));
    ClonedJob cloned = ClonedJob.of(job, 2, Duration.ZERO);
    assertThatThrownBy(cloned::run).hasMessageContaining("it is not known what became of lines");
    String kept = jobs.outputs().get(0);
    assertThat(jobs.outputs()).containsExactly(kept);
    assertThat(LocalJobs.copyOf(kept)).isEqualTo(1);
    assertThat(jobs.output().resolveSibling(kept).resolve("part-m-00000"))
        .hasContent("0\tone\n4\ttwo\n");
  }

  @Test
  void jobFailsWhenAllCopiesHave() throws Exception {
    ClonedJob.Outcome outcome = ClonedJob.of(jobs.job(Map.of(1, Act.FAIL, 2, Act.FAIL)), 2).run();
    assertThat(outcome.winner()).isEmpty();
    for (JobCopy copy : outcome.copies()) {
      assertThat(copy.job().getJobState()).isEqualTo(State.FAILED);
    }
    assertThat(jobs.outputs()).isEmpty();
  }

  @Test
  void existingOutputIsRefusedBeforeAnythingRuns() throws Exception {
    Files.createDirectories(jobs.output());
    CountDownLatch started = LocalJobs.expect(1);
    ClonedJob cloned = ClonedJob.of(jobs.job(Map.of()), 2);
    assertThatThrownBy(cloned::run)
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(jobs.output().toString());
    assertThat(started.getCount()).isEqualTo(1);
    assertThat(jobs.outputs()).containsExactly("out");
  }

  @Test
  void outputThatAppearsMeanwhileIsNotTouchedAndTheWinnersIsKept() throws Exception {
    LocalJobs.expect(2);
    Job job = jobs.job(Map.of(1, Act.TAKE_THE_PLACE, 2, Act.STALL));
    ClonedJob cloned = ClonedJob.of(job, 2);
    assertThatThrownBy(cloned::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("copy 1 of 2")
        .hasMessageContaining("_out.drover-copy-1-")
        .hasMessageContaining("left where it is");
    assertThat(jobs.output()).isEmptyDirectory();
    assertThat(jobs.outputs()).hasSize(2);
    String kept = jobs.outputs().get(0);
    assertThat(LocalJobs.copyOf(kept)).isEqualTo(1);
    assertThat(jobs.output().resolveSibling(kept).resolve("part-m-00000")).isNotEmptyFile();
  }

  @Test
  void refusedSubmissionOfAFurtherCopyLeavesTheOthersToGoOn() throws Exception {
    Job job = jobs.job(Map.of());
    job.setOutputFormatClass(RefusesTheSecond.class);
    ClonedJob.Outcome outcome = ClonedJob.of(job, 3).run();
    assertThat(outcome.copies()).extracting(JobCopy::number).containsExactly(1);
    assertWritten();
  }

  @Test
  void refusedSubmissionOfTheFirstIsAnErrorAndNothingRuns() throws Exception {
    Job job = jobs.job(Map.of());
    org.apache.hadoop.mapreduce.lib.input.FileInputFormat.setInputPaths(
        job, LocalJobs.hadoop(directory.resolve("nothing")));
    ClonedJob cloned = ClonedJob.of(job, 2);
    assertThatThrownBy(cloned::run).hasMessageContaining("Input path does not exist");
    assertThat(jobs.outputs()).isEmpty();
  }

  /** A ResourceManager that does not answer in time, say; that is no interruption. */
  static final class RefusesTheSecond extends TextOutputFormat<Object, Text> {
    @Override
    public void checkOutputSpecs(JobContext job) throws IOException {
      super.checkOutputSpecs(job);
      if (LocalJobs.copyOf(getOutputPath(job).getName()) == 2) {
        throw new SocketTimeoutException("as told");
      }
    }
  }

  /** Runs two copies that stall, and returns when both do. */
  private Thread startStalled(FutureTask<ClonedJob.Outcome> run) throws InterruptedException {
    CountDownLatch started = LocalJobs.expect(2);
    Thread thread = new Thread(run);
    thread.start();
    started.await();
    return thread;
  }

  private ClonedJob stalled() throws Exception {
    return ClonedJob.of(jobs.job(Map.of(1, Act.STALL, 2, Act.STALL)), 2);
  }

  private void assertKilled(FutureTask<ClonedJob.Outcome> run) throws IOException {
    assertThatThrownBy(run::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(jobs.outputs()).isEmpty();
  }

  @Test
  void interruptionKillsAllCopies() throws Exception {
    FutureTask<ClonedJob.Outcome> run = new FutureTask<>(stalled()::run);
    startStalled(run).interrupt();
    assertKilled(run);
  }

  @Test
  void endOfTheProcessKillsAllCopies() throws Exception {
    ClonedJob cloned = stalled();
    FutureTask<ClonedJob.Outcome> run = new FutureTask<>(cloned::run);
    startStalled(run);
    cloned.end(); // what the hook does
    assertKilled(run);
  }

  @Test
  void processThatExitsLeavesNothing() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                StalledClient.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    assertThat(process.waitFor())
        .as(() -> contentOf(directory.resolve("log").toFile()))
        .isEqualTo(StalledClient.AS_MEANT);
    assertThat(jobs.outputs()).isEmpty();
  }

  /** Runs two copies that stall, and exits when both do. */
  static final class StalledClient {
    static final int AS_MEANT = 7;

    public static void main(String[] args) throws Exception {
      LocalJobs jobs = new LocalJobs(Path.of(args[0]));
      CountDownLatch started = LocalJobs.expect(2);
      ClonedJob cloned = ClonedJob.of(jobs.job(Map.of(1, Act.STALL, 2, Act.STALL)), 2);
      new Thread(new FutureTask<>(cloned::run)).start();
      started.await();
      System.exit(jobs.outputs().size() == 2 ? AS_MEANT : 1);
    }
  }

  @Test
  void afterTheEndNothingIsSubmitted() throws Exception {
    CountDownLatch started = LocalJobs.expect(1);
    ClonedJob ended = ClonedJob.of(jobs.job(Map.of()), 2);
    ended.end();
    assertThatThrownBy(ended::run).isInstanceOf(InterruptedException.class);
    assertThat(started.getCount()).isEqualTo(1);
  }

  @Test
  void copyIsTheJobWithAnOutputANameAndNoClonesOfItsOwn() throws Exception {
    Job job = jobs.job(Map.of());
    job.getConfiguration().set("some.key", "some value");
    job.getCredentials().addSecretKey(new Text("secret"), new byte[] {1});
    JobCopy copy = JobCopy.of(job, 2, 3, CopiedOutput.of(job));
    Configuration conf = copy.job().getConfiguration();
    assertThat(copy.job().getJobName()).isEqualTo("lines [copy 2 of 3]");
    assertThat(conf.get("mapreduce.drover.clone.mode")).isEqualTo("off");
    assertThat(conf.get("some.key")).isEqualTo("some value");
    assertThat(copy.job().getCredentials().getSecretKey(new Text("secret"))).containsExactly(1);
    assertThat(copy.job().getCredentials()).isNotSameAs(job.getCredentials());
    assertThat(copy.directory().getParent()).isEqualTo(LocalJobs.hadoop(jobs.output()).getParent());
    assertThat(LocalJobs.copyOf(copy.directory().getName())).isEqualTo(2);
    assertThat(FileOutputFormat.getOutputPath(copy.job())).isEqualTo(copy.directory());
    assertThat(FileOutputFormat.getOutputPath(job)).isEqualTo(LocalJobs.hadoop(jobs.output()));
    assertThat(job.getConfiguration().get("mapreduce.drover.clone.mode")).isNull();
  }

  @Test
  void twoRunsNeverShareADirectory() throws Exception {
    Job job = jobs.job(Map.of());
    assertThat(CopiedOutput.of(job).of(1)).isNotEqualTo(CopiedOutput.of(job).of(1));
  }

  @Test
  void jobsOfTheOldApiAreClonedToo() throws Exception {
    JobConf conf = new JobConf(jobs.conf());
    conf.setMapperClass(LocalJobs.StallsInTheSecond.class);
    conf.setNumReduceTasks(0);
    org.apache.hadoop.mapred.FileInputFormat.addInputPath(
        conf, LocalJobs.hadoop(jobs.input("a", "one\ntwo\n")));
    org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(conf, LocalJobs.hadoop(jobs.output()));
    LocalJobs.expect(2);
    JobCopy winner = ClonedJob.of(Job.getInstance(conf), 2).run().winner().orElseThrow();
    assertThat(winner.number()).isEqualTo(1);
    assertThat(jobs.outputs()).containsExactly("out");
    assertThat(jobs.output().resolve("part-00000")).hasContent("0\tone\n4\ttwo\n");
  }
}
