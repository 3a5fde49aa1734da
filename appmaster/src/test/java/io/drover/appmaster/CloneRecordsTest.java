// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.CloneRecords.Clone;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CloneRecordsTest {
  private static final JobId JOB = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);

  private final CloneRecords records = new CloneRecords();

  private static TaskId map(int index) {
    return MRBuilderUtils.newTaskId(JOB, index, TaskType.MAP);
  }

  @Test
  void clonesOfATaskAreCountedAlsoAfterTheirEndUnlessNoneCouldBeMade() {
    Clone ended = records.want(map(0), 0);
    records.want(map(0), 0);
    Clone notMade = records.want(map(0), 0);
    records.want(map(1), 0);
    records.ended(ended);
    records.notMade(notMade, true);
    assertThat(records.ever(map(0))).isEqualTo(2);
    assertThat(records.open(map(0))).isEqualTo(1);
    assertThat(records.ever(map(2))).isZero();
  }

  /** What a job with the largest {@code clone.max-tasks} asks for in each heartbeat. */
  @Test
  @Timeout(30) // it takes milliseconds; a look at every clone for every task takes a minute
  void timeToCountGrowsWithTheTasksAndNotWithTheirSquare() {
    List<TaskId> maps = IntStream.range(0, 20_000).mapToObj(CloneRecordsTest::map).toList();
    for (int clone = 0; clone < 3; clone++) {
      maps.forEach(map -> records.want(map, 0));
    }
    assertThat(maps.stream().mapToInt(records::ever)).containsOnly(3);
    assertThat(maps.stream().mapToInt(records::open)).containsOnly(3);
  }
}
