// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.InputBlock;
import io.drover.core.sampling.SamplingSettings;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ObservationTest {
  private static TaskId map(int number) {
    return MRBuilderUtils.newTaskId(
        MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), number, TaskType.MAP);
  }

  /**
   * Blocks on a, b and c; two maps run on a and c, of which only the second has its block there.
   */
  @Test
  void mapsThatWouldHaveBeenLocalAreCounted() {
    List<InputBlock> blocks =
        List.of("a", "b", "c").stream()
            .map(host -> new InputBlock(List.of(host), List.of("/r")))
            .toList();
    Observation observation =
        new Observation(BlockChoice.anyOf(blocks, 2, 2, SamplingSettings.KMN, new Random(1)));
    observation.started(map(0), "a", "/r", false, 1);
    observation.started(map(1), "c", "/r", true, 2);
    observation.started(map(1), "b", "/r", true, 3); // a further attempt
    assertThat(observation.fields())
        .containsEntry("maps", 2)
        .containsEntry("local", 1)
        .containsEntry("wouldBeLocal", 2);
  }
}
