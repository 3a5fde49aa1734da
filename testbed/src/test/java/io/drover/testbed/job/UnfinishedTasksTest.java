// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.job.RunWatch.UnfinishedTasks;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.junit.jupiter.api.Test;

class UnfinishedTasksTest {
  /** A running task with a second attempt, as Hadoop's client reports it. */
  private static final class FakeTaskReport extends TaskReport {
    FakeTaskReport(TaskType type, int number, float progress, long finish) {
      super(
          new TaskID("1700000000000", 1, type, number),
          progress,
          "",
          new String[0],
          TIPStatus.RUNNING,
          1,
          finish,
          new Counters());
      setRunningTaskAttemptIds(
          List.of(new TaskAttemptID(new TaskID("1700000000000", 1, type, number), 1)));
    }
  }

  @Test
  void tasksThatAreNotDoneAreToldOf() throws Exception {
    TaskReport[] maps = {
      new FakeTaskReport(TaskType.MAP, 0, 1, 5), new FakeTaskReport(TaskType.MAP, 1, 0.254f, 0)
    };
    TaskReport[] reduces = {new FakeTaskReport(TaskType.REDUCE, 0, 0, 0)};

    assertThat(UnfinishedTasks.tasks(type -> type == TaskType.MAP ? maps : reduces))
        .isEqualTo(
            "task_1700000000000_0001_m_000001 RUNNING 25 %"
                + " [attempt_1700000000000_0001_m_000001_1];"
                + " task_1700000000000_0001_r_000000 RUNNING 0 %"
                + " [attempt_1700000000000_0001_r_000000_1]");
  }

  @Test
  void ofManyTheRestIsCounted() throws Exception {
    TaskReport[] maps =
        IntStream.range(0, 11)
            .mapToObj(number -> new FakeTaskReport(TaskType.MAP, number, 0, 0))
            .toArray(TaskReport[]::new);

    assertThat(UnfinishedTasks.tasks(type -> type == TaskType.MAP ? maps : new TaskReport[0]))
        .contains("m_000007 ")
        .doesNotContain("m_000008")
        .endsWith("; and 3 more");
  }

  @Test
  void jobWithoutOpenTasksSaysSo() throws Exception {
    assertThat(UnfinishedTasks.tasks(type -> new TaskReport[0]))
        .isEqualTo("all its tasks have finished");
  }
}
