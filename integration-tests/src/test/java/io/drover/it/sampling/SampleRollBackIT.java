// SPDX-License-Identifier: Apache-2.0
package io.drover.it.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.JobsUnderTest;
import io.drover.it.SharedCluster;
import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that sample, of which one AppMaster is Drover's and the next one Hadoop's, or the other way
 * round: the shell looks for a file, as it does for the jar in conf/.
 */
@ExtendWith(SharedCluster.class)
class SampleRollBackIT {
  private static final String DROVERS = "io.drover.appmaster.DroverAppMaster";
  private static final int NEEDED = 6;
  private static final long MAP_MILLIS = 2000;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static DroverCluster cluster;
  private static SampledWords words;

  @TempDir private Path directory;

  @BeforeAll
  static void start(DroverCluster shared) throws Exception {
    cluster = shared;
    words = new SampledWords(cluster);
  }

  @AfterAll
  static void nothingIsLeftBehind() throws Exception {
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  private Path jar() {
    return directory.resolve("jar");
  }

  private static boolean isAppMaster(LiveContainer container, Job job) {
    return container.isOf(job.getJobID().toString()) && container.attemptId().isEmpty();
  }

  /**
   * Runs a job, and kills its AppMaster when a map is done.
   *
   * @param change lets the next AppMaster be another one
   */
  private Job run(Callable<Path> change) throws Exception {
    String options = cluster.underDrover().get(MRJobConfig.MR_AM_COMMAND_OPTS);
    String where = "$(test -e " + jar() + " && echo " + DROVERS + ")";
    Job job =
        words.job(
            1,
            MAP_MILLIS,
            Map.of(
                "mapreduce.drover.sample.blocks",
                Integer.toString(NEEDED),
                MRJobConfig.MR_AM_COMMAND_OPTS,
                options.replace(DROVERS, where)));
    job.submit();
    assertThat(Await.until(LIMIT, Duration.ofMillis(100), () -> hasFinishedMap(job))).isTrue();
    change.call();
    for (LiveContainer container : cluster.liveContainers()) {
      if (isAppMaster(container, job)) {
        ProcessHandle.of(container.pid()).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
    assertThat(Await.until(LIMIT, Duration.ofMillis(100), job::isComplete)).isTrue();
    assertThat(job.isSuccessful()).as(() -> SampledWords.failure(job)).isTrue();
    return job;
  }

  private static boolean hasFinishedMap(Job job) throws IOException {
    return Arrays.stream(job.getTaskCompletionEvents(0))
        .anyMatch(event -> event.getStatus() == TaskCompletionEvent.Status.SUCCEEDED);
  }

  @Test
  void hadoopsAppMasterReadsTheWholeInputAfterDrovers() throws Exception {
    Files.createFile(jar());
    Job job =
        run(
            () -> {
              Files.delete(jar());
              return jar();
            });
    Map<String, Long> whole = new HashMap<>();
    IntStream.range(0, SampledWords.BLOCKS).forEach(i -> whole.put("word" + i, 100L));
    whole.put("all", 200L * SampledWords.BLOCKS);
    assertThat(words.words(job)).isEqualTo(whole);
  }

  @Test
  void droversAppMasterReadsASampleAfterHadoops() throws Exception {
    Job job = run(() -> Files.createFile(jar()));
    words.assertRight(job, NEEDED, SampledWords.BLOCKS);
  }
}
