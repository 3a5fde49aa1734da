// SPDX-License-Identifier: Apache-2.0
package io.drover.it.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.client.sampling.BlockSampler;
import io.drover.client.sampling.SampleBlock;
import io.drover.it.JobEnd;
import io.drover.it.JobsUnderTest;
import io.drover.it.SharedCluster;
import io.drover.testbed.cluster.DroverCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that read any K of their N blocks. */
@ExtendWith(SharedCluster.class)
class SamplingIT {
  private static final String KEY = "mapreduce.drover.sample.";
  private static DroverCluster cluster;
  private static SampledWords words;

  @BeforeAll
  static void start(DroverCluster shared) throws Exception {
    cluster = shared;
    words = new SampledWords(cluster);
  }

  @AfterAll
  static void nothingIsLeftBehind() throws Exception {
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  private static long counter(Job job, Enum<?> counter) throws Exception {
    return job.getCounters().findCounter(counter).getValue();
  }

  @Test
  void blocksAreTakenWhereContainersComeAndTheExtraMapIsLeftOut() throws Exception {
    Job job = words.run(2, Map.of(KEY + "blocks", "20"));
    words.assertRight(job, 20, SampledWords.BLOCKS);
    assertThat(words.lineage(job).lateBinding()).isTrue();
    assertThat(counter(job, JobCounter.TOTAL_LAUNCHED_MAPS)).isBetween(20L, 21L);
    assertThat(counter(job, JobCounter.DATA_LOCAL_MAPS)).isGreaterThanOrEqualTo(19);
    assertThat(words.lineage(job).mapSeconds()).hasSizeBetween(20, 21).allMatch(map -> map > 0.1);
  }

  @Test
  void jobMayGoByTheTimesOfAnEarlierRunAndCanDoWithout() throws Exception {
    String earlier =
        FileOutputFormat.getOutputPath(words.run(1, Map.of(KEY + "blocks", "5"))).toString();
    for (Map.Entry<String, Integer> history : Map.of(earlier, 20, "/nowhere", 5).entrySet()) {
      String blocks = history.getValue().toString();
      Job job = words.run(1, Map.of(KEY + "blocks", blocks, KEY + "history", history.getKey()));
      words.assertRight(job, history.getValue(), SampledWords.BLOCKS);
    }
  }

  @Test
  void recordedSampleIsReadAgain() throws Exception {
    Job first = words.run(1, Map.of(KEY + "ratio", "0.2"));
    Set<String> files = words.assertRight(first, 5, SampledWords.BLOCKS);
    String record = FileOutputFormat.getOutputPath(first).toString();
    Job second = words.run(1, Map.of(KEY + "record", record));
    assertThat(words.assertRight(second, 5, SampledWords.BLOCKS)).isEqualTo(files);
    assertThat(words.lineage(second).lateBinding()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"off, 20", "observe, 21"}) // of so many, an extra map would run
  void withoutLateBindingTheBlocksAreDrawnAndNoExtraMapRuns(String mode, int blocks)
      throws Exception {
    Job job = words.run(1, Map.of(KEY + "blocks", Integer.toString(blocks), KEY + "mode", mode));
    words.assertRight(job, blocks, SampledWords.BLOCKS);
    assertThat(words.lineage(job).lateBinding()).isFalse();
    assertThat(counter(job, JobCounter.TOTAL_LAUNCHED_MAPS)).isEqualTo(blocks);
  }

  /** Nothing else of Drover works with it, but the job gets what it asked for. */
  @Test
  void sampleIsDrawnThoughAnotherSettingIsBad() throws Exception {
    Job job = words.run(1, Map.of(KEY + "blocks", "3", "mapreduce.drover.clone.eps", "7"));
    words.assertRight(job, 3, SampledWords.BLOCKS);
    assertThat(words.lineage(job).lateBinding()).isFalse();
  }

  @Test
  void mapsWithoutReducesCommitTheOutputOfKBlocks() throws Exception {
    Job job = words.run(0, Map.of(KEY + "blocks", "20"));
    words.assertRight(job, 20, SampledWords.BLOCKS);
    assertThat(words.lineage(job).lateBinding()).isTrue();
  }

  /** While other maps run, too few of which have succeeded, and are killed with the job. */
  @Test
  void blockOnWhichTheProgramFailsFailsTheJobAsAlways() throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put(KEY + "blocks", "3");
    settings.put(SampledWords.FAILING, "0");
    settings.put("mapreduce.map.maxattempts", "2");
    Job job = words.job(1, 600_000, settings);
    job.submit();
    JobEnd.succeeds(job);
    assertThat(job.getStatus().getState())
        .as(() -> SampledWords.failure(job))
        .isEqualTo(JobStatus.State.FAILED);
    assertThat(SampledWords.failure(job)).doesNotContain("no map is left");
    Path unfinished = new Path(FileOutputFormat.getOutputPath(job), "_temporary");
    assertThat(words.files().exists(unfinished)).as("the output was aborted").isFalse();
  }

  @Test
  void combinedSplitIsOneBlock() throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put(KEY + "blocks", "3");
    settings.put("mapreduce.input.fileinputformat.split.maxsize", "4000"); // about two files
    Job job = words.job(1, 0, settings);
    job.setInputFormatClass(CombineTextInputFormat.class);
    job.submit();
    JobEnd.succeeds(job);
    int blocks = words.lineage(job).total();
    assertThat(blocks).isBetween(4, SampledWords.BLOCKS - 1);
    assertThat(words.assertRight(job, 3, blocks)).hasSizeGreaterThan(3);
  }

  /** Gives two samples: the files with even numbers, and the others. */
  public static final class Halves implements BlockSampler {
    @Override
    public List<List<Integer>> samples(
        List<SampleBlock> blocks, OptionalInt needed, RandomGenerator random) {
      List<List<Integer>> halves = List.of(new ArrayList<>(), new ArrayList<>());
      for (SampleBlock block : blocks) {
        halves.get(number(block.parts().get(0).file()) % 2).add(block.index());
      }
      return halves;
    }
  }

  private static int number(String file) {
    return Integer.parseInt(file.replaceFirst(".*f", ""));
  }

  @Test
  void blocksOfTwoSamplesAreNeverMixed() throws Exception {
    Job job = words.run(1, Map.of(KEY + "blocks", "6", KEY + "sampler", Halves.class.getName()));
    Set<String> files = words.assertRight(job, 6, SampledWords.BLOCKS);
    assertThat(files.stream().map(file -> number(file) % 2).distinct()).hasSize(1);
  }

  /** Gives samples of two sizes. */
  public static final class Unequal implements BlockSampler {
    @Override
    public List<List<Integer>> samples(
        List<SampleBlock> blocks, OptionalInt needed, RandomGenerator random) {
      return List.of(List.of(0, 1), List.of(2));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "blocks | 25 | mapreduce.drover.sample.blocks is 25, and the input has 24 splits",
        "blocks | 0 | mapreduce.drover.sample.blocks is '0'",
        "ratio | 1.5 | mapreduce.drover.sample.ratio is '1.5'",
        "bloks | 3 | mapreduce.drover.sample.bloks",
        "record | /nowhere | mapreduce.drover.sample.record is /nowhere, which cannot be read",
        "sampler | io.drover.it.sampling.SamplingIT$Unequal | gives samples of 2 and of 1 blocks"
      })
  void whatCannotBeHadIsRefusedBeforeTheJobStarts(String key, String value, String why)
      throws Exception {
    Job job = words.run(1, Map.of(KEY + key, value));
    assertThat(job.isSuccessful()).isFalse();
    assertThat(SampledWords.failure(job)).contains(why).doesNotContain("\tat ");
    // Hadoop's history keeps no counters of a job that failed before it started.
    assertThat(job.getTaskReports(TaskType.MAP)).isEmpty();
  }
}
