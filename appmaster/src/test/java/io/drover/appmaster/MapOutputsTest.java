// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class MapOutputsTest {
  private static final int REDUCES = 9000; // more than fit in one line
  private final MapOutputs outputs = new MapOutputs(REDUCES);
  private final long[] sizes = new long[REDUCES];

  MapOutputsTest() {
    Arrays.setAll(sizes, j -> 300_000L + j);
  }

  private static TaskAttemptId map(int task, int number) {
    return MRBuilderUtils.newTaskAttemptId(
        MRBuilderUtils.newTaskId(
            MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), task, TaskType.MAP),
        number);
  }

  private void tell(TaskAttemptId map) {
    PartitionSizes.encode(sizes).forEach(line -> outputs.onLine(map, line));
  }

  private double[] in(String rack) {
    return outputs.expected(Map.of()).get(rack);
  }

  @Test
  void sizesCountWhetherTheyAreReadBeforeOrAfterTheMapHasSucceeded() {
    tell(map(0, 0));
    outputs.succeeded(map(0, 0), "/a", 1, 1);
    outputs.succeeded(map(1, 0), "/b", REDUCES, 1);
    assertThat(in("/b")[0]).isNotEqualTo(300_000);
    tell(map(1, 0));
    assertThat(in("/a")[REDUCES - 1]).isEqualTo(300_000 + REDUCES - 1);
    assertThat(in("/b")).isEqualTo(in("/a"));
    assertThat(outputs.known()).isEqualTo(2);
    tell(map(1, 0)); // once is enough
    assertThat(outputs.sizes()[0]).isEqualTo(600_000);
  }

  @Test
  void sizesThatStayIncompleteAreForgottenOnceThereAreMany() {
    List<String> lines = PartitionSizes.encode(sizes);
    int last = 256;
    for (int i = 0; i <= last; i++) {
      outputs.onLine(map(i, 0), lines.get(0));
      outputs.succeeded(map(i, 0), "/a", REDUCES, 1);
    }
    lines.stream().skip(1).forEach(line -> outputs.onLine(map(0, 0), line));
    assertThat(outputs.sizes()[5]).as("all as a whole").isCloseTo(257, within(1e-9));
    lines.stream().skip(1).forEach(line -> outputs.onLine(map(last, 0), line));
    assertThat(outputs.sizes()[5]).isGreaterThan(300_000);
    assertThat(outputs.known()).isEqualTo(last + 1);
  }

  @Test
  void sizesOfAnotherAttemptThanTheOneThatSucceededDoNotCount() {
    outputs.succeeded(map(0, 1), "/a", REDUCES, 1);
    tell(map(0, 0));
    assertThat(in("/a")[5]).isEqualTo(1);
    tell(map(0, 1));
    assertThat(in("/a")[5]).isEqualTo(300_005);
  }

  @Test
  void mapOfWhoseSizesALineIsMissingCountsAsAWhole() {
    PartitionSizes.encode(sizes).stream().skip(1).forEach(line -> outputs.onLine(map(0, 0), line));
    outputs.succeeded(map(0, 0), "/a", REDUCES, 1);
    assertThat(in("/a")).containsOnly(1);
  }
}
