// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

/** In which order reduces get containers; with the allocator, see {@link AllocatorIT}. */
class ReduceOrderTest {
  private static final int REDUCES = 100;
  private static final JobId JOB = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);

  private final ReduceOrder order =
      new ReduceOrder(new MapOutputs(REDUCES), Mode.ON, (type, fields) -> {});
  private final List<TaskAttemptId> waiting =
      IntStream.range(0, REDUCES).mapToObj(ReduceOrderTest::reduce).toList();

  private static TaskAttemptId reduce(int index) {
    TaskId task = MRBuilderUtils.newTaskId(JOB, index, TaskType.REDUCE);
    return MRBuilderUtils.newTaskAttemptId(task, 0);
  }

  @Test
  void reducesThatHaveFailedBeforeGoFirst() {
    TaskAttemptId failed = reduce(70);
    assertThat(order.sort(waiting, failed::equals)).hasSize(REDUCES).startsWith(failed, reduce(0));
  }

  @Test
  void attemptsMayFailWhileTheyAreSorted() {
    List<TaskAttemptId> asked = new ArrayList<>();
    order.sort(waiting, id -> asked.add(id) && asked.size() % 2 == 0);
    assertThat(asked).containsExactlyElementsOf(waiting);
  }
}
