// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.client.sampling.SampleBlock;
import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.InputBlock;
import io.drover.core.sampling.SamplingSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class SampledInputTest {
  private static long seed(int number) {
    JobId job =
        MRBuilderUtils.newJobId(ApplicationId.newInstance(1_764_000_000_000L, number), number);
    return SampledInput.seed(job);
  }

  @Test
  void jobsThatFollowEachOtherDrawDifferentNumbers() {
    long heads =
        IntStream.range(1, 1001).filter(job -> new Random(seed(job)).nextBoolean()).count();
    assertThat(heads).isBetween(400L, 600L);
  }

  @Test
  void everyAppMasterOfAJobDrawsTheSame() {
    assertThat(seed(7)).isEqualTo(seed(7));
  }

  @Test
  void mapsWithoutABlockAskForTheHostsOfTheBlocksThatTheyMayTake() {
    List<SampleBlock> blocks = blocks(10);
    List<List<Integer>> sample = List.of(List.of(3, 5, 7));
    SampleState unbound = SampleState.unbound(10, 2, 2, sample);
    BlockChoice choice =
        BlockChoice.oneOf(
            blocks.stream().map(b -> new InputBlock(b.hosts(), List.of("/r"))).toList(),
            sample,
            2,
            2,
            SamplingSettings.KMN,
            new Random(1));
    BlockBinder binder = new BlockBinder(choice, unbound);
    SampledInput.Plan plan = plan(blocks, unbound);
    assertThat(hosts(plan.placeholders(binder))).containsExactlyInAnyOrder("h3", "h5", "h7");
    assertThat(BlockBinders.bind(binder, 0, 0, "h5")).isEqualTo(5);
    TaskSplitMetaInfo[] later = plan.placeholders(binder); // as after a restart
    assertThat(later[0].getLocations()).containsExactly("h5");
    assertThat(later[1].getLocations()).containsExactlyInAnyOrder("h3", "h7");
  }

  private static List<String> hosts(TaskSplitMetaInfo[] splits) {
    return Arrays.stream(splits).flatMap(split -> Arrays.stream(split.getLocations())).toList();
  }

  private static List<SampleBlock> blocks(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> new SampleBlock(i, List.of(), 1, List.of("h" + i)))
        .toList();
  }

  private static SampledInput.Plan plan(List<SampleBlock> blocks, SampleState state) {
    List<TaskSplitMetaInfo> splits =
        blocks.stream()
            .map(
                block ->
                    new TaskSplitMetaInfo(
                        new TaskSplitIndex("splits", block.index()),
                        block.hosts().toArray(String[]::new),
                        block.length()))
            .toList();
    return new SampledInput.Plan(1, SamplingSettings.KMN, state, blocks, splits, null, false, true);
  }

  @Test
  void furtherAttemptAsksForTheHostsOfItsSplitAndOfSomeOtherBlocks() {
    SampledInput.Plan plan = plan(blocks(100), null);
    TaskSplitIndex place = new TaskSplitIndex("splits", 7);
    TaskSplitMetaInfo own = new TaskSplitMetaInfo(place, new String[] {"h5"}, 64);
    List<Integer> others = IntStream.range(50, 100).boxed().toList();
    TaskSplitMetaInfo wide = plan.splitOnHostsOf(own, others);
    assertThat(wide.getSplitLocation()).isEqualTo("splits");
    assertThat(wide.getStartOffset()).isEqualTo(7);
    assertThat(wide.getInputDataLength()).isEqualTo(64);
    assertThat(wide.getLocations()).hasSize(17).startsWith("h5").doesNotHaveDuplicates();
    assertThat(plan.splitOnHostsOf(own, List.of()).getLocations()).containsExactly("h5");
  }

  @Test
  void placeholderHostsOfObjectStoresAreNone() {
    SampleBlock block = new SampleBlock(0, List.of(), 1, List.of("localhost", "", "h1"));
    assertThat(SampledInput.hosts(block)).containsExactly("h1");
  }
}
