// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.client.sampling.SampleBlock;
import io.drover.core.sampling.SamplingSettings;
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
  void furtherAttemptAsksForTheHostsOfItsSplitAndOfSomeOtherBlocks() {
    List<SampleBlock> blocks =
        IntStream.range(0, 100)
            .mapToObj(i -> new SampleBlock(i, List.of(), 1, List.of("h" + i)))
            .toList();
    SampledInput.Plan plan =
        new SampledInput.Plan(1, SamplingSettings.KMN, null, blocks, List.of(), null, false);
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
